//! Programs in which everything is called like something that means something elsewhere: in a language that code is generated in, in what all
//! generated code shares, or in what is generated for the program itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use weave_codegen::{Options, Target, generate};

use crate::packages::{HEADER, packages, program};
use crate::program::Program;
use crate::random::Random;
use crate::{read, root};

/// What no identifier can be, and fields and values of enums can.
const TEXTS: [&str; 18] = [
    "größe",
    "日本",
    "a b",
    "\"",
    "`",
    "${x}",
    "*/",
    "\\",
    "\u{2028}",
    "-",
    "1st",
    "content-type",
    "__proto__",
    "é",
    "e\u{301}",
    "𝒳",
    "//",
    "#{}",
];

/// What a hunt has made: the files, and how often each kind of declaration stands there.
#[derive(Debug)]
pub struct Hostile {
    /// The program, which has no errors.
    pub program: Program,
    /// How many declarations of each kind there are.
    pub declared: BTreeMap<String, usize>,
}

/// The words that names are made of: those of the list, and each that stands in what is generated for the examples.
///
/// # Panics
///
/// If there are few.
#[must_use]
pub fn words() -> [Vec<String>; 2] {
    let list = read(&root().join("tests/fixtures/hostile/words.txt"));
    let listed: BTreeSet<String> =
        list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).map(str::to_owned).collect();
    let checked = program(&root().join("examples"));
    let (found, builders) = (packages(&checked), checked.check().snapshot.builders().expect("the examples are right"));
    let mut generated = BTreeSet::new();
    for target in [Target::Go, Target::Python, Target::TypeScript] {
        let options =
            Options { import_path: "weave.test/gen".to_owned(), builders: Some(builders.clone()), mcp: true, header: HEADER.to_owned() };
        for file in generate(target, &found, &options).expect("every language has a form for the examples") {
            let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let words = file
                .contents
                .split(|it: char| !is_word(it))
                .filter(|word| word.len() < 40 && word.starts_with(|it: char| !it.is_ascii_digit()));
            generated.extend(words.map(str::to_owned));
        }
    }
    assert!(listed.len() > 300 && generated.len() > 2_000, "{} words and {}", listed.len(), generated.len());
    [listed, generated].map(|words| words.into_iter().collect())
}

/// Makes names and declarations.
struct Maker<'w> {
    random: Random,
    words: &'w [Vec<String>; 2],
    /// The types that can be named.
    types: Vec<String>,
    /// What can be named beside types, each with the one name that it must be given.
    known: BTreeMap<Kind, Vec<(String, String)>>,
}

/// A kind of declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Type,
    Error,
    Event,
    Tool,
    Agent,
    Prompt,
    Workflow,
    /// What nothing names.
    Other,
}

/// A declaration: its text, its kind, its name, and the one name that it must be given.
struct Made {
    text: String,
    kind: Kind,
    name: String,
    needed: String,
}

impl<'w> Maker<'w> {
    fn new(seed: u64, words: &'w [Vec<String>; 2]) -> Self {
        Self { random: Random::new(seed), words, types: Vec::new(), known: BTreeMap::new() }
    }

    /// One of what there is of this kind.
    fn one(&mut self, kind: Kind) -> Option<(String, String)> {
        let list = self.known.get(&kind).filter(|list| !list.is_empty())?;
        Some(self.random.pick(list).clone())
    }

    /// An identifier.
    fn name(&mut self) -> String {
        let list = &self.words[usize::from(self.random.chance(50))];
        let word = self.random.pick(list).clone();
        let capital = |word: &str| {
            word.split('_')
                .map(|part| part.get(..1).unwrap_or_default().to_ascii_uppercase() + part.get(1..).unwrap_or_default())
                .collect::<String>()
        };
        let made = match self.random.below(20) {
            0 => capital(&word),
            1 => word.to_ascii_lowercase(),
            2 => word.to_ascii_uppercase(),
            3 => format!("{word}_"),
            4 => format!("_{word}"),
            5 => word.chars().flat_map(|it| if it.is_ascii_uppercase() { vec!['_', it.to_ascii_lowercase()] } else { vec![it] }).collect(),
            6 => format!(
                "{word}{}",
                self.random.pick(&["Input", "Output", "Codec", "Tool", "Event", "Service", "Arguments", "Payload", "Prompt", "Node"])
            ),
            7 if self.random.chance(15) => format!("{word}_{}", "long".repeat(75)),
            _ => word,
        };
        if made.is_empty() { "empty".to_owned() } else { made }
    }

    /// The name of a field, as it stands in a file.
    fn field(&mut self) -> String {
        if self.random.chance(10) { json!(self.random.pick(&TEXTS)).to_string() } else { self.name() }
    }

