//! JSON in and out, the canonical form, and the digest.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::once::Once;
use crate::problem::child;
use crate::{Definition, FORMAT_VERSION, Manifest, Problem, SourceMap, scan};

/// The greatest number of a definition: 2^53−1, up to which every reader of JSON keeps a whole number as it is.
///
/// It bounds numbers with an exponent too: in the canonical form they are written as whole numbers, and nobody could tell them apart.
pub const GREATEST_NUMBER: f64 = 9_007_199_254_740_991.0;

/// How deep the JSON of a definition may be nested.
pub const DEPTH_LIMIT: usize = 1_024;

/// Why a definition could not be read or written.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The text is not JSON, or not of this shape.
    Shape {
        /// Where in the document, such as `nodes[2].when.expr`; empty: the whole.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// The document has no `weave` key at its root.
    NotADefinition,
    /// The document is of another version of its format.
    Version {
        /// The version that it names.
        found: String,
    },
    /// A number beyond ±(2^53−1): readers of JSON would round it.
    UnsafeNumber {
        /// Where, as a JSON pointer, if that is known.
        pointer: Option<String>,
        /// The number.
        number: String,
    },
    /// The JSON is nested deeper than [`DEPTH_LIMIT`].
    TooDeep,
    /// The document says something that it must leave out, or in another order, so its digest would not be that of its meaning.
    NotNormal {
        /// Where, as a JSON pointer.
        pointer: String,
    },
    /// The shape is right and what it says is not.
    Invalid {
        /// What is wrong; never empty.
        problems: Vec<Problem>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { path, message } if path.is_empty() || path == "." => write!(out, "{message}"),
            Self::Shape { path, message } => write!(out, "{path}: {message}"),
            Self::NotADefinition => {
                out.write_str("this is not a workflow definition: it lacks the key `weave` with the version of the format")
            }
            Self::Version { found } => {
                write!(out, "the file is of format {found}, and this program reads format {FORMAT_VERSION}")
            }
            Self::UnsafeNumber { pointer, number } => {
                if let Some(pointer) = pointer {
                    write!(out, "{pointer}: ")?;
                }
                write!(out, "the number {number} is beyond ±(2^53−1), where readers of JSON round")
            }
            Self::TooDeep => write!(out, "the JSON is nested deeper than {DEPTH_LIMIT} levels"),
            Self::NotNormal { pointer } => {
                let place = if pointer.is_empty() { "the definition" } else { pointer };
                write!(out, "{place}: not in the one form that a definition has (a default is written out, or a set is out of order)")
            }
            Self::Invalid { problems } => {
                for (index, problem) in problems.iter().enumerate() {
                    if index > 0 {
                        out.write_str("\n")?;
                    }
                    write!(out, "{problem}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {}

/// `sha256:` and the hexadecimal digest of these bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use fmt::Write;
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Definition {
    /// Reads a definition and checks that it is one: right version, right shape, the one form of its meaning, and sound in itself.
    ///
    /// # Errors
    ///
    /// With the place in the document and what is wrong there.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let value = read_value(text)?;
        expect_version(value.get("weave").ok_or(Error::NotADefinition)?)?;
        let definition: Self = from_value(&value)?;
        let normal = to_value(&definition)?;
        if let Some(pointer) = first_difference(&value, &normal) {
            return Err(Error::NotNormal { pointer });
        }
        let problems = definition.validate();
        if problems.is_empty() { Ok(definition) } else { Err(Error::Invalid { problems }) }
    }

    /// The definition for people: two spaces a level, keys in the order of this crate's types, and a newline at the end.
    ///
    /// # Errors
    ///
    /// If a number in it is beyond ±(2^53−1).
    pub fn to_json_pretty(&self) -> Result<String, Error> {
        pretty(self)
    }

    /// The definition on one line, keys in the order of this crate's types, without a newline at the end.
    ///
    /// # Errors
    ///
    /// If a number in it is beyond ±(2^53−1).
    pub fn to_json_compact(&self) -> Result<String, Error> {
        Ok(to_value(self)?.to_string())
    }

    /// The definition as a JSON value, keys in the order of this crate's types.
    ///
    /// # Errors
    ///
    /// If a number in it is beyond ±(2^53−1).
    pub fn to_json_value(&self) -> Result<Value, Error> {
        to_value(self)
    }

    /// The canonical form (RFC 8785), over which the digest is taken.
    ///
    /// # Errors
    ///
    /// If a number in it is beyond ±(2^53−1).
    pub fn canonical(&self) -> Result<String, Error> {
        serde_json_canonicalizer::to_string(&to_value(self)?).map_err(|error| shape(String::new(), &error))
    }

    /// The digest: `sha256:` and the hexadecimal SHA-256 of the canonical form.
    ///
    /// # Errors
    ///
    /// If a number in it is beyond ±(2^53−1).
    pub fn digest(&self) -> Result<String, Error> {
        Ok(sha256(self.canonical()?.as_bytes()))
    }
}

impl SourceMap {
    /// Reads a source map.
    ///
    /// # Errors
    ///
    /// With the place in the document and what is wrong there.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let value = read_value(text)?;
        expect_version(value.get("version").unwrap_or(&Value::Null))?;
        from_value(&value)
    }

    /// The source map for people: two spaces a level and a newline at the end.
    ///
    /// # Errors
    ///
    /// Never in practice: nothing in it can fail to be written.
    pub fn to_json_pretty(&self) -> Result<String, Error> {
        pretty(self)
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// With the place in the document and what is wrong there.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let value = read_value(text)?;
        expect_version(value.get("version").unwrap_or(&Value::Null))?;
        from_value(&value)
    }

    /// The manifest for people: two spaces a level and a newline at the end.
    ///
    /// # Errors
    ///
    /// Never in practice: nothing in it can fail to be written.
    pub fn to_json_pretty(&self) -> Result<String, Error> {
        pretty(self)
    }
}

fn shape(path: String, error: &dyn fmt::Display) -> Error {
    Error::Shape { path, message: error.to_string() }
}

/// Why a text cannot be read as JSON, and where: `the text ends too early (line 2, column 0)`. The words of the JSON library name the
/// states of its parser; these say what is wrong with the text.
#[must_use]
pub fn why_not_json(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let what = match error.classify() {
        serde_json::error::Category::Eof => "the text ends too early",
        // The reader of a type, not the parser.
        serde_json::error::Category::Data => said.split(" at line ").next().unwrap_or_default(),
        _ if said.starts_with("number out of range") => "a number is too large",
        _ => "the text is not JSON",
    };
    format!("{what} (line {}, column {})", error.line(), error.column())
}

fn not_json(error: &serde_json::Error) -> Error {
    Error::Shape { path: String::new(), message: why_not_json(error) }
}

fn read_value(text: &str) -> Result<Value, Error> {
    scan::check(text)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // The scan has bounded the depth already, and by more than serde's own bound: a program may nest 256 levels of its own.
    deserializer.disable_recursion_limit();
    let value = Once::deserialize(&mut deserializer).map_err(|error| not_json(&error))?.0;
    deserializer.end().map_err(|error| not_json(&error))?;
    Ok(value)
}

/// All formats of this crate are at their first version.
fn expect_version(found: &Value) -> Result<(), Error> {
    match found {
        Value::String(version) if version == FORMAT_VERSION => Ok(()),
        Value::String(version) => Err(Error::Version { found: version.clone() }),
        other => Err(Error::Version { found: other.to_string() }),
    }
}

fn from_value<T: for<'de> Deserialize<'de>>(value: &Value) -> Result<T, Error> {
    serde_path_to_error::deserialize(value).map_err(|error| shape(error.path().to_string(), error.inner()))
}

fn to_value<T: Serialize>(value: &T) -> Result<Value, Error> {
    let mut value = serde_json::to_value(value).map_err(|error| shape(String::new(), &error))?;
    settle_numbers(&mut value, &mut Vec::new())?;
    Ok(value)
}

fn pretty<T: Serialize>(value: &T) -> Result<String, Error> {
    Ok(format!("{:#}\n", to_value(value)?))
}

/// Refuses numbers that readers would round, and writes a whole number in one way: `1`, never `1.0`.
fn settle_numbers(value: &mut Value, keys: &mut Vec<String>) -> Result<(), Error> {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or(f64::INFINITY);
            if float.abs() > GREATEST_NUMBER {
                let pointer = keys.iter().fold(String::new(), |pointer, key| child(&pointer, key));
                return Err(Error::UnsafeNumber { pointer: Some(pointer), number: number.to_string() });
            }
            if number.is_f64() && float.fract() == 0.0 {
                *number = (float as i64).into();
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                keys.push(index.to_string());
                settle_numbers(item, keys)?;
                keys.pop();
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries.iter_mut() {
                keys.push(key.clone());
                settle_numbers(item, keys)?;
                keys.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
    Ok(())
}

/// The pointer to the first place at which two values differ; the order of keys is no difference, and neither is `1.0` for `1`.
fn first_difference(found: &Value, normal: &Value) -> Option<String> {
    match (found, normal) {
        (Value::Object(found), Value::Object(normal)) => found
            .iter()
            .find_map(|(key, value)| match normal.get(key) {
                Some(other) => first_difference(value, other).map(|rest| format!("{}{rest}", child("", key))),
                None => Some(child("", key)),
            })
            .or_else(|| normal.keys().find(|key| !found.contains_key(*key)).map(|key| child("", key))),
        (Value::Array(found), Value::Array(normal)) if found.len() == normal.len() => found
            .iter()
            .zip(normal)
            .enumerate()
            .find_map(|(index, (value, other))| first_difference(value, other).map(|rest| format!("/{index}{rest}"))),
        (Value::Number(found), Value::Number(normal)) => (found.as_f64() != normal.as_f64()).then(String::new),
        (found, normal) => (found != normal).then(String::new),
    }
}
