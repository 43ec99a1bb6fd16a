//! Values, paths and guards of a random program: what a node writes about what it can read.

use super::types::{Field, Type, Types};
use crate::random::Random;

/// What a node can read.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// The steps that have answered for sure, and the roots that are always there.
    pub(super) sure: Vec<(String, Type)>,
    /// The steps that may have answered.
    pub(super) perhaps: Vec<(String, Type)>,
    pub(super) event: Option<Type>,
    /// It stands behind a failure.
    pub(super) failure: bool,
    /// The element of the fan-out.
    pub(super) element: Option<(String, Type)>,
}

/// A path that can be read.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) text: String,
    pub(super) of: Type,
    /// There may be nothing.
    pub(super) optional: bool,
}

/// Writes values.
pub(super) struct Writer<'w> {
    pub(super) types: &'w Types,
    pub(super) random: &'w mut Random,
    /// How many of a hundred reads disregard what is known.
    pub(super) daring: usize,
}

impl Scope {
    /// The same scope behind a step with this answer.
    pub(super) fn with(&self, step: &str, answer: Type) -> Self {
        let mut scope = self.clone();
        scope.sure.retain(|(name, _)| name != step);
        scope.sure.push((step.to_owned(), answer.clone()));
        Self { event: Some(answer), failure: false, element: None, ..scope }
    }

    /// The same scope without the value that fired the node.
    pub(super) fn without_event(&self) -> Self {
        Self { event: None, failure: false, element: None, ..self.clone() }
    }
}

