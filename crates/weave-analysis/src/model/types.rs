//! Types as data.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use weave_diagnostics::Place;

use super::DeclarationId;
use super::declarations::TargetNames;

/// A type. Cheap to clone; two types are equal if they were written alike, with named types compared by declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Something that is wrong and has been reported: it fits everything and everything fits it.
    Unknown,
    /// Any JSON value.
    Json,
    /// `null`.
    Null,
    /// A scalar, with its constraints.
    Scalar(Scalar, Option<Arc<Limits>>),
    /// One value.
    Literal(Literal),
    /// `T[]`.
    List(Arc<ListType>),
    /// `map<T>`.
    Map(Arc<MapType>),
    /// A record that was written out.
    Record(Arc<RecordType>),
    /// Either of several; flat, without duplicates, at least two.
    Union(Arc<[Type]>),
    /// A declared type, enum, tagged union, or the data of a declared error.
    Named(DeclarationId),
}

/// The scalars of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Text.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number within ±(2^53−1).
    Int,
    /// A whole number of 64 bits, a string on the wire.
    Int64,
    /// A finite double.
    Float,
    /// A decimal number of any precision, a string on the wire.
    Decimal,
    /// Bytes, standard base64 on the wire.
    Bytes,
    /// A point in time, RFC 3339.
    Timestamp,
    /// A calendar date, RFC 3339.
    Date,
    /// A length of time, ISO 8601.
    Duration,
    /// A UUID.
    Uuid,
    /// A URI.
    Uri,
    /// An e-mail address.
    Email,
}

impl Scalar {
    /// All scalars.
    pub const ALL: [Self; 13] = [
        Self::String,
        Self::Bool,
        Self::Int,
        Self::Int64,
        Self::Float,
        Self::Decimal,
        Self::Bytes,
        Self::Timestamp,
        Self::Date,
        Self::Duration,
        Self::Uuid,
        Self::Uri,
        Self::Email,
    ];

    /// The name in the language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Int64 => "int64",
            Self::Float => "float",
            Self::Decimal => "decimal",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Date => "date",
            Self::Duration => "duration",
            Self::Uuid => "uuid",
            Self::Uri => "uri",
            Self::Email => "email",
        }
    }

    /// Whether a value is a string on the wire, although it is something else in the language.
    #[must_use]
    pub const fn is_text_on_wire(self) -> bool {
        matches!(self, Self::Int64 | Self::Decimal | Self::Bytes | Self::Timestamp | Self::Date | Self::Duration)
    }

    /// The scalar of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }
}

/// The constraints of a scalar: of its value where it is a number, of its length where it is text or bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The least value or length.
    pub min: Option<Bound>,
    /// The greatest value or length.
    pub max: Option<Bound>,
    /// A regular expression that a part of the text must match.
    pub pattern: Option<Arc<str>>,
}

/// A bound, exact: as it was written, in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// A number.
    Number(serde_json::Number),
    /// The text of a decimal, int64, timestamp, date or duration.
    Text(Arc<str>),
}

/// A literal type.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A string.
    String(Arc<str>),
    /// A number.
    Number(serde_json::Number),
    /// `true` or `false`.
    Bool(bool),
}

/// `T[]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListType {
    /// The type of the items.
    pub item: Type,
    /// The least number of items.
    pub min: Option<u64>,
    /// The greatest number of items.
    pub max: Option<u64>,
    /// Whether no two items may be equal.
    pub unique: bool,
}

impl ListType {
    /// A list without constraints.
    #[must_use]
    pub const fn of(item: Type) -> Self {
        Self { item, min: None, max: None, unique: false }
    }
}

/// `map<T>`.
#[derive(Clone, Debug, PartialEq)]
pub struct MapType {
    /// The type of the values.
    pub value: Type,
    /// The least number of entries.
    pub min: Option<u64>,
    /// The greatest number of entries.
    pub max: Option<u64>,
}

/// The fields of a record, of parameters, or of an error's data.
#[derive(Clone, Default)]
pub struct RecordType {
    /// The fields in the order of the text.
    pub fields: Box<[FieldType]>,
    /// Whether other fields may be there too.
    pub open: bool,
    /// The positions of the fields, made when a long record is first asked for one.
    index: OnceLock<Box<FieldIndex>>,
}

/// The positions of fields by their names.
#[derive(Clone, Debug)]
struct FieldIndex {
    by_name: FxHashMap<Arc<str>, usize>,
    by_wire_name: FxHashMap<Arc<str>, usize>,
}

/// Without what is only made when it is asked for: two records that are equal look alike.
impl fmt::Debug for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordType").field("fields", &self.fields).field("open", &self.open).finish()
    }
}

impl PartialEq for RecordType {
    fn eq(&self, other: &Self) -> bool {
        self.open == other.open && self.fields == other.fields
    }
}

impl RecordType {
    /// Records with more fields are looked up through a table.
    const SHORT: usize = 16;

    /// A record with these fields.
    #[must_use]
    pub const fn new(fields: Box<[FieldType]>, open: bool) -> Self {
        Self { fields, open, index: OnceLock::new() }
    }

    /// The field of this name in the language.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&FieldType> {
        self.fields.get(self.position(name)?)
    }

    /// The position of the field of this name in the language.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        if self.fields.len() <= Self::SHORT {
            return self.fields.iter().position(|field| *field.name == *name);
        }
        self.index().by_name.get(name).copied()
    }

    /// The field of this name in JSON.
    #[must_use]
    pub fn field_on_wire(&self, name: &str) -> Option<&FieldType> {
        if self.fields.len() <= Self::SHORT {
            return self.fields.iter().find(|field| field.wire_name() == name);
        }
        self.fields.get(*self.index().by_wire_name.get(name)?)
    }

    fn index(&self) -> &FieldIndex {
        self.index.get_or_init(|| {
            let mut index = FieldIndex { by_name: FxHashMap::default(), by_wire_name: FxHashMap::default() };
            // Of two fields of one name, which have been reported, the first one counts.
            for (position, field) in self.fields.iter().enumerate().rev() {
                index.by_name.insert(Arc::clone(&field.name), position);
                index.by_wire_name.insert(Arc::clone(field.wire.as_ref().unwrap_or(&field.name)), position);
            }
            Box::new(index)
        })
    }
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldType {
    /// The name in the language.
    pub name: Arc<str>,
    /// The name on the wire, if `@wire` says another.
    pub wire: Option<Arc<str>>,
    /// The type.
    pub ty: Type,
    /// Whether it may be absent. A field with a default is never absent for a reader, and may be left out by a writer.
    pub optional: bool,
    /// The default; few fields have one, and a value takes more room than all else here.
    pub default: Option<Box<Json>>,
    /// What the model reads about it.
    pub docs: Option<Arc<str>>,
    /// `@secret`.
    pub secret: bool,
    /// `@deprecated`, with its reason.
    pub deprecated: Option<Arc<str>>,
    /// What generated code calls it.
    pub target_names: TargetNames,
    /// Where its name stands.
    pub place: Place,
    /// Where its type stands; its name, if the type was not written.
    pub ty_place: Place,
}

impl FieldType {
    /// The name in JSON.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        self.wire.as_deref().unwrap_or(&self.name)
    }

    /// Whether whoever writes the record may leave it out.
    #[must_use]
    pub const fn may_be_left_out(&self) -> bool {
        self.optional || self.default.is_some()
    }
}
