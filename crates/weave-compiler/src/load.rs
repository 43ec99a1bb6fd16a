//! From roots to all files of a program: reading, parsing, following imports.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use weave_analysis::model::Unit;
use weave_analysis::{PRELUDE, PRELUDE_NAME};
use weave_diagnostics::bounds::TEXT;
use weave_diagnostics::{Diagnostic, FileId, Place, SourceFile, SourceMap, too_large};
use weave_syntax::ast::{ItemKind, Literal};
use weave_syntax::{File, ItemSlot, text};

use crate::messages::{import_not_found, import_unreadable};
use crate::{Input, LoadError, Loader, Snapshot, paths};

/// Below this many bytes threads cost more than they save.
const WORTH_THREADS: usize = 64 * 1024;

/// The ending of source files.
const ENDING: &str = ".weave";

/// All files of a program, parsed: the prelude, then the roots in the order in which they were given, then what they import, nearest
/// first.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) sources: SourceMap,
    pub(crate) units: Vec<Unit>,
    /// How many of the first files are the prelude and the roots.
    pub(crate) roots: usize,
    /// What is wrong with the imports.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Applies a function to all items, on all cores if there is work for them. The results stand in the order of the items.
pub(crate) fn map_all<T: Sync, R: Send>(items: &[T], bytes: usize, work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < 2 || bytes < WORTH_THREADS { items.iter().map(work).collect() } else { items.par_iter().map(work).collect() }
}

/// An import whose path is right: where it stands, and the name of the file that it names.
struct Import {
    item: usize,
    place: Place,
    written: String,
    target: String,
}

/// Files that were read before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) units: &'a [Unit],
}

/// Loads a program. Files are known by their names, made plain; a root that is given twice is taken once. Of the files that were read
/// before only what has changed is parsed.
pub(crate) fn load(inputs: Vec<Input>, loader: &dyn Loader, earlier: Option<Earlier<'_>>) -> Loaded {
    let mut read = FxHashMap::default();
    if let Some(Earlier { sources, units }) = earlier {
        read.extend(sources.iter().zip(units).map(|((_, source), unit)| (source.name(), (source, &unit.syntax))));
    }
    let mut load =
        Load { loader, read, sources: SourceMap::new(), units: Vec::new(), known: FxHashMap::default(), diagnostics: Vec::new() };
    let mut wave = vec![(PRELUDE_NAME.to_owned(), Arc::from(PRELUDE))];
    let mut roots = rustc_hash::FxHashSet::default();
    for input in inputs {
        if roots.insert(paths::normalize(&input.path)) {
            wave.push((input.path, input.text));
        }
    }
    let roots = wave.len();
    let mut from = 0;
    while !wave.is_empty() {
        load.parse(wave);
        wave = load.follow(from);
        from = load.units.len();
    }
    Loaded { sources: load.sources, units: load.units, roots, diagnostics: load.diagnostics }
}

struct Load<'a> {
    loader: &'a dyn Loader,
    /// The files that were read before, by their names.
    read: FxHashMap<&'a str, (&'a Arc<SourceFile>, &'a Arc<File>)>,
    sources: SourceMap,
    units: Vec<Unit>,
    /// What is behind each name: a file, or nothing that could be read.
    known: FxHashMap<String, Result<FileId, LoadError>>,
    diagnostics: Vec<Diagnostic>,
}

