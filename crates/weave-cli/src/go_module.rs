//! Under which path a folder of Go packages is imported, as the `go.mod` above it says.

use std::io;
use std::path::Path;

use crate::config::absolute;
use crate::failure::Failure;
use crate::input::display;
use crate::read::{ReadError, read_file};

/// What else could be done.
const HELP: &str =
    "run `go mod init` in the folder of your program, or set it in weave.toml: `[gen.go]` with `module = \"example.com/app/gen\"`";

/// The import path of a folder, which need not be there.
pub(crate) fn import_path(folder: &Path) -> Result<String, Failure> {
    let whole = absolute(folder);
    for above in whole.ancestors() {
        let file = above.join("go.mod");
        let text = match read_file(&file) {
            Ok(text) => text,
            Err(ReadError::NotFound) => continue,
            Err(ReadError::System(error)) if error.kind() == io::ErrorKind::NotADirectory => continue,
            Err(error) => return Err(Failure::new(format!("cannot read `{}`: {error}", display(&file)))),
        };
        let Some(module) = module(&text) else {
            return Err(Failure::new(format!("`{}` does not name a module", display(&file))).help(HELP));
        };
        let below = whole.strip_prefix(above).unwrap_or(Path::new(""));
        let mut path = module.to_owned();
        for part in below.iter() {
            path.push('/');
            path.push_str(&part.to_string_lossy());
        }
        return Ok(path);
    }
    let failure = Failure::new(format!("there is no go.mod above `{}`, so the import path of its packages is unknown", display(folder)));
    Err(failure.help(HELP))
}

/// The name of the module in the text of a `go.mod`.
fn module(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    let name = lines.find_map(|line| line.strip_prefix("module").filter(|rest| rest.starts_with([' ', '\t', '"', '`'])))?;
    let name = name.trim().trim_matches(['"', '`']);
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn the_name_of_a_module_is_read() {
        assert_eq!(module("// a\nmodule example.com/app // b\n\ngo 1.24\n"), Some("example.com/app"));
        assert_eq!(module("go 1.24\nmodule \"example.com/x\"\n"), Some("example.com/x"));
        assert_eq!(["", "modules x", "module", "module \"\"", "module a b"].map(module), [None; 5]);
    }
}
