//! Makes the parse tables from `grammar/weave.lalrpop`, and opens them to the driver of this crate.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a build script lives from files and the environment")]

use std::path::PathBuf;
use std::{env, error::Error, fs};

/// What the generator keeps private and the driver needs. Each text occurs exactly once.
const OPENED: [(&str, &str); 4] = [
    ("\nmod __parse__Top {", "\npub(crate) mod __parse__Top {"),
    ("\n    struct __StateMachine<>", "\n    pub(crate) struct __StateMachine<>"),
    ("\n    const __EOF_ACTION: &[i16]", "\n    pub(crate) const __EOF_ACTION: &[i16]"),
    (
        "    {\n        __phantom: core::marker::PhantomData<()>,\n    }\n    impl<> __state_machine::ParserDefinition",
        "    {\n        pub(crate) __phantom: core::marker::PhantomData<()>,\n    }\n    impl<> __state_machine::ParserDefinition",
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    lalrpop::Configuration::new().set_in_dir("../../grammar").emit_rerun_directives(true).process()?;
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    let mut source = fs::read_to_string(folder.join("weave.rs"))?;
    for (private, opened) in OPENED {
        let found = source.matches(private).count();
        assert!(
            found == 1,
            "the parser that LALRPOP generates has changed: expected this text once in weave.rs, found it {found} times:\n{private}\n\
             Set the version of lalrpop in Cargo.toml back, or mend OPENED in crates/weave-syntax/build.rs after a look at the generated file."
        );
        source = source.replace(private, opened);
    }
    // Under a name of its own: the generator leaves a file alone that is newer than the grammar.
    fs::write(folder.join("weave_opened.rs"), source)?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
