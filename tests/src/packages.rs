//! What the tests of generated code have in common: programs as packages, and values of their types.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use weave_ir::package::{Definitions, Package, TypeDeclaration};

use crate::program::Program;
use crate::{files_below, read, root};

/// Programs that no example is like.
#[must_use]
pub fn fixtures() -> PathBuf {
    root().join("tests/fixtures/codecs")
}

/// Lines for the top of generated files that no language may take for anything else.
pub const HEADER: &str =
    "\nCopyright (c) 2026 \"Example\" */ Ltd. \\ 'all' {{ rights }} `${reserved}`\n\n    SPDX-License-Identifier: MIT\n/* \"\"\" #} --> \n";

/// Whether these lines stand in a file as comments behind the mark, whatever begins a comment.
///
/// # Panics
///
/// If they do not.
pub fn assert_headed(path: &str, contents: &str, sign: &str) {
    let expected: Vec<String> = HEADER.trim_matches('\n').lines().map(|line| format!("{sign} {line}").trim_end().to_owned()).collect();
    let (_, below) = contents.split_once("\n\n").unwrap_or_else(|| panic!("{path}: there is nothing behind the mark"));
    let found: Vec<&str> = below.lines().take(expected.len()).collect();
    assert_eq!(found, expected, "{path}");
    assert!(below.lines().nth(expected.len()).is_none_or(str::is_empty), "{path}: what is behind the lines belongs to them");
}

/// The files of a folder as one program.
#[must_use]
pub fn program(folder: &Path) -> Program {
    let files = files_below(folder, "weave");
    files.iter().fold(Program::default(), |program, path| program.with(&crate::suite::file_name(path), &read(path)))
}

/// The packages of a program without mistakes.
///
/// # Panics
///
/// If it has some.
#[must_use]
pub fn packages(program: &Program) -> Vec<Package> {
    let checked = program.check();
    let errors: Vec<&str> = checked.snapshot.diagnostics().iter().filter(|it| it.is_error()).map(|it| it.message.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    checked.snapshot.packages().expect("what is right can be written")
}

/// A value of a type and what becomes of it.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The type, which `types.weave` declares.
    pub ty: String,
    /// The value.
    pub json: String,
    /// Where it is refused; nothing if it is read.
    pub refused: Option<String>,
    /// Whether the schema has the other verdict.
    pub differs: bool,
    /// Where a key is there twice. Readers that other people wrote do not see that; ours refuse it at that key.
    pub twice: Option<String>,
}

/// Files in a folder that goes away with this value.
#[derive(Debug)]
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with these programs of the tests, and generated files in a folder `gen` beside them; all of them below `place`, which is
    /// empty or ends with `/`.
    ///
    /// # Panics
    ///
    /// If files cannot be written.
    #[must_use]
    pub fn new<'a>(place: &str, generated: impl IntoIterator<Item = (&'a str, &'a str)>, programs: &Path, names: &[&str]) -> Self {
        Self::below(&std::env::temp_dir(), place, generated, programs, names)
    }

    /// The same, in this folder.
    ///
    /// # Panics
    ///
    /// If files cannot be written.
    #[must_use]
    pub fn below<'a>(
        parent: &Path,
        place: &str,
        generated: impl IntoIterator<Item = (&'a str, &'a str)>,
        programs: &Path,
        names: &[&str],
    ) -> Self {
        let folder = Self(tempfile::tempdir_in(parent).expect("a temporary folder can be made"));
        for (path, contents) in generated {
            folder.write(&format!("{place}gen/{path}"), contents);
        }
        for name in names {
            folder.write(&format!("{place}{name}"), &read(&programs.join(name)));
        }
        folder
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("the temporary folder can be written");
        std::fs::write(path, text).expect("the temporary folder can be written");
    }
}

/// What a program in another language says of each vector: `run` is told the file with the questions and that for the answers.
///
/// # Panics
///
/// If it does not answer all of them.
#[must_use]
pub fn answers(vectors: &[Vector], folder: &Path, run: impl FnOnce(&str, &str)) -> Vec<Value> {
    ask(vectors.iter().map(|vector| json!({ "type": vector.ty, "json": vector.json })).collect(), folder, run)
}

/// What a program in another language says of each question: `run` is told the file with the questions and that for the answers, which lie
/// below a folder.
///
/// # Panics
///
/// If it does not answer all of them.
#[must_use]
pub fn ask(asked: Vec<Value>, folder: &Path, run: impl FnOnce(&str, &str)) -> Vec<Value> {
    // Of its own: several are asked at the same time.
    let folder = tempfile::tempdir_in(folder).expect("a temporary folder can be made");
    let (from, to) = (folder.path().join("asked.json"), folder.path().join("answered.json"));
    let count = asked.len();
    std::fs::write(&from, Value::from(asked).to_string()).expect("the temporary folder can be written");
    run(&from.to_string_lossy(), &to.to_string_lossy());
    let answers: Vec<Value> = serde_json::from_str(&read(&to)).expect("the answers are JSON");
    assert_eq!(answers.len(), count);
    answers
}

/// The schema that a program in another language puts together for each declared type of the fixture is the one that the packages say; `run` is told
/// what [`answers`] says, with an empty value.
///
/// # Panics
///
/// If one is another.
pub fn assert_schemas(folder: &Path, run: impl FnOnce(&str, &str)) {
    let packages = packages(&program(&fixtures()));
    let definitions = Definitions::new(&packages);
    let types = packages.iter().find(|package| package.name == "types").expect("the package of the fixture");
    let asked = |ty: &TypeDeclaration| Vector { ty: ty.name.clone(), json: String::new(), refused: None, differs: false, twice: None };
    let declared: Vec<&TypeDeclaration> = types.types.iter().filter(|ty| ty.definition.is_some()).collect();
    let vectors: Vec<Vector> = declared.iter().copied().map(asked).collect();
    let mut others = 0;
    for (ty, answer) in declared.into_iter().zip(answers(&vectors, folder, run)) {
        let expected = definitions.document(&types.name, ty);
        others += usize::from(expected.as_value().get("$defs").is_some());
        assert_eq!(answer["schema"], *expected.as_value(), "{}", ty.name);
    }
    assert!(others > 5, "there are few types that refer to others");
}

