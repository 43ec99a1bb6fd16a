//! The outline of a `weave.toml`: its tables, and their keys.

use weave_diagnostics::{FileId, Place, Span};

use super::place::{Document, Node, NodeKind};
use crate::{DocumentSymbol, SymbolKind, Target};

/// The longest value that is said beside its key.
const LONGEST_VALUE: usize = 60;

/// The outline of the text of a `weave.toml`, in its order. All places are said to be in `file`.
#[must_use]
pub fn outline(text: &str, file: FileId) -> Vec<DocumentSymbol> {
    let document = Document::read(text);
    let mut outline = Outline { text, file, symbols: Vec::new(), last: None };
    document.nodes.iter().for_each(|node| outline.take(node));
    outline.symbols
}

struct Outline<'a> {
    text: &'a str,
    file: FileId,
    symbols: Vec<DocumentSymbol>,
    /// The table or the key that the last symbol stands for.
    last: Option<&'a Node>,
}

impl<'a> Outline<'a> {
    fn take(&mut self, node: &'a Node) {
        let before = self.last.filter(|last| node.path.starts_with(&last.path));
        // Between two parts of one name there is a dot; what stands deeper otherwise belongs to a value.
        let goes_on = before.filter(|last| {
            last.kind == node.kind && self.text.get(last.span.end as usize..node.span.start as usize).is_some_and(|gap| gap.trim() == ".")
        });
        if goes_on.is_some() {
            self.change_last(|symbol, text| {
                symbol.target.name.span.end = node.span.end;
                symbol.name = symbol.target.name.span.text(text).to_owned();
            });
        } else {
            match (node.kind, before) {
                (NodeKind::Header, _) => self.symbols.push(self.symbol(node, SymbolKind::Table)),
                (NodeKind::Key, Some(last)) if last.kind == NodeKind::Key => return self.reach(node.span.end),
                (NodeKind::Key, _) => {
                    let symbol = self.symbol(node, SymbolKind::Field);
                    match self.symbols.last_mut().filter(|table| table.kind == SymbolKind::Table) {
                        Some(table) => table.children.push(symbol),
                        None => self.symbols.push(symbol),
                    }
                }
                (NodeKind::Value, Some(last)) => {
                    let value = Some(node.span.text(self.text)).filter(|value| value.len() <= LONGEST_VALUE && node.path == last.path);
                    self.change_last(|symbol, _| symbol.detail = value.unwrap_or_default().to_owned());
                    return self.reach(node.span.end);
                }
                (NodeKind::Value, None) => return,
            }
        }
        self.last = Some(node);
        self.reach(node.span.end);
    }

    fn symbol(&self, node: &Node, kind: SymbolKind) -> DocumentSymbol {
        let place = Place::new(self.file, node.span);
        // The brackets of a table stand before its name.
        let line = self.text.get(..node.span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let indent = self.text.get(line..).map_or(0, |rest| rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let start = if kind == SymbolKind::Table { (line + indent) as u32 } else { node.span.start };
        let whole = Place::new(self.file, Span::new(start.min(node.span.start), node.span.end));
        DocumentSymbol {
            name: node.span.text(self.text).to_owned(),
            detail: String::new(),
            kind,
            target: Target { name: place, whole },
            deprecated: false,
            children: Vec::new(),
        }
    }

    fn change_last(&mut self, change: impl FnOnce(&mut DocumentSymbol, &str)) {
        let Some(table) = self.symbols.last_mut() else { return };
        match table.children.last_mut() {
            Some(key) => change(key, self.text),
            None => change(table, self.text),
        }
    }

    /// The last symbol and the table around it reach to the end of the line that an offset is on.
    fn reach(&mut self, offset: u32) {
        let rest = self.text.get(offset as usize..).unwrap_or_default().split('\n').next().unwrap_or_default();
        let end = offset + rest.trim_end().len() as u32;
        let Some(table) = self.symbols.last_mut() else { return };
        for symbol in table.children.iter_mut().last().map(|child| &mut child.target).into_iter().chain([&mut table.target]) {
            symbol.whole.span.end = symbol.whole.span.end.max(end);
        }
    }
}
