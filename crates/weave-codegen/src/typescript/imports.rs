//! What a module imports, and the comments in it.

use std::collections::BTreeSet;

/// What a module of a package uses of other modules. Their names begin with `$`, which no name that is made from a program does.
#[derive(Debug, Default)]
pub(super) struct Imports {
    /// Lines, in order.
    lines: BTreeSet<String>,
}

impl Imports {
    /// What all packages share.
    pub(super) fn shared(&mut self) -> &'static str {
        self.lines.insert("import * as $w from \"../_weave/index.js\";".to_owned());
        "$w"
    }

    /// The types of a package; nothing for those of the package itself where they stand in the same module.
    pub(super) fn types(&mut self, package: Option<&str>) -> String {
        match package {
            None => {
                self.lines.insert("import type * as $types from \"./types.js\";".to_owned());
                "$types".to_owned()
            }
            Some(package) => {
                self.lines.insert(format!("import type * as $types_{package} from \"../{package}/types.js\";"));
                format!("$types_{package}")
            }
        }
    }

    /// Another module of this or another package, for its values.
    pub(super) fn values(&mut self, package: Option<&str>, module: &str) -> String {
        let (name, from) = match package {
            None => (format!("${module}"), format!("./{module}.js")),
            Some(package) => (format!("${module}_{package}"), format!("../{package}/{module}.js")),
        };
        self.lines.insert(format!("import * as {name} from \"{from}\";"));
        name
    }

    /// The lines, and what stands behind them.
    pub(super) fn before(&self, body: &str) -> String {
        let lines = self.lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        if lines.is_empty() { body.to_owned() } else { format!("{lines}\n{body}") }
    }
}

/// A doc comment; nothing if there is nothing to say.
pub(super) fn comment(description: Option<&str>, deprecated: Option<&str>, indent: &str) -> String {
    let mut lines: Vec<String> = description.unwrap_or_default().lines().map(str::to_owned).collect();
    if let Some(reason) = deprecated {
        lines.push(format!("@deprecated {}", reason.lines().collect::<Vec<_>>().join(" ")).trim_end().to_owned());
    }
    // What ends a comment would end this one, and what tells the compiler something is not meant for it.
    let quiet = |line: &String| match line.trim_start().strip_prefix("@ts-") {
        Some(rest) => format!("\\@ts-{rest}"),
        None => line.clone(),
    };
    let lines: Vec<String> = lines.iter().map(|line| quiet(line).replace("*/", "*\\/")).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let inner = lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect::<String>();
            format!("{indent}/**\n{inner}{indent} */\n")
        }
    }
}
