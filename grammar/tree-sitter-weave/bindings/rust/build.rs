//! Compiles the generated parser.

#![allow(clippy::disallowed_macros, reason = "Cargo is spoken to through standard output")]

fn main() {
    for file in ["src/parser.c", "src/scanner.c"] {
        println!("cargo:rerun-if-changed={file}");
    }
    // Its warnings are those of the generator.
    cc::Build::new().std("c11").include("src").file("src/parser.c").file("src/scanner.c").warnings(false).compile("tree-sitter-weave");
}
