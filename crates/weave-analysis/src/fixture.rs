//! Small programs for tests.

use std::sync::Arc;

use weave_diagnostics::{Diagnostic, FileId, SourceFile, SourceMap, sort_and_dedup};
use weave_syntax::ast::{ItemKind, LiteralKind};

use crate::model::Unit;
use crate::{Declared, PRELUDE, PRELUDE_NAME, declare};

/// Some files, parsed. The prelude is the first one.
pub(crate) struct Fixture {
    pub(crate) sources: SourceMap,
    pub(crate) units: Vec<Unit>,
}

impl Fixture {
    /// Reads files from one text: what stands before the first line `// file: name.weave` is `input.weave`, and each such line starts another.
    pub(crate) fn new(text: &str) -> Self {
        let mut files: Vec<(String, String)> =
            vec![(PRELUDE_NAME.to_owned(), PRELUDE.to_owned()), ("input.weave".to_owned(), String::new())];
        for line in text.split_inclusive('\n') {
            match line.strip_prefix("// file: ") {
                Some(name) => files.push((name.trim().to_owned(), String::new())),
                None => files.last_mut().unwrap().1.push_str(line),
            }
        }
        let mut sources = SourceMap::new();
        let mut units = Vec::new();
        for (name, text) in &files {
            let text: Arc<str> = Arc::from(text.as_str());
            let file = sources.add(Arc::new(SourceFile::new(name.as_str(), Arc::clone(&text))));
            let syntax = Arc::new(weave_syntax::parse(text));
            let imports = syntax.items.iter().map(|slot| {
                let ItemKind::Import(import) = &slot.parsed.item.kind else { return None };
                let path = import.path.filter(|path| path.kind == LiteralKind::String)?;
                let path = weave_syntax::text::literal_value(syntax.item_text(slot), path).into_owned();
                let index = files.iter().position(|(name, _)| path.strip_prefix("./") == Some(name))?;
                Some(FileId(index as u32))
            });
            let imports = imports.collect();
            units.push(Unit::new(file, syntax, imports));
        }
        Self { sources, units }
    }

    pub(crate) fn declare(&self) -> Declared {
        declare(&self.units)
    }

    /// What the parser says.
    pub(crate) fn syntax_diagnostics(&self) -> Vec<Diagnostic> {
        self.units.iter().flat_map(|unit| unit.syntax.diagnostics(unit.file)).collect()
    }

    /// Diagnostics, one a line: "id @ covered text: message (label)", with secondary labels, notes and help below.
    pub(crate) fn show(&self, mut diagnostics: Vec<Diagnostic>) -> String {
        use std::fmt::Write;
        sort_and_dedup(&mut diagnostics);
        let mut shown = String::new();
        for diagnostic in &diagnostics {
            let primary = &diagnostic.primary;
            let text = self.sources.text(primary.place);
            writeln!(shown, "{} @ {}: {}", diagnostic.code.id, one_line(text), diagnostic.message).unwrap();
            writeln!(shown, "  - {}", primary.message).unwrap();
            for label in &diagnostic.secondary {
                writeln!(shown, "  - {}: {}", one_line(self.sources.text(label.place)), label.message).unwrap();
            }
            for note in &diagnostic.notes {
                writeln!(shown, "  note: {note}").unwrap();
            }
            if let Some(help) = &diagnostic.help {
                writeln!(shown, "  help: {help}").unwrap();
            }
        }
        shown
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is said about a program that the parser finds nothing wrong with.
pub(crate) fn declared(text: &str) -> String {
    let fixture = Fixture::new(text);
    let syntax = fixture.syntax_diagnostics();
    assert!(syntax.is_empty(), "{}", fixture.show(syntax));
    fixture.show(fixture.declare().diagnostics)
}

/// What is said about a program by all passes: the parser, the declarations, the bodies and their graphs.
pub(crate) fn checked(text: &str) -> String {
    said(text, true)
}

/// The same without what is said about graphs, for programs that only show what single nodes may say.
pub(crate) fn typed(text: &str) -> String {
    said(text, false)
}

fn said(text: &str, with_graphs: bool) -> String {
    let fixture = Fixture::new(text);
    let declared = fixture.declare();
    let mut diagnostics = fixture.syntax_diagnostics();
    for unit in &fixture.units {
        diagnostics.extend(crate::bodies::check(&declared.model, unit, with_graphs).diagnostics);
    }
    diagnostics.extend(declared.diagnostics);
    fixture.show(diagnostics)
}
