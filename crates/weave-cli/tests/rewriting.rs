//! What `weave gen` writes again after a change, and what it does not touch.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::fs::File;
use std::time::{Duration, SystemTime};

use common::{Project, modified};

/// The files below a folder, by their paths in the project.
fn below(project: &Project, folder: &str) -> Vec<String> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for name in project.list(&folder) {
            let path = format!("{folder}/{name}");
            if project.path(&path).is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

#[test]
fn a_change_of_one_file_writes_what_depends_on_it_and_nothing_else() {
    let shop = "/// Bought.\ntype Order { id: string }\ntool find(id: string) -> Order\n";
    let desk = "import { Order } from \"./shop.weave\"\n/// Looks.\ntool look(at: Order) -> Order\n";
    let alone = "/// Alone.\ntype Alone { a: int }\nevent alone.said { a: Alone }\n";
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for language in ["go", "typescript", "python"] {
        let project = Project::new(&[
            ("flows/shop.weave", shop),
            ("flows/desk.weave", desk),
            ("flows/alone.weave", alone),
            ("go.mod", "module example.com/app\n"),
        ]);
        let arguments = ["gen", language, "flows", "-o", "out"];
        project.run(&arguments).exits(0);
        let list = format!("out/.weave-{language}.json");
        // What is said about a declaration stands in the files of its own package; what others import is its name.
        for (file, text, package) in [
            ("flows/alone.weave", alone.replace("Alone.", "By itself."), "out/alone/"),
            ("flows/desk.weave", desk.replace("Looks.", "Looks again."), "out/desk/"),
            ("flows/shop.weave", shop.replace("Bought.", "Bought before."), "out/shop/"),
        ] {
            let files = below(&project, "out");
            assert!(files.len() > 15, "{files:?}");
            for path in &files {
                File::options().write(true).open(project.path(path)).unwrap().set_modified(old).unwrap();
            }
            project.write(file, text);
            project.run(&arguments).exits(0).says("written");
            let written: BTreeSet<&String> = files.iter().filter(|path| modified(&project.path(path)) != old).collect();
            assert!(written.contains(&list) && written.len() > 1, "{written:?}");
            for path in written {
                assert!(*path == list || path.starts_with(package), "{language}: {path} does not depend on {file}");
            }
        }
    }
}
