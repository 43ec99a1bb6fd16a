//! Makes the parse tables from `grammar/weave.lalrpop`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new().set_in_dir("../../grammar").emit_rerun_directives(true).process()?;
    Ok(())
}