    fn ty(&mut self) -> String {
        let named = self.types.len();
        let base = match self.random.below(4 + named.min(8)) {
            0 => "string".to_owned(),
            1 => "int64".to_owned(),
            2 => "timestamp".to_owned(),
            3 => "json".to_owned(),
            _ => self.random.pick(&self.types).clone(),
        };
        match self.random.below(8) {
            0 => format!("{base}[]"),
            1 => format!("map<{base}>"),
            2 => format!("{base} | null"),
            _ => base,
        }
    }

    /// Some fields, none of which must be there.
    fn fields(&mut self) -> String {
        let count = self.random.below(4);
        let mut made = String::new();
        for _ in 0..count {
            let docs = if self.random.chance(20) { format!("  /// {}\n", self.name()) } else { String::new() };
            made.push_str(&format!("{docs}  {}?: {}\n", self.field(), self.ty()));
        }
        made
    }

    /// Parameters: one that must be given, and others.
    fn parameters(&mut self) -> (String, String) {
        let needed = self.name();
        let mut made = format!("{needed}: string");
        for _ in 0..self.random.below(3) {
            made.push_str(&format!(", {}?: {}", self.field(), self.ty()));
        }
        (made, needed)
    }

    fn topic(&mut self) -> String {
        let mut segment = || {
            let word: String = self.name().to_ascii_lowercase();
            word.chars().take(60).collect::<String>()
        };
        format!("{}.{}", segment(), segment())
    }

    /// A type or an error.
    fn shape(&mut self) -> Made {
        let name = self.name();
        let docs = if self.random.chance(20) { format!("/// {} */ \"\"\" `\n", self.name()) } else { String::new() };
        let mut kind = Kind::Type;
        let text = match self.random.below(7) {
            0 => {
                let values: Vec<String> = (0..2 + self.random.below(4))
                    .map(|_| {
                        let value = self.name();
                        if self.random.chance(25) { format!("{value} = {}", json!(self.random.pick(&TEXTS))) } else { value }
                    })
                    .collect();
                format!("enum {name} {{ {} }}", values.join(", "))
            }
            1 => {
                let tag = if self.random.chance(50) { format!(" by {}", self.name()) } else { String::new() };
                let variants: Vec<String> =
                    (0..2 + self.random.below(3)).map(|_| format!("  {}: {{\n{}  }}", self.name(), self.fields())).collect();
                format!("union {name}{tag} {{\n{}\n}}", variants.join("\n"))
            }
            2 => format!("type {name} = {}", self.ty()),
            3 => {
                kind = Kind::Error;
                format!("error {name} {{\n{}}}", self.fields())
            }
            _ => format!("type {name} {{\n{}}}", self.fields()),
        };
        Made { text: format!("{docs}{text}"), kind, name, needed: String::new() }
    }

    fn event(&mut self) -> Made {
        let (topic, needed) = (self.topic(), self.name());
        let external = if self.random.chance(30) { "external " } else { "" };
        let text = format!("{external}event {topic} {{ {needed}: string\n{}}}", self.fields());
        Made { text, kind: Kind::Event, name: topic, needed }
    }

    fn tool(&mut self) -> Made {
        let name = self.name();
        let (parameters, needed) = self.parameters();
        let kind = ["", "", "", "", "signal ", "interaction "][self.random.below(6)];
        let mut settings = String::new();
        if kind.is_empty() {
            if self.random.chance(30) {
                settings.push_str(&format!(" progress {{ {}: string }}", self.field()));
            }
            if self.random.chance(30) {
                settings.push_str(&format!("\n artifacts {{ {}: string }}", self.field()));
            }
            if let Some((error, _)) = self.one(Kind::Error).filter(|_| self.random.chance(50)) {
                settings.push_str(&format!("\n fails [{error}, unavailable]"));
            }
            if self.random.chance(20) {
                settings.push_str("\n deferred { deadline 2d }");
            }
            if self.random.chance(20) {
                settings.push_str(&format!("\n action \"{{{{.{needed}}}}}\""));
            }
        }
        let output = match self.random.below(3) {
            _ if kind == "signal " => String::new(),
            0 => format!(" -> {{ {}: string }}", self.field()),
            1 => format!(" -> {}", self.ty()),
            _ => String::new(),
        };
        // What is only decoded cannot be called by a step.
        let known = if kind.is_empty() { Kind::Tool } else { Kind::Other };
        Made { text: format!("{kind}tool {name}({parameters}){output} {{{settings}\n}}"), kind: known, name, needed }
    }

    fn prompt(&mut self) -> Made {
        let (name, needed) = (self.name(), self.name());
        let (hydrates, text) = match self.random.chance(40) {
            true => {
                let found = self.name();
                (format!(" hydrates {{ {found}: string }}"), format!("{{{{.{found}}}}}"))
            }
            false => (String::new(), String::new()),
        };
        let text = format!("prompt {name}({needed}: string){hydrates} \"\"\"\n  {{{{.{needed}}}}} {text} `${{x}}` */\n  \"\"\"");
        Made { text, kind: Kind::Prompt, name, needed }
    }

