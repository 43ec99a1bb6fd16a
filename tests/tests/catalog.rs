//! Catalogs are what the Model Context Protocol says they are, in the eyes of its own types.

use std::process::Command;

use weave_tests::suite::programs;
use weave_tests::{root, tools};

use crate::examples::examples;

#[test]
fn mcp_reads_every_catalog() {
    let python = match tools::python_with_mcp() {
        Ok(python) => python,
        Err(problem) => {
            println!("SKIPPED: catalogs are not read with the types of MCP, because they cannot be installed here.\n{problem}");
            return;
        }
    };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut count = 0;
    for (title, program) in programs().into_iter().map(|case| (case.title(), case.program())).chain(examples()) {
        let Ok(catalog) = program.check().snapshot.catalog() else { continue };
        if !catalog.entries.is_empty() {
            let json = weave_compiler::catalog(&catalog, weave_compiler::CatalogFormat::Mcp).json;
            let file = folder.path().join(format!("{}.json", title.replace('/', ".")));
            std::fs::write(file, json.to_string()).expect("the temporary folder can be written");
            count += 1;
        }
    }
    assert!(count > 10, "only {count} programs have tools");
    let script = root().join("tests/tools/mcp_tools.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().expect("Python can be started");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with(&format!("{count} catalogs")), "{said}");
}