impl Load<'_> {
    /// Parses texts and takes them in as files.
    fn parse(&mut self, mut wave: Vec<(String, Arc<str>)>) {
        for (file, (_, text)) in (self.units.len() as u32..).map(FileId).zip(&mut wave) {
            if text.len() > TEXT.most {
                self.diagnostics.push(too_large(file, text.len()));
                *text = Arc::from("");
            }
        }
        let bytes = wave.iter().map(|(_, text)| text.len()).sum();
        let read = &self.read;
        let bytes = if read.is_empty() { bytes } else { 0 };
        let parsed = map_all(&wave, bytes, |(name, text)| match read.get(name.as_str()) {
            Some((source, syntax)) if source.text() == text => (Arc::clone(source), Arc::clone(syntax)),
            Some((_, syntax)) => parsed(name, text, weave_syntax::parse_again(syntax, Arc::clone(text))),
            None => parsed(name, text, weave_syntax::parse(Arc::clone(text))),
        });
        for ((name, _), (source, syntax)) in wave.into_iter().zip(parsed) {
            let plain = paths::normalize(&name);
            let file = self.sources.add(source);
            self.known.insert(plain, Ok(file));
            let imports = vec![None; syntax.items.len()];
            self.units.push(Unit::new(file, syntax, imports));
        }
    }

    /// Looks at the imports of the files from `from` on, and gives the texts of those files that are new.
    fn follow(&mut self, from: usize) -> Vec<(String, Arc<str>)> {
        let imports: Vec<Vec<Import>> = (from..self.units.len()).map(|index| self.imports(index)).collect();
        let mut wanted: Vec<String> = Vec::new();
        let mut next = self.units.len() as u32;
        let all = || imports.iter().flatten();
        let mut seen = rustc_hash::FxHashSet::default();
        for import in all() {
            if !self.known.contains_key(&import.target) && seen.insert(import.target.clone()) {
                wanted.push(import.target.clone());
            }
        }
        let texts = if wanted.len() < 2 {
            wanted.iter().map(|name| self.loader.load(name)).collect::<Vec<_>>()
        } else {
            wanted.par_iter().map(|name| self.loader.load(name)).collect()
        };
        let mut wave = Vec::new();
        for (name, text) in wanted.into_iter().zip(texts) {
            let found = text.map(|text| {
                wave.push((name.clone(), text));
                next += 1;
                FileId(next - 1)
            });
            self.known.insert(name, found);
        }
        for (index, imports) in (from..).zip(imports) {
            self.connect(index, imports);
        }
        wave
    }

    fn connect(&mut self, index: usize, imports: Vec<Import>) {
        for import in imports {
            match self.known.get(&import.target) {
                Some(Ok(file)) => {
                    let slot = self.units.get_mut(index).and_then(|unit| unit.imports.get_mut(import.item));
                    if let Some(slot) = slot {
                        *slot = Some(*file);
                    }
                }
                Some(Err(LoadError::NotFound)) | None => {
                    self.diagnostics.push(import_not_found(import.place, &import.written, &import.target));
                }
                Some(Err(LoadError::Other(reason))) => {
                    self.diagnostics.push(import_unreadable(import.place, &import.written, reason));
                }
            }
        }
    }

    /// The imports of a file that can be followed; what is wrong with the others is reported.
    fn imports(&mut self, index: usize) -> Vec<Import> {
        let Some(unit) = self.units.get(index) else { return Vec::new() };
        imports_of(unit.file, self.sources.name(unit.file), &unit.syntax)
    }
}

/// The imports of a file that can be followed. The parser has said what is wrong with other paths.
fn imports_of(file: FileId, name: &str, syntax: &File) -> Vec<Import> {
    let mut imports = Vec::new();
    for (item, slot) in syntax.items.iter().enumerate() {
        let Some((literal, written)) = path_of(syntax, slot) else { continue };
        let place = Place::new(file, literal.span.shifted(slot.start));
        if !is_relative(&written) {
            continue;
        }
        let target = paths::join(name, &written);
        imports.push(Import { item, place, written, target });
    }
    imports
}

/// Loads a program once more of which some texts are other ones now. Nothing if another file may be imported than before, or an import is wrong:
/// then only [`load`] can say.
pub(crate) fn load_texts(earlier: &Snapshot, imports: &[Diagnostic], texts: &[(FileId, Arc<str>)]) -> Option<Loaded> {
    let (mut sources, mut units) = (earlier.sources.clone(), earlier.units.clone());
    if texts.iter().any(|(_, text)| text.len() > TEXT.most) {
        return None;
    }
    for (file, text) in texts {
        let unit = units.get_mut(file.0 as usize)?;
        let name = sources.name(*file).to_owned();
        let (source, syntax) = parsed(&name, text, weave_syntax::parse_again(&unit.syntax, Arc::clone(text)));
        let wrong = imports.iter().any(|diagnostic| diagnostic.primary.place.file == *file);
        let targets =
            |syntax: &File| imports_of(*file, &name, syntax).into_iter().map(|import| (import.item, import.target)).collect::<Vec<_>>();
        if wrong || unit.imports.len() != syntax.items.len() || targets(&unit.syntax) != targets(&syntax) {
            return None;
        }
        unit.syntax = syntax;
        sources.replace(*file, source);
    }
    Some(Loaded { sources, units, roots: earlier.roots, diagnostics: imports.to_vec() })
}

fn parsed(name: &str, text: &Arc<str>, file: File) -> (Arc<SourceFile>, Arc<File>) {
    (Arc::new(SourceFile::new(name, Arc::clone(text))), Arc::new(file))
}

/// The path of an import, if the item is one and has one.
fn path_of(file: &File, slot: &ItemSlot) -> Option<(Literal, String)> {
    let ItemKind::Import(import) = &slot.parsed.item.kind else { return None };
    let literal = import.path?;
    Some((literal, text::literal_value(file.item_text(slot), literal).into_owned()))
}

/// Whether a path can be that of an import.
fn is_relative(path: &str) -> bool {
    (path.starts_with("./") || path.starts_with("../")) && path.ends_with(ENDING) && !path.contains('\\')
}
