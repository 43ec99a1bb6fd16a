//! What the tests of generated code have in common: programs as packages, and values of their types.

use std::path::{Path, PathBuf};

use serde_json::Value;
use weave_ir::package::Package;

use crate::program::Program;
use crate::{files_below, read, root};

/// Programs that no example is like.
#[must_use]
pub fn fixtures() -> PathBuf {
    root().join("tests/fixtures/codecs")
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
}

/// What becomes of the values that are read when they are written again, in their order: `written.txt` beside the vectors.
///
/// # Panics
///
/// If these texts are others. With `BLESS` in the environment, the file is written anew, to be reviewed like code.
pub fn assert_written<'a>(texts: impl Iterator<Item = (&'a Vector, String)>) {
    // Languages in which an `int64` is a number do not know how many zeros stood in front of it, and whether zero had a sign.
    let plain = |ty: &str, text: String| match text.trim_matches('"').parse::<i64>() {
        Ok(number) if ty == "Big" => format!("\"{number}\""),
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
    for line in read(&fixtures().join("vectors.txt")).lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (refused, json) = match word {
            "ok" => (None, rest),
            "no" => rest.split_once(' ').map(|(path, json)| (Some(path.replace("(root)", "")), json)).expect("a path and a value"),
            "differs" => {
                differs = true;
                continue;
            }
            name => {
                ty = name.to_owned();
                continue;
            }
        };
        vectors.push(Vector { ty: ty.clone(), json: json.to_owned(), refused, differs: std::mem::take(&mut differs) });
    }
    assert!(vectors.len() >= 250, "there are only {} values", vectors.len());
    vectors
}

/// A path of names and indices as a JSON pointer.
///
/// # Panics
///
/// If it is none.
#[must_use]
pub fn pointer(path: &Value) -> String {
    let parts = path.as_array().expect("a path").iter().map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned));
    parts.map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect()
}
