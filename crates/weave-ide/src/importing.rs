//! How a file comes to a name that another file declares.

use weave_diagnostics::{Edit, FileId, Place, Span};
use weave_syntax::ast::{Import, ItemKind};
use weave_syntax::text::{literal_value, quoted_string};

use crate::Analysis;
use crate::analysis::ItemView;

/// The path under which a file is imported by another one.
pub(crate) fn import_path(analysis: &Analysis, from: FileId, target: FileId) -> String {
    let name = |file| analysis.source(file).map_or("", |source| source.name());
    path_between(name(from), name(target))
}

/// How one file names another; both names start in one folder.
pub(crate) fn path_between(from: &str, target: &str) -> String {
    let folder = from.rfind('/').and_then(|slash| from.get(..slash)).unwrap_or_default();
    let path = weave_compiler::relative_path(&format!("/{target}"), &format!("/{folder}"));
    if path.starts_with("../") { path } else { format!("./{path}") }
}

/// What imports names into a file.
pub(crate) struct Importer<'a> {
    analysis: &'a Analysis,
    file: FileId,
    imports: Vec<(ItemView<'a>, &'a Import)>,
    /// How its lines end.
    end: &'static str,
}

impl<'a> Importer<'a> {
    pub(crate) fn new(analysis: &'a Analysis, file: FileId) -> Self {
        let imports = analysis.items(file).filter_map(|item| match &item.slot.parsed.item.kind {
            ItemKind::Import(import) => Some((item, &**import)),
            _ => None,
        });
        let end = if analysis.text(file).contains("\r\n") { "\r\n" } else { "\n" };
        Self { analysis, file, imports: imports.collect(), end }
    }

    /// The edit that imports a name: into the list of names that are taken from that file already, or as an import of its own, where it comes by its path.
    pub(crate) fn edit(&self, target: FileId, path: &str, name: &str) -> Edit {
        let is_same =
            |(item, import): &&(ItemView<'_>, &Import)| !import.names.is_empty() && self.analysis.imported_file(item) == Some(target);
        if let Some((item, import)) = self.imports.iter().find(is_same) {
            return self.added_to_list(item, import, name);
        }
        let (text, end) = (self.analysis.text(self.file), self.end);
        let line = format!("import {{ {name} }} from {}", quoted_string(path));
        let is_behind =
            |(item, import): &&(ItemView<'_>, &Import)| import.path.is_some_and(|other| *literal_value(item.context.text, other) > *path);
        let (at, new) = match (self.imports.iter().find(is_behind), self.imports.last()) {
            (Some((item, _)), _) => (above(text, item.slot.start), format!("{line}{end}")),
            (None, Some((item, _))) => (line_end(text, item.slot.end), format!("{end}{line}")),
            (None, None) => self.beginning(&line),
        };
        Edit { place: Place::new(self.file, Span::new(at, at)), text: new }
    }

    /// Into a list: where the name comes by the alphabet if the list is sorted, else behind the last one.
    fn added_to_list(&self, item: &ItemView<'_>, import: &Import, name: &str) -> Edit {
        let text = item.context.text;
        let names: Vec<&str> = import.names.iter().map(|entry| entry.name.text(text)).collect();
        let next = if names.is_sorted() { names.iter().position(|other| *other > name) } else { None };
        let gap = |before: Span| {
            // A list with a name on each line stays one.
            let line = text.get(..before.start as usize).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
            let is_first = line.trim().is_empty() && before.start as usize > line.len();
            if is_first { format!("{}{line}", self.end) } else { " ".to_owned() }
        };
        let entry = |index: usize| import.names.get(index).map_or(Span::default(), |entry| entry.span);
        let (at, new) = match next {
            Some(index) => (entry(index).start, format!("{name},{}", gap(entry(index)))),
            None => {
                let last = entry(names.len().saturating_sub(1));
                (last.end, format!(",{}{name}", gap(last)))
            }
        };
        Edit { place: item.place(Span::new(at, at)), text: new }
    }

    /// In a file without imports: behind what the file says of itself, in front of the first item and what stands directly above it.
    fn beginning(&self, line: &str) -> (u32, String) {
        let (text, end) = (self.analysis.text(self.file), self.end);
        let first = self.analysis.items(self.file).next().map_or(text.len() as u32, |item| item.slot.start);
        let at = above(text, first);
        let before = text.get(..at as usize).unwrap_or_default().trim_start_matches('\u{feff}');
        let gap = if before.is_empty() || before.ends_with("\n\n") || before.ends_with("\r\n\r\n") {
            String::new()
        } else if before.ends_with('\n') {
            end.to_owned()
        } else {
            format!("{end}{end}")
        };
        (at, format!("{gap}{line}{end}{end}"))
    }
}

/// The start of the comments that stand directly above an item, or of the item.
pub(crate) fn above(text: &str, start: u32) -> u32 {
    let mut start = start as usize;
    while let Some(before) = text.get(..start).and_then(|before| before.strip_suffix('\n')) {
        let line = before.rsplit('\n').next().unwrap_or_default();
        if !line.trim_start().starts_with("//") || line.trim_start().starts_with("//!") {
            break;
        }
        start = before.len() - line.len();
    }
    start as u32
}

/// The end of the line that an item ends on, if only a comment stands behind it.
fn line_end(text: &str, end: u32) -> u32 {
    let rest = text.get(end as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let is_comment = line.trim_start().starts_with("//") || line.trim().is_empty();
    end + if is_comment { line.len() as u32 } else { 0 }
}
