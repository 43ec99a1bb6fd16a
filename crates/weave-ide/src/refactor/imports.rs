//! Imports: in order, each file once, without what nothing uses.

use std::collections::{BTreeMap, BTreeSet};

use weave_diagnostics::{Edit, FileId, Place, Span};
use weave_lint::used_names;
use weave_syntax::ast::{Import, ItemKind};
use weave_syntax::text::{quoted_string, string_value};

use super::layout::formatted;
use super::{Refactoring, RefactoringKind};
use crate::Analysis;
use crate::analysis::ItemView;

/// One name of an import, as it is sorted: capitals and small letters side by side.
type Sorted = (String, String);

/// What puts the imports of a file in order; nothing if they are, or cannot be read.
pub(super) fn organize<'a>(analysis: &'a Analysis, file: FileId) -> Option<Refactoring<'a>> {
    let unit = analysis.unit(file)?;
    let used = used_names(unit);
    let mut changes = Vec::new();
    let mut items = analysis.items(file).peekable();
    while let Some(first) = items.next() {
        if import(&first).is_none() {
            continue;
        }
        let mut block = vec![first];
        while let Some(next) = items.next_if(|next| import(next).is_some()) {
            block.push(next);
        }
        changes.extend(organized(analysis, file, &block, &used));
    }
    (!changes.is_empty()).then(|| Refactoring::new(RefactoringKind::OrganizeImports, "Organize the imports", changes))
}

fn import<'a>(item: &ItemView<'a>) -> Option<&'a Import> {
    if let ItemKind::Import(import) = &item.slot.parsed.item.kind { Some(import) } else { None }
}

/// The change of imports that stand one below the other.
fn organized(analysis: &Analysis, file: FileId, block: &[ItemView<'_>], used: &rustc_hash::FxHashSet<&str>) -> Option<Edit> {
    let text = analysis.text(file);
    let region = Span::new(block.first()?.slot.start, block.last()?.slot.end);
    // What is commented or has attributes stands as its author wants it; comments would lose what they are about.
    let is_plain = |text: &str| !text.contains("//") && !text.contains("/*") && !text.contains('@');
    let between = region.text(text);
    let line = text.get(region.end as usize..)?.lines().next().unwrap_or_default();
    if !is_plain(&without_paths(between)) || !is_plain(line) || block.iter().any(|item| item.slot.has_errors()) {
        return None;
    }
    let mut lists: BTreeMap<String, BTreeSet<Sorted>> = BTreeMap::new();
    let mut paths: BTreeMap<FileId, String> = BTreeMap::new();
    for item in block {
        let import = import(item)?;
        let written = string_value(import.path?.span.text(item.context.text)).into_owned();
        // One file may be written in several ways.
        let path = match analysis.imported_file(item) {
            Some(target) => paths.entry(target).or_insert(written).clone(),
            None => written,
        };
        let names = lists.entry(path).or_default();
        for name in &import.names {
            let local = name.alias.map_or(name.name.span, |alias| alias.span).text(item.context.text);
            if used.contains(local) {
                let written = name.name.text(item.context.text);
                let whole = if written == local { written.to_owned() } else { format!("{written} as {local}") };
                names.insert((whole.to_lowercase(), whole));
            }
        }
    }
    lists.retain(|_, names| !names.is_empty());
    let line = |(path, names): (&String, &BTreeSet<Sorted>)| {
        let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        format!("import {{ {} }} from {}", names.join(", "), quoted_string(path))
    };
    let lines: Vec<String> = lists.iter().map(line).collect();
    if lines.is_empty() {
        let behind = text.get(region.end as usize..)?;
        let blanks = behind.len() - behind.trim_start().len();
        return Some(Edit { place: Place::new(file, Span::new(region.start, region.end + blanks as u32)), text: String::new() });
    }
    let new = formatted(&lines.join("\n"))?;
    let same = between.lines().eq(new.lines());
    (!same).then(|| Edit { place: Place::new(file, region), text: new })
}

/// A text without what stands in quotes.
fn without_paths(text: &str) -> String {
    text.split('"').step_by(2).collect()
}