    fn agent(&mut self) -> Made {
        let name = self.name();
        let Some((prompt, needed)) = self.one(Kind::Prompt) else { return self.prompt() };
        let offered = match self.one(Kind::Tool).filter(|_| self.random.chance(50)) {
            Some((tool, _)) => format!("\n  tools [{tool}]"),
            None => String::new(),
        };
        let text =
            format!("agent {name}({needed}: string) -> {{ {}: string }} {{\n  model mini\n  prompt {prompt}{offered}\n}}", self.name());
        Made { text, kind: Kind::Agent, name, needed }
    }

    fn toolkit(&mut self) -> Made {
        let name = self.name();
        let mut tools: Vec<String> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if let Some((tool, _)) = self.one(Kind::Tool) {
                tools.push(if self.random.chance(40) { format!("{tool} as {}", self.name()) } else { tool });
            }
        }
        Made { text: format!("toolkit {name} {{ tools [{}] }}", tools.join(", ")), kind: Kind::Other, name, needed: String::new() }
    }

    fn workflow(&mut self) -> Made {
        let (name, needed) = (self.name(), self.name());
        let mut nodes = String::new();
        let mut before = String::new();
        for _ in 0..1 + self.random.below(3) {
            let step = self.name();
            let (word, kind) = *self.random.pick(&[("call", Kind::Tool), ("ask", Kind::Agent), ("run", Kind::Workflow)]);
            let on = if before.is_empty() { String::new() } else { format!(" on {before}") };
            let action = match self.one(kind) {
                None => "wait 1h".to_owned(),
                Some((callee, parameter)) => format!("{word} {callee} {{ {parameter}: .input.{needed} }}"),
            };
            nodes.push_str(&format!("  step {step}{on} {{ {action} }}\n"));
            before = step;
        }
        if let Some((topic, field)) = self.one(Kind::Event).filter(|_| self.random.chance(50)) {
            nodes
                .push_str(&format!("  step {} on {before} {{ emit {topic} {{ {field}: \"a {{{{.input.{needed}}}}}\" }} }}\n", self.name()));
        }
        let (end, fail) = (self.name(), self.name());
        let text = format!(
            "workflow {name}({needed}: string) {{\n{nodes}  end {end} on {before}\n  fail {fail} on failure({before}) = \"no\"\n}}"
        );
        Made { text, kind: Kind::Workflow, name, needed }
    }
}

/// A program of so many files, each with so many declarations. What the compiler refuses is left out: that is what it is for.
///
/// # Panics
///
/// If hardly anything can be declared.
#[must_use]
pub fn hostile(seed: u64, files: usize, declarations: usize, words: &[Vec<String>; 2]) -> Hostile {
    let mut random = Random::new(seed);
    let mut program = Program::default();
    let mut declared = BTreeMap::new();
    let mut first: Option<(String, String)> = None;
    for _ in 0..files {
        let mut maker = Maker::new(random.number(), words);
        let mut text = String::new();
        // The name of a file is that of a package.
        let name = loop {
            let name = format!("{}.weave", maker.name().to_ascii_lowercase().chars().take(40).collect::<String>());
            if !program.files.contains_key(&name) {
                break name;
            }
        };
        // Files know of no others but the first one.
        let mut others = Program::default();
        if let Some((path, ty)) = first.as_ref().filter(|_| maker.random.chance(50)) {
            let alias = maker.name();
            let import = format!("import {{ {ty} as {alias} }} from \"./{path}\"\n\n");
            let beside = Program::default().with(path, &program.files[path]);
            if is_fine(&beside.clone().with(&name, &import)) {
                (text, others) = (import, beside);
                maker.types.push(alias);
            }
        }
        let mut added = 0;
        for attempt in 0..declarations * 8 {
            if added == declarations {
                break;
            }
            let made = match attempt % 9 {
                0..=2 => maker.shape(),
                3 => maker.event(),
                4 => maker.tool(),
                5 => maker.prompt(),
                6 => maker.agent(),
                7 => maker.toolkit(),
                _ => maker.workflow(),
            };
            if is_fine(&others.clone().with(&name, &format!("{text}{}\n", made.text))) {
                *declared.entry(format!("{:?}", made.kind)).or_default() += 1;
                match made.kind {
                    Kind::Type => maker.types.push(made.name),
                    kind => maker.known.entry(kind).or_default().push((made.name, made.needed)),
                }
                text.push_str(&format!("{}\n\n", made.text));
                added += 1;
            }
        }
        assert!(added * 2 > declarations, "of {declarations} declarations, {added} can be made:\n{text}");
        if let Some(ty) = maker.types.last().filter(|_| first.is_none()) {
            first = Some((name.clone(), ty.clone()));
        }
        program = program.with(&name, &text);
    }
    Hostile { program, declared }
}

fn is_fine(program: &Program) -> bool {
    program.check().snapshot.diagnostics().iter().all(|it| !it.is_error())
}
