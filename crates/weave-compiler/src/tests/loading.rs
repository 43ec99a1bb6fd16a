//! Roots, imports, and the order of files.

use std::sync::{Arc, Mutex};

use super::{shown, snapshot};
use crate::{Input, LoadError, Loader, check};

/// A loader that remembers what it was asked for.
struct Asked<'a> {
    files: &'a [(&'a str, &'a str)],
    asked: Mutex<Vec<String>>,
}

impl Loader for Asked<'_> {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.asked.lock().unwrap().push(path.to_owned());
        self.files.iter().find(|(name, _)| *name == path).map(|(_, text)| Arc::from(*text)).ok_or(LoadError::NotFound)
    }
}

fn names(inputs: &[(&str, &str)], files: &[(&str, &str)]) -> (Vec<String>, Vec<String>, String) {
    let loader = Asked { files, asked: Mutex::default() };
    let inputs = inputs.iter().map(|(path, text)| Input { path: (*path).to_owned(), text: Arc::from(*text) }).collect();
    let snapshot = check(inputs, &loader);
    let names = snapshot.sources().iter().map(|(_, file)| file.name().to_owned()).collect();
    let mut asked = loader.asked.into_inner().unwrap();
    asked.sort();
    (names, asked, shown(&snapshot))
}

#[test]
fn files_are_numbered_roots_first_and_then_breadth_first() {
    let (names, asked, shown) = names(
        &[
            ("x/b.weave", "import { C } from \"./c.weave\"\nimport { A } from \"../a.weave\"\ntype B { c: C, a: A }\n"),
            ("a.weave", "import { D } from \"./x/../x/d.weave\"\ntype A { d?: D }\n"),
        ],
        &[
            ("x/c.weave", "import { E } from \"./e.weave\"\ntype C { e: E }\n"),
            ("x/d.weave", "import { C } from \"./c.weave\"\ntype D { c: C }\n"),
            ("x/e.weave", "import { A } from \"../a.weave\"\ntype E { a: A }\n"),
        ],
    );
    assert_eq!(shown, "");
    assert_eq!(names, ["<prelude>", "x/b.weave", "a.weave", "x/c.weave", "x/d.weave", "x/e.weave"]);
    assert_eq!(asked, ["x/c.weave", "x/d.weave", "x/e.weave"], "each file once, and no root");
}

#[test]
fn a_root_that_is_given_twice_is_one_file() {
    let (names, _, shown) = names(&[("a.weave", "type A { a: int }\n"), ("./a.weave", "type A { a: int }\n")], &[]);
    assert_eq!((names.len(), shown.as_str()), (2, ""));
}

#[test]
fn imports_that_lead_nowhere_are_reported_where_they_stand() {
    let shown = shown(&snapshot(
        "import { A } from \"./missing.weave\"
import { B } from \"./locked.weave\"
import { C } from \"./input.weave\"
import { D } from \"./other.weave\"
type T { a: A, b: B, d: D }
type C { x: int }
// file: locked.weave (permission denied)
// file: other.weave
import { A } from \"./missing.weave\"
type D { a: A }
",
    ));
    insta::assert_snapshot!(shown, @r#"
input.weave: "./missing.weave": import-not-found: the file `./missing.weave` does not exist (`missing.weave` does not exist)
input.weave: "./locked.weave": import-unreadable: cannot read `./locked.weave`: permission denied (this file cannot be read)
input.weave: "./input.weave": self-import: a file imports itself (the same file)
other.weave: "./missing.weave": import-not-found: the file `./missing.weave` does not exist (`missing.weave` does not exist)
"#);
}

#[test]
fn mistakes_in_files_that_are_only_imported_are_reported_too() {
    let shown =
        shown(&snapshot("import { D } from \"./other.weave\"\ntype T { d: D, x: Nothing }\n// file: other.weave\ntype D { a: Nowhere }\n"));
    insta::assert_snapshot!(shown, @r#"
    input.weave: Nothing: unknown-name: there is no type `Nothing` (not declared or imported)
    other.weave: Nowhere: unknown-name: there is no type `Nowhere` (not declared or imported)
    "#);
}

#[test]
fn paths_above_the_first_folder_are_legal() {
    let (names, _, shown) =
        names(&[("a.weave", "import { B } from \"../lib/b.weave\"\ntype A { b: B }\n")], &[("../lib/b.weave", "type B { b: int }\n")]);
    assert_eq!((names.last().map(String::as_str), shown.as_str()), (Some("../lib/b.weave"), ""));
}

#[test]
fn an_empty_program_is_no_mistake() {
    let (names, _, shown) = names(&[], &[]);
    assert_eq!((names, shown.as_str()), (vec!["<prelude>".to_owned()], ""));
}
