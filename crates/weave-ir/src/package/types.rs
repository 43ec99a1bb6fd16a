//! Types as they were written.

use serde_json::{Number, Value};

use super::{About, Names};
use crate::{Category, Schema};

/// A named type: one that was declared, or a record that was written in place and got its name from where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDeclaration {
    /// What identifies it in its package.
    pub name: String,
    /// What it is called.
    pub names: Names,
    /// What is said about it.
    pub about: About,
    /// What it is.
    pub shape: Shape,
    /// Its JSON Schema of draft 2020-12. Named types in it are references to `$defs`; [`super::Definitions`] puts together what needs no
    /// other document.
    pub schema: Schema,
    /// What it is called in `$defs`, where its entry is the schema: declared types have such a name, the same in all packages of a program.
    /// What was written in place has none, and stands in the schemas around it.
    pub definition: Option<String>,
}

impl TypeDeclaration {
    /// The types that it is made of.
    #[must_use]
    pub fn mentioned(&self) -> Vec<&TypeReference> {
        let records: Vec<&Record> = match &self.shape {
            Shape::Record(record) | Shape::Error { data: record, .. } => vec![record],
            Shape::Union { variants, .. } => variants.iter().map(|variant| &variant.record).collect(),
            Shape::Alias(ty) => return ty.mentioned(),
            Shape::Enum(_) => Vec::new(),
        };
        records.into_iter().flat_map(|record| &record.fields).flat_map(|field| field.ty.mentioned()).collect()
    }
}

/// What a named type is.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A record.
    Record(Record),
    /// Another name of a type.
    Alias(TypeUse),
    /// An enum.
    Enum(Vec<EnumValue>),
    /// A tagged union.
    Union {
        /// The tag's name in JSON.
        tag: String,
        /// What the tag is called.
        tag_names: Names,
        /// The variants in the order of the text.
        variants: Vec<Variant>,
    },
    /// The data of an error, with what is said about its kind of trouble.
    Error {
        /// The code of the failure.
        code: String,
        /// What kind of trouble it is.
        category: Option<Category>,
        /// The status of an answer over HTTP.
        status: Option<u16>,
        /// The data.
        data: Record,
    },
}

/// The fields of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The fields in the order of the text.
    pub fields: Vec<Field>,
    /// Whether it may have more than these.
    pub open: bool,
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name in JSON.
    pub wire: String,
    /// What it is called.
    pub names: Names,
    /// What is said about it.
    pub about: About,
    /// The type.
    pub ty: TypeUse,
    /// Whether it may be absent for a reader.
    pub optional: bool,
    /// What a reader finds where a writer left it out.
    pub default: Option<Value>,
    /// Whether it is kept out of logs.
    pub secret: bool,
}

/// A value of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// The string in JSON.
    pub wire: String,
    /// What it is called.
    pub names: Names,
    /// What is said about it.
    pub about: About,
}

/// A variant of a tagged union.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The value of the tag.
    pub wire: String,
    /// What its type is called; no other type of the package has one of these names.
    pub names: Names,
    /// What is said about it.
    pub about: About,
    /// Its fields without the tag, written out.
    pub record: Record,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeUse {
    /// Any JSON value.
    Json,
    /// Null.
    Null,
    /// A scalar.
    Scalar(ScalarUse),
    /// One value.
    Literal(Literal),
    /// A list.
    List(Box<ListUse>),
    /// A map from strings.
    Map(Box<MapUse>),
    /// Either of several, at least two, without duplicates.
    Union(Vec<TypeUse>),
    /// A named type.
    Named(TypeReference),
}

impl TypeUse {
    /// The types that are named in it.
    #[must_use]
    pub fn mentioned(&self) -> Vec<&TypeReference> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(ty) = open.pop() {
            match ty {
                Self::Named(reference) => found.push(reference),
                Self::List(list) => open.push(&list.item),
                Self::Map(map) => open.push(&map.value),
                Self::Union(members) => open.extend(members),
                Self::Json | Self::Null | Self::Scalar(_) | Self::Literal(_) => {}
            }
        }
        found
    }
}

/// A named type of this or another package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeReference {
    /// The package; absent: this one.
    pub package: Option<String>,
    /// Its name there.
    pub name: String,
}

/// A scalar with its constraints: of the value where it is a number or a time, of the length where it is text or bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarUse {
    /// The scalar.
    pub scalar: Scalar,
    /// The least.
    pub min: Option<Bound>,
    /// The greatest.
    pub max: Option<Bound>,
    /// A regular expression that a part of the text must match.
    pub pattern: Option<String>,
}

/// The scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Text.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number within ±(2^53−1).
    Int,
    /// A whole number of 64 bits, a string in JSON.
    Int64,
    /// A finite double.
    Float,
    /// A decimal number of any precision, a string in JSON.
    Decimal,
    /// Bytes, standard base64 in JSON.
    Bytes,
    /// A point in time, RFC 3339 in JSON.
    Timestamp,
    /// A day, `2026-11-21` in JSON.
    Date,
    /// A length of time, ISO 8601 in JSON.
    Duration,
    /// A UUID.
    Uuid,
    /// A URI.
    Uri,
    /// An e-mail address.
    Email,
}

/// A bound, exact.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// Of a number, or of a length.
    Number(Number),
    /// Of what is a string in JSON.
    Text(String),
}

/// A literal type.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A string.
    String(String),
    /// A number.
    Number(Number),
    /// `true` or `false`.
    Bool(bool),
}

/// A list with its constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct ListUse {
    /// The type of the items.
    pub item: TypeUse,
    /// The least number of items.
    pub min: Option<u64>,
    /// The greatest number of items.
    pub max: Option<u64>,
    /// Whether no two items may be equal.
    pub unique: bool,
}

/// A map with its constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct MapUse {
    /// The type of the values.
    pub value: TypeUse,
    /// The least number of entries.
    pub min: Option<u64>,
    /// The greatest number of entries.
    pub max: Option<u64>,
}
