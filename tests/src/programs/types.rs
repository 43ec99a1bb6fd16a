//! The types of a random program, and what they are called in its text.

use std::rc::Rc;

use crate::random::Random;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Text,
    Bool,
    Int,
    Int64,
    Float,
    Decimal,
    Duration,
    Timestamp,
    Json,
    /// A union of literals.
    Word(&'static [&'static str]),
    /// A declared record, by its place.
    Record(usize),
    /// A declared tagged union of declared records; the tag is `kind`.
    Union(usize),
    List(Rc<Type>),
    Map(Rc<Type>),
    Nullable(Rc<Type>),
}

/// A field of a record, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) of: Type,
    /// It may be absent.
    pub(super) optional: bool,
}

/// The declared types of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    pub(super) records: Vec<Vec<Field>>,
    /// Tags with the places of their records.
    pub(super) unions: Vec<Vec<(&'static str, usize)>>,
}

const WORDS: [&[&str]; 3] = [&["low", "high"], &["refund", "question", "other"], &["a", "b", "c"]];
const NAMES: [&str; 14] =
    ["id", "note", "count", "total", "ok", "urls", "items", "score", "inner", "label", "until", "pause", "extra", "tier"];

impl Types {
    pub(super) fn new(random: &mut Random) -> Self {
        let mut types = Self::default();
        for _ in 0..2 + random.below(3) {
            let count = 1 + random.below(4);
            let fields = types.fields(random, count);
            types.records.push(fields);
        }
        if random.chance(40) {
            let tags = ["card", "wire", "cash"];
            let count = 2 + random.below(2);
            types.unions.push(tags.iter().take(count).map(|tag| (*tag, random.below(types.records.len()))).collect());
        }
        types
    }

    /// Some fields of types that are declared so far.
    pub(super) fn fields(&self, random: &mut Random, count: usize) -> Vec<Field> {
        let mut names = NAMES.to_vec();
        random.shuffle(&mut names);
        let field = |name: &&str| Field { name: (*name).to_owned(), of: self.any(random), optional: random.chance(20) };
        names.iter().take(count).map(field).collect()
    }

    /// Some type.
    pub(super) fn any(&self, random: &mut Random) -> Type {
        match random.below(30) {
            0..=6 => Type::Text,
            7..=9 => Type::Bool,
            10..=13 => Type::Int,
            14 => Type::Int64,
            15 => Type::Float,
            16 => Type::Decimal,
            17 => Type::Duration,
            18 | 19 => {
                if random.chance(60) {
                    Type::Timestamp
                } else {
                    Type::Json
                }
            }
            20 | 21 => Type::Word(WORDS[random.below(WORDS.len())]),
            22 => Type::List(Rc::new(self.record_or_text(random))),
            23 => Type::List(Rc::new(Type::Text)),
            24 => Type::Map(Rc::new(Type::Int)),
            25 => Type::Nullable(Rc::new(self.record_or_text(random))),
            26 if !self.unions.is_empty() => Type::Union(random.below(self.unions.len())),
            _ => self.record_or_text(random),
        }
    }

    fn record_or_text(&self, random: &mut Random) -> Type {
        if self.records.is_empty() { Type::Text } else { Type::Record(random.below(self.records.len())) }
    }

    /// A type as it is written.
    pub(super) fn name(&self, of: &Type) -> String {
        match of {
            Type::Text => "string".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Int64 => "int64".to_owned(),
            Type::Float => "float".to_owned(),
            Type::Decimal => "decimal".to_owned(),
            Type::Duration => "duration".to_owned(),
            Type::Timestamp => "timestamp".to_owned(),
            Type::Json => "json".to_owned(),
            Type::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | "),
            Type::Record(place) => format!("Record{place}"),
            Type::Union(place) => format!("Union{place}"),
            Type::List(of) if matches!(**of, Type::Word(_) | Type::Nullable(_)) => format!("({})[]", self.name(of)),
            Type::List(of) => format!("{}[]", self.name(of)),
            Type::Map(of) => format!("map<{}>", self.name(of)),
            Type::Nullable(of) => format!("{} | null", self.name(of)),
        }
    }

    /// Fields or parameters as they are written.
    pub(super) fn list(&self, fields: &[Field]) -> String {
        let field = |field: &Field| format!("{}{}: {}", field.name, if field.optional { "?" } else { "" }, self.name(&field.of));
        fields.iter().map(field).collect::<Vec<_>>().join(", ")
    }

    /// The declarations.
    pub(super) fn text(&self) -> Vec<String> {
        let records = self.records.iter().enumerate().map(|(place, fields)| format!("type Record{place} {{ {} }}", self.list(fields)));
        let unions = self.unions.iter().enumerate().map(|(place, variants)| {
            let variants = variants.iter().map(|(tag, record)| format!("{tag}: Record{record}")).collect::<Vec<_>>();
            format!("union Union{place} {{ {} }}", variants.join(", "))
        });
        records.chain(unions).collect()
    }
}