/// Each vector is read, or refused first at the place that `refused` says.
///
/// # Panics
///
/// If one is not.
pub fn assert_decided(vectors: &[Vector], answers: &[Value], refused: impl Fn(&Vector) -> Option<String>) {
    let mut wrong = Vec::new();
    for (vector, answer) in vectors.iter().zip(answers) {
        let found = match (&answer["ok"], &answer["path"]) {
            (Value::Bool(true), _) => Ok(None),
            (Value::Bool(false), Value::String(path)) => Ok(Some(path.clone())),
            (Value::Bool(false), path @ Value::Array(_)) => Ok(Some(pointer(path))),
            _ => Err(()),
        };
        let expected = refused(vector);
        if found != Ok(expected.clone()) {
            wrong.push(format!("{} {}: expected {expected:?}, found {answer}", vector.ty, vector.json));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The place at which a language refuses a value whose reader is ours: repeated keys are refused there too.
#[must_use]
pub fn refused_by_our_reader(vector: &Vector) -> Option<String> {
    vector.twice.clone().or_else(|| vector.refused.clone())
}

/// The vectors that all languages read, with the answers about them.
pub fn read_by_all<'a>(vectors: &'a [Vector], answers: &'a [Value]) -> impl Iterator<Item = (&'a Vector, &'a Value)> {
    vectors.iter().zip(answers).filter(|(vector, _)| vector.refused.is_none() && vector.twice.is_none())
}

/// What an answer says a value is when it is written again.
#[must_use]
pub fn written_again(answer: &Value) -> String {
    answer["written"].as_str().unwrap_or_default().to_owned()
}

/// Some of the generated files are those of a file in `tests/fixtures`.
///
/// # Panics
///
/// If they are others. With `BLESS` in the environment, the file is written anew, to be reviewed like code.
pub fn assert_shown<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>, shown: &[&str], expectation: &str) {
    let files: std::collections::BTreeMap<&str, &str> = files.into_iter().collect();
    let text = |path: &&str| format!("==== {path}\n{}", files.get(path).unwrap_or_else(|| panic!("`{path}` is not generated")));
    let text = shown.iter().map(text).collect::<String>();
    let path = root().join("tests/fixtures").join(expectation);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("the expectation can be written");
    }
    assert!(text == read(&path), "what is generated for an example has changed; BLESS=1 writes it anew, to be reviewed like code");
}

/// What becomes of the values that are read when they are written again, in their order: `written.txt` beside the vectors.
///
/// # Panics
///
/// If these texts are others. With `BLESS` in the environment, the file is written anew, to be reviewed like code.
pub fn assert_written<'a>(texts: impl Iterator<Item = (&'a Vector, String)>) {
    // Languages in which an `int64` is a number do not know how many zeros stood in front of it, and whether zero had a sign; those in which
    // a decimal is one know its sign and the digits behind its point.
    let plain = |ty: &str, text: String| match (ty, text.trim_matches('"').parse::<i64>()) {
        ("Big", Ok(number)) => format!("\"{number}\""),
        ("Money", _) => without_zeros_in_front(&text),
        _ => text,
    };
    let texts: String = texts.map(|(vector, text)| format!("{} {}\n", vector.ty, plain(&vector.ty, text))).collect();
    let path = fixtures().join("written.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &texts).expect("the expectation can be written");
    }
    for (found, expected) in texts.lines().zip(read(&path).lines()) {
        assert_eq!(found, expected, "another text is written");
    }
    assert_eq!(texts.lines().count(), read(&path).lines().count(), "there are more texts, or fewer; BLESS=1 writes them anew");
}

/// A decimal number in quotes, without the zeros in front of its first digit.
fn without_zeros_in_front(text: &str) -> String {
    let (sign, digits) = text.strip_prefix("\"-").map_or_else(|| ("\"", text.trim_start_matches('"')), |digits| ("\"-", digits));
    let whole = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    let zeros = digits.bytes().take(whole.saturating_sub(1)).take_while(|it| *it == b'0').count();
    format!("{sign}{}", &digits[zeros..])
}

/// The values that all languages are held to.
///
/// # Panics
///
/// If they cannot be read, or are few.
#[must_use]
pub fn vectors() -> Vec<Vector> {
    let mut vectors = Vec::new();
    let mut ty = String::new();
    let mut differs = false;
    let mut twice = None;
    for line in read(&fixtures().join("vectors.txt")).lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (refused, json) = match word {
            "ok" => (None, rest),
            "no" => rest.split_once(' ').map(|(path, json)| (Some(path.replace("(root)", "")), json)).expect("a path and a value"),
            "differs" => {
                differs = true;
                continue;
            }
            "twice" => {
                twice = Some(rest.to_owned());
                continue;
            }
            name => {
                ty = name.to_owned();
                continue;
            }
        };
        vectors.push(Vector { ty: ty.clone(), json: json.to_owned(), refused, differs: std::mem::take(&mut differs), twice: twice.take() });
    }
    assert!(vectors.len() >= 450, "there are only {} values", vectors.len());
    vectors
}

/// A path of names and indices as a JSON pointer.
fn pointer(path: &Value) -> String {
    let parts = path.as_array().expect("a path").iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
    parts.map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect()
}
