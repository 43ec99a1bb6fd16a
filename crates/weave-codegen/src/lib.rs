//! Services in other languages, generated from packages.
//!
//! This crate knows how types, tools, events, prompts, agents and workflows are written in other languages, and which files that makes. It
//! does not know `.weave` files: it sees packages of `weave-ir` and nothing else, and it touches no file. What shall become of the files
//! that lie in the output folder is decided here too, as a function of what lies there.

mod builders;
mod go;
mod ownership;
mod program;
mod python;
mod scaffold;
mod scope;
mod text;
mod tools;
mod typescript;
mod uses;

pub use ownership::{Change, Found, Ownership, OwnershipError, Plan, plan};
pub use scaffold::{Import, Member, Missing, Part, Place, Progress, Skeleton, TemplateError, Templates, progress, templates};

use weave_ir::package::{Builders, Package};

/// A language that code is generated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Go: packages that need nothing but the standard library.
    Go,
    /// Python: packages that need pydantic.
    Python,
    /// TypeScript: modules that need no package.
    TypeScript,
}

impl Target {
    /// Its name in commands and in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::TypeScript => "typescript",
        }
    }

    /// The name of the file in the output folder that lists what was generated, and so is ours.
    #[must_use]
    pub fn list(self) -> String {
        format!(".weave-{}.json", self.name())
    }
}

/// A file that is generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The path in the output folder, with `/`.
    pub path: String,
    /// The text, with a newline at its end.
    pub contents: String,
}

/// What is said about the output beside the language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The path under which the output folder is imported, where a language needs to know it: Go does.
    pub import_path: String,
    /// What builders are made from; nothing if there shall be none.
    pub builders: Option<Builders>,
    /// Whether what serves tools over the Model Context Protocol is written too. Where that needs another package, it stands apart, and nothing
    /// else needs it.
    pub mcp: bool,
    /// Lines that stand as comments at the top of each file, behind the mark that it is generated.
    pub header: String,
}

/// Why packages cannot be written in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// These files use each other, each the next one and the last one the first; packages of the language may not.
    Cycle(Vec<String>),
}

/// The files of these packages, by path. The same packages give the same bytes.
///
/// # Errors
///
/// If the language has no form for them.
pub fn generate(target: Target, packages: &[Package], options: &Options) -> Result<Vec<OutputFile>, GenerateError> {
    let mut files = match target {
        Target::Go => go::generate(packages, options)?,
        Target::Python => python::generate(packages, options),
        Target::TypeScript => typescript::generate(packages, options),
    };
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let lines = text::comments(if target == Target::Python { "#" } else { "//" }, &options.header);
    if !lines.is_empty() {
        files.iter_mut().for_each(|file| text::put_below_mark(&mut file.contents, &lines));
    }
    Ok(files)
}

/// Skeletons of what these packages ask people to implement, by path, which are theirs once they are written.
///
/// # Errors
///
/// If a template that somebody has replaced gives no text.
pub fn scaffold(target: Target, packages: &[Package], place: &Place, templates: &Templates) -> Result<Vec<Skeleton>, TemplateError> {
    let mut skeletons = match target {
        Target::Go => go::scaffold(packages, place, templates)?,
        Target::Python => python::scaffold(packages, place, templates)?,
        Target::TypeScript => typescript::scaffold(packages, place, templates)?,
    };
    skeletons.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(skeletons)
}

/// The version that stands in the files.
const VERSION: &str = env!("CARGO_PKG_VERSION");