impl Writer<'_> {
    /// All that can be read.
    pub(super) fn readings(&mut self, scope: &Scope) -> Vec<Reading> {
        let mut found = Vec::new();
        let add = |found: &mut Vec<Reading>, root: &str, of: &Type, optional| {
            found.push(Reading { text: format!(".{root}"), of: of.clone(), optional });
        };
        for (root, of) in &scope.sure {
            add(&mut found, root, of, false);
            if root != "input" && self.random.chance(5) {
                found.push(Reading { text: format!(".{root}[]"), of: Type::List(of.clone().into()), optional: false });
            }
        }
        for (root, of) in &scope.perhaps {
            if !scope.sure.iter().any(|(name, _)| name == root) {
                let daring = self.random.chance(self.daring);
                if daring || self.random.chance(10) {
                    add(&mut found, root, of, !daring);
                } else if self.random.chance(5) {
                    found.push(Reading { text: format!(".{root}[]"), of: Type::List(of.clone().into()), optional: false });
                }
            }
        }
        scope.event.iter().for_each(|of| add(&mut found, "event", of, false));
        scope.element.iter().for_each(|(name, of)| add(&mut found, name, of, false));
        if scope.failure {
            for part in ["kind", "code", "message"] {
                add(&mut found, &format!("failure.{part}"), &Type::Text, false);
            }
        }
        let mut next = 0;
        while let Some(reading) = found.get(next).cloned().filter(|_| found.len() < 300) {
            next += 1;
            self.below(&reading, &mut found);
        }
        found
    }

    fn below(&mut self, reading: &Reading, found: &mut Vec<Reading>) {
        if reading.text.matches(['.', '[']).count() > 3 || reading.text.ends_with(']') && reading.text.contains("[]") {
            return;
        }
        let (of, mark) = match &reading.of {
            Type::Nullable(of) => (&**of, "?"),
            of if reading.optional => (of, "?"),
            of => (of, ""),
        };
        let mark = if mark == "?" && self.random.chance(self.daring / 2) { "" } else { mark };
        let optional = mark == "?";
        match of {
            Type::Record(place) => {
                for field in self.types.records.get(*place).into_iter().flatten() {
                    let text = format!("{}{mark}.{}", reading.text, field.name);
                    found.push(Reading { text, of: field.of.clone(), optional: optional || field.optional });
                }
            }
            Type::Union(_) if !optional => {
                let words: &[&str] = &["card", "wire", "cash"];
                let count = self.types.unions.first().map_or(0, Vec::len);
                found.push(Reading { text: format!("{}.kind", reading.text), of: Type::Word(&words[..count]), optional: false });
            }
            Type::List(of) if self.random.chance(20) => {
                found.push(Reading { text: format!("{}{mark}[0]", reading.text), of: (**of).clone(), optional: true });
            }
            _ => {}
        }
    }

    fn pick(&mut self, readings: &[Reading], fits: impl Fn(&Reading) -> bool) -> Option<Reading> {
        let fitting: Vec<_> = readings.iter().filter(|reading| fits(reading)).collect();
        let place = self.random.below(fitting.len());
        fitting.get(place).map(|reading| (*reading).clone())
    }

    /// A value of a type; none if it is left out.
    pub(super) fn value(&mut self, scope: &Scope, field: &Field) -> Option<String> {
        if field.optional && self.random.chance(30) {
            return None;
        }
        let readings = self.readings(scope);
        Some(self.of(&readings, &field.of, field.optional, 0))
    }

    /// A value of a type that must be there.
    pub(super) fn required(&mut self, scope: &Scope, of: &Type) -> String {
        let readings = self.readings(scope);
        self.of(&readings, of, false, 0)
    }

    fn of(&mut self, readings: &[Reading], of: &Type, optional: bool, depth: usize) -> String {
        let inner = if let Type::Nullable(of) = of { of } else { of };
        let nullable = optional || of != inner;
        if self.random.chance(75)
            && let Some(reading) = self.pick(readings, |reading| {
                let bare = if let Type::Nullable(bare) = &reading.of { bare } else { &reading.of };
                bare == inner || *inner == Type::Json
            })
        {
            let may_lack = reading.optional || matches!(reading.of, Type::Nullable(_)) && *inner != Type::Json;
            if !may_lack || self.random.chance(self.daring) {
                return reading.text;
            }
            if nullable
                && self.random.chance(60)
                && (optional || !reading.optional)
                && (of != inner || !matches!(reading.of, Type::Nullable(_)))
            {
                return marked(reading.text, reading.optional);
            }
            if let Some(default) = self.scalar(inner) {
                return format!("{} ?? {default}", reading.text);
            }
        }
        if of != inner && self.random.chance(30) {
            return "null".to_owned();
        }
        if *inner == Type::Text && self.random.chance(50) {
            return self.template(readings);
        }
        self.literal(readings, inner, depth)
    }

    /// A literal of a type that is written in one word.
    fn scalar(&mut self, of: &Type) -> Option<String> {
        let number = self.random.below(7);
        Some(match of {
            Type::Text => format!("\"t{number}\""),
            Type::Bool => number.is_multiple_of(2).to_string(),
            Type::Int => number.to_string(),
            Type::Int64 => format!("\"{number}\""),
            Type::Float => format!("{number}.5"),
            Type::Decimal => format!("\"{number}.25\""),
            Type::Duration => "\"PT90S\"".to_owned(),
            Type::Timestamp => "\"2027-01-31T12:00:00Z\"".to_owned(),
            Type::Word(words) => format!("\"{}\"", words[number % words.len()]),
            _ => return None,
        })
    }

    fn literal(&mut self, readings: &[Reading], of: &Type, depth: usize) -> String {
        if let Some(literal) = self.scalar(of) {
            return literal;
        }
        match of {
            Type::Record(place) => {
                let entries = self.entries(readings, &self.types.records[*place], depth);
                format!("{{ {entries} }}")
            }
            Type::Union(place) => {
                let variants = &self.types.unions[*place];
                let (tag, record) = variants[self.random.below(variants.len())];
                let entries = self.entries(readings, &self.types.records[record], depth);
                format!("{{ kind: \"{tag}\"{}{entries} }}", if entries.is_empty() { "" } else { ", " })
            }
            Type::List(of) if depth < 3 => {
                let items: Vec<_> = (0..self.random.below(3)).map(|_| self.of(readings, of, false, depth + 1)).collect();
                format!("[{}]", items.join(", "))
            }
            Type::List(_) => "[]".to_owned(),
            Type::Map(of) => format!("{{ one: {} }}", self.of(readings, of, false, depth + 1)),
            _ => "null".to_owned(),
        }
    }

    fn entries(&mut self, readings: &[Reading], fields: &[Field], depth: usize) -> String {
        let mut entries = Vec::new();
        for field in fields {
            if !(field.optional && (depth > 2 || self.random.chance(40))) {
                entries.push(format!("{}: {}", field.name, self.of(readings, &field.of, field.optional, depth + 1)));
            }
        }
        entries.join(", ")
    }

    /// Arguments or a payload.
    pub(super) fn arguments(&mut self, scope: &Scope, fields: &[Field]) -> String {
        let mut entries = Vec::new();
        for field in fields {
            entries.extend(self.value(scope, field).map(|value| format!("{}: {value}", field.name)));
        }
        if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
    }

    /// A text with placeholders.
    fn template(&mut self, readings: &[Reading]) -> String {
        let mut text = String::from("about");
        for _ in 0..1 + self.random.below(2) {
            let Some(reading) = self.pick(readings, |_| true) else { break };
            let default = if reading.optional || matches!(reading.of, Type::Nullable(_)) { " ?? \"none\"" } else { "" };
            text += &format!(" {{{{{}{default}}}}}", reading.text);
        }
        format!("\"{text}\"")
    }

    /// The message of a failed run.
    pub(super) fn message(&mut self, scope: &Scope) -> String {
        let readings = self.readings(scope);
        self.template(&readings)
    }

    /// A list to fan out over, with the type of its elements.
    pub(super) fn list(&mut self, scope: &Scope) -> Option<(String, Type)> {
        let readings = self.readings(scope);
        let reading = self.pick(&readings, |reading| matches!(reading.of, Type::List(_)) && !reading.optional)?;
        let Type::List(of) = &reading.of else { return None };
        Some((reading.text, (**of).clone()))
    }

    /// A path to a value of this type that is there for sure.
    pub(super) fn path(&mut self, scope: &Scope, of: &Type) -> Option<String> {
        let readings = self.readings(scope);
        self.pick(&readings, |reading| reading.of == *of && !reading.optional).map(|reading| reading.text)
    }

    /// A guard, and whether it is known to be total: its opposite holds whenever it does not.
    pub(super) fn guard(&mut self, scope: &Scope) -> Option<String> {
        let readings = self.readings(scope);
        let first = self.test(&readings)?;
        if !self.random.chance(25) {
            return Some(first);
        }
        let second = self.test(&readings)?;
        Some(match self.random.below(4) {
            0 | 1 => format!("({first}) && ({second})"),
            2 => format!("({first}) || ({second})"),
            _ => format!("!(({first}) && {second})"),
        })
    }

    fn test(&mut self, readings: &[Reading]) -> Option<String> {
        let reading = self.pick(readings, |reading| !matches!(reading.of, Type::Json))?;
        let (path, number) = (&reading.text, self.random.below(5));
        let (of, may_lack) = match &reading.of {
            Type::Nullable(of) => (&**of, true),
            of => (of, reading.optional),
        };
        let form = self.random.below(6);
        if may_lack && form < 2 {
            return Some(if form == 0 { format!("{} != null", marked(path.clone(), reading.optional)) } else { format!("has({path})") });
        }
        let test = match (of, form) {
            (Type::Bool, 0..=2) => path.clone(),
            (Type::Bool, _) => format!("!{path}"),
            (Type::Int, 0..=2) => format!("{path} > {number}"),
            (Type::Int, 3) => format!("{path} % 2 == 0"),
            (Type::Int, 4) => format!("10 / {path} > 1"),
            (Type::Int, _) => format!("{path} + {number} <= 4 - {path}"),
            (Type::Float, _) => format!("{path} < {number}.5"),
            (Type::Decimal, _) => format!("{path} >= \"{number}.5\""),
            (Type::Int64, _) => format!("{path} != \"{number}\""),
            (Type::Text, 0) => format!("{path} == \"t{number}\""),
            (Type::Text, 1) => format!("{path}.contains(\"a\")"),
            (Type::Text, 2) => format!("{path}.matches(\"^t[0-9]\")"),
            (Type::Text, 3) => format!("{path} in [\"t1\", \"a\"]"),
            (Type::Text, _) => format!("size({path}) > {number}"),
            (Type::Word(words), 0..=3) => format!("{path} == \"{}\"", words[number % words.len()]),
            (Type::Word(words), _) => format!("!({path} in [\"{}\"])", words[number % words.len()]),
            (Type::List(of), 0..=2) if **of == Type::Text => format!("{path}.exists(item, item.startsWith(\"t\"))"),
            (Type::List(of), 3) if **of == Type::Text => format!("{path}.all(item, size(item) > {number})"),
            (Type::List(_) | Type::Map(_), _) => format!("size({path}) > {number}"),
            (Type::Duration, _) => format!("{path} > \"PT{number}S\""),
            (Type::Timestamp, _) => format!("{path} < \"2027-01-0{}T00:00:00Z\"", number + 1),
            (Type::Record(_), _) => return None,
            (Type::Union(place), _) if !may_lack => self.narrowed(path, *place),
            _ => return None,
        };
        if !may_lack || self.random.chance(self.daring) {
            return Some(test);
        }
        let there =
            if self.random.chance(50) { format!("has({path})") } else { format!("{} != null", marked(path.clone(), reading.optional)) };
        Some(format!("{there} && ({test})"))
    }

    /// A test of a field that only one variant of a union has.
    fn narrowed(&mut self, path: &str, place: usize) -> String {
        let variants = &self.types.unions[place];
        let (tag, record) = variants[self.random.below(variants.len())];
        let is_tag = format!("{path}.kind == \"{tag}\"");
        let numbers = self.types.records[record].iter().find(|field| field.of == Type::Int && !field.optional);
        numbers.map_or_else(|| is_tag.clone(), |field| format!("{is_tag} && {path}.{} > 1", field.name))
    }
}

/// A path that stands alone, with the mark that says that there may be nothing of its root.
fn marked(path: String, optional: bool) -> String {
    let is_root = optional && !path[1..].contains(['.', '[', '?']);
    if is_root { format!("{path}?") } else { path }
}
