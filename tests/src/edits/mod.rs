//! Editing sessions that look random and are the same in every run: what the editor knows after each change must be what somebody knows
//! who sees the files for the first time.

mod change;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use weave_compiler::lint::{Day, Options, Settings};
use weave_compiler::{Input, LoadError, Snapshot};
use weave_diagnostics::{Code, Diagnostic, FileId, Place, Span, sort_and_dedup};
use weave_ide::{
    GraphFormat, Host, LensKind, Project, Workspace, actions, compile, completion, definition, described, document_symbols, fix_all,
    folding, format_document, format_on_type, format_range, graph, hierarchy_item, highlights, hints, hover, implementation, incoming,
    lenses, linked, links, moved, outgoing, prepare_rename, refactorings, references, rename, selection, semantic_tokens, signature,
    syntax_tree, type_definition, uses, workspace_symbols,
};

use crate::program::Program;
use crate::random::Random;
use change::changed;

/// The folder that is open.
const FOLDER: &str = "/w/";

/// The day on which all this happens.
const TODAY: &str = "2026-11-22";

/// A disk in memory.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<Mutex<BTreeMap<String, String>>>);

impl Host for Disk {
    fn read(&self, path: &str) -> Result<Arc<str>, LoadError> {
        self.0.lock().expect("nobody panics with it").get(path).map(|text| text.as_str().into()).ok_or(LoadError::NotFound)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let files = self.0.lock().expect("nobody panics with it");
        files.keys().filter(|path| path.starts_with(folder) && path.ends_with(".weave")).cloned().collect()
    }

    fn is_repository(&self, _: &str) -> bool {
        false
    }

    fn today(&self) -> Option<Day> {
        Day::new(TODAY)
    }

    fn page(&self, _: &'static Code) -> Option<String> {
        None
    }
}

/// Somebody who edits the files of a program.
#[derive(Debug)]
pub struct Session {
    disk: Disk,
    workspace: Workspace,
    /// The texts that are open.
    open: BTreeMap<String, String>,
    /// The texts before each edit.
    before: Vec<(String, String)>,
    /// What is being typed, the next character last.
    typing: Option<(String, usize, Vec<char>)>,
    random: Random,
    /// What was done, for whoever has to find out why it went wrong.
    done: Vec<String>,
}

impl Session {
    /// Opens a program.
    #[must_use]
    pub fn new(program: &Program, seed: u64) -> Self {
        let disk = Disk::default();
        let files = program.files.iter().map(|(name, text)| (format!("{FOLDER}{name}"), text.clone()));
        *disk.0.lock().expect("nobody panics with it") = files.collect();
        let mut workspace = Workspace::new(Arc::new(disk.clone()));
        workspace.add_folder(FOLDER);
        let random = Random::new(seed);
        Self { disk, workspace, open: BTreeMap::new(), before: Vec::new(), typing: None, random, done: Vec::new() }
    }

    /// Makes one change. `others` are texts that something may be pasted from.
    pub fn change(&mut self, others: &[String]) {
        let disk: BTreeMap<String, String> = self.disk.0.lock().expect("nobody panics with it").clone();
        if let Some((path, place, mut left)) = self.typing.take()
            && let Some(next) = left.pop()
        {
            let mut text = self.open.get(&path).cloned().unwrap_or_default();
            if text.is_char_boundary(place) {
                text.insert(place, next);
                self.edit(&path, text, "type");
                self.typing = Some((path, place + next.len_utf8(), left));
                return;
            }
        }
        let paths: Vec<&String> = disk.keys().chain(self.open.keys()).collect();
        if paths.is_empty() {
            return;
        }
        let path = (*self.random.pick(&paths)).clone();
        let text = self.open.get(&path).or_else(|| disk.get(&path)).cloned().unwrap_or_default();
        match self.random.below(40) {
            0 if self.open.contains_key(&path) => {
                self.done.push(format!("close {path}"));
                self.open.remove(&path);
                self.workspace.close(&path);
            }
            1 => {
                let text = changed(&text, others, &mut self.random).1;
                self.on_disk(&path, Some(text));
            }
            2 if disk.len() > 1 => self.on_disk(&path, None),
            3..=8 if !self.before.is_empty() => {
                let (path, text) = self.before.pop().expect("there is one");
                self.edit(&path, text, "undo");
            }
            9..=14 => {
                const TYPED: [&str; 8] = [
                    "type Typed {\n  a: string\n}\n",
                    "\nworkflow typed() {\n  step s { wait 1s }\n  end done on s\n}\n",
                    " when .input.a == \"b\"",
                    "  step more on done when .done.x { call t { a: .input. } }\n",
                    "/// Typed \u{1f600}.\n",
                    "import { A } from \"./b.weave\"\n",
                    "string",
                    "tool typed(a: int) -> { b: string }\n",
                ];
                let typed = self.random.pick(&TYPED);
                let place = change::place(&text, &mut self.random);
                self.edit(&path, text, "begin to type");
                self.typing = Some((path, place, typed.chars().rev().collect()));
            }
            _ => {
                let (what, text) = changed(&text, others, &mut self.random);
                self.edit(&path, text, what);
            }
        }
    }

    fn edit(&mut self, path: &str, text: String, what: &str) {
        self.done.push(format!("{what} in {path}"));
        self.workspace.edit(path, text.as_str().into());
        let before = self.open.insert(path.to_owned(), text);
        if let Some(before) = before.filter(|_| what != "undo") {
            self.before.push((path.to_owned(), before));
        }
    }

    fn on_disk(&mut self, path: &str, text: Option<String>) {
        self.done.push(format!("{} {path}", if text.is_some() { "write" } else { "remove" }));
        let mut files = self.disk.0.lock().expect("nobody panics with it");
        match text {
            Some(text) => drop(files.insert(path.to_owned(), text)),
            None => drop(files.remove(path)),
        }
        drop(files);
        self.workspace.changed_on_disk(path);
    }

    /// Compares what is known with what is known to somebody who opens the same files now.
    ///
    /// # Panics
    ///
    /// If it is not the same.
    pub fn check(&mut self) {
        let mut fresh = Workspace::new(Arc::new(self.disk.clone()));
        fresh.add_folder(FOLDER);
        self.open.iter().for_each(|(path, text)| fresh.edit(path, text.as_str().into()));
        let probe = self.random.number();
        let (known, anew) = (self.workspace.projects(), fresh.projects());
        assert_eq!(known.len(), anew.len());
        for (known, anew) in known.iter().zip(&anew) {
            assert_eq!(known.analysis.findings(), said(known), "what is wrong and what rules find is what the command line says");
            let (known, anew) = (state(&self.workspace, known, probe), state(&fresh, anew, probe));
            if known != anew {
                let lines = known.lines().zip(anew.lines()).enumerate();
                let different = lines
                    .filter(|(_, (known, anew))| known != anew)
                    .map(|(line, (known, anew))| format!("{line}: {known}\n{line}: {anew}"));
                let different: Vec<_> = different.take(3).collect();
                let last = self.done.iter().rev().take(5).rev().cloned().collect::<Vec<_>>();
                panic!("after {last:#?}\nof {:#?}\nwhat was known and what is so:\n{}", self.open, different.join("\n"));
            }
        }
    }
}

/// A text in which places of the model stand where they are in the files.
fn in_text(snapshot: &Snapshot, text: &str) -> String {
    const BEGIN: &str = "Place { file: FileId(";
    const MIDDLE: &str = "), span: ";
    let mut parts = text.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let read = || {
            let (file, rest) = part.split_once(MIDDLE)?;
            let (span, rest) = rest.split_once(" }")?;
            let (start, end) = span.split_once("..")?;
            let place = Place::new(FileId(file.parse().ok()?), Span::new(start.parse().ok()?, end.parse().ok()?));
            Some((format!("{:?}", snapshot.in_text(place)), rest))
        };
        let (place, rest) = read().expect("a place looks like one");
        out += &place;
        out += rest;
    }
    out
}

/// What the command line says about a program.
fn said(project: &Project) -> Vec<Diagnostic> {
    let known = project.analysis.snapshot();
    let files = || known.sources().iter().filter(|(file, _)| file.0 > 0);
    let inputs = files().filter(|(file, _)| known.is_root(*file));
    let inputs = inputs.map(|(_, source)| Input { path: source.name().to_owned(), text: Arc::clone(source.text()) }).collect();
    let program = files().fold(Program::default(), |program, (_, source)| program.beside(source.name(), source.text()));
    let anew = weave_compiler::check(inputs, &program);
    let mut said = anew.diagnostics().to_vec();
    said.extend(anew.lint(&Options { settings: &|_| Settings::default(), today: Day::new(TODAY) }));
    sort_and_dedup(&mut said);
    said
}

/// All that is known about a project, as text.
fn state(workspace: &Workspace, project: &Project, probe: u64) -> String {
    let (analysis, snapshot) = (&project.analysis, project.analysis.snapshot());
    let mut text = String::new();
    let mut line = |what: &str, value: &dyn std::fmt::Debug| {
        writeln!(text, "{what}: {}", in_text(snapshot, &format!("{value:?}"))).expect("writing to a string");
    };
    for ((_, source), unit) in snapshot.sources().iter().zip(snapshot.units()) {
        line("file", &(source.name(), &unit.imports));
        unit.syntax.items.iter().for_each(|slot| line("item", &(slot.start, slot.end, &slot.parsed)));
        line("errors", &unit.syntax.errors);
    }
    for declaration in &snapshot.model().declarations {
        line("declaration", declaration);
    }
    for scope in &snapshot.model().scopes {
        let sorted = |names: Vec<String>| names.into_iter().collect::<std::collections::BTreeSet<_>>();
        line("names", &sorted(scope.names.iter().map(|it| format!("{it:?}")).collect()));
        line("topics", &sorted(scope.topics.iter().map(|it| format!("{it:?}")).collect()));
        line("imported", &scope.imported);
    }
    for bodies in snapshot.bodies() {
        bodies.workflows.iter().for_each(|body| line("body", body));
    }
    for diagnostic in snapshot.diagnostics() {
        line("diagnostic", diagnostic);
    }
    for diagnostic in analysis.findings() {
        line("finding", diagnostic);
    }
    let mut random = Random::new(probe);
    let files: Vec<_> = snapshot.sources().iter().map(|(file, source)| (file, source.text())).filter(|(file, _)| file.0 > 0).collect();
    if !files.is_empty() {
        let (file, source) = *random.pick(&files);
        let offset = change::place(source, &mut random) as u32;
        line("hover", &hover(analysis, file, offset));
        line("definition", &definition(analysis, file, offset));
        line("highlights", &highlights(analysis, file, offset));
        let completed = completion(analysis, file, offset);
        // What is said about an item when it is looked at.
        let items = completed.iter().flat_map(|found| found.items.iter().map(|item| (found.known_in, &item.label)));
        items.take(5).for_each(|(known_in, name)| line("described", &described(analysis, known_in, name)));
        line("completion", &completed);
        line("symbols", &document_symbols(analysis, file));
        line("tokens", &semantic_tokens(analysis, file, None));
        let end = change::place(source, &mut random) as u32;
        // It takes as long as everything else together.
        if random.below(8) > 0 {
            return text;
        }
        // What is compiled is made of texts alone, so whoever sees them for the first time gets the same.
        for lens in lenses(analysis, file).iter().filter(|lens| lens.kind == LensKind::Graph).take(2) {
            let workflow = analysis.text_of(lens.place);
            line("graph", &graph(analysis, file, workflow, GraphFormat::Mermaid));
            line("compiled", &compile(analysis, file, workflow).map(|compiled| compiled.definition.to_json_value().ok()));
        }
        line("tree", &syntax_tree(analysis, file));
        everything_else(workspace, project, file, Span::new(offset.min(end), offset.max(end)));
    }
    text
}

/// Asks whatever else can be asked; nothing may panic, and no edit may lie outside of its text.
fn everything_else(workspace: &Workspace, project: &Project, file: FileId, range: Span) {
    let analysis = &project.analysis;
    let offset = range.start;
    let mut edits = fix_all(analysis, file);
    for found in refactorings(analysis, file, range, &|_| true).into_iter().chain(refactorings(analysis, file, Span::at(offset), &|_| true))
    {
        edits.extend(found.edits(analysis));
    }
    edits.extend(actions(analysis, file, range).into_iter().flat_map(|action| action.fix.edits.clone()));
    edits.extend(format_document(analysis, file).unwrap_or_default());
    edits.extend(format_range(analysis, file, range).unwrap_or_default());
    ['}', '\n'].into_iter().for_each(|key| edits.extend(format_on_type(analysis, file, offset, key)));
    edits.extend(rename(analysis, file, offset, "renamed").unwrap_or_default());
    if let Some(path) = project.path(file) {
        edits.extend(moved(project, &[(path, format!("{FOLDER}other/moved.weave")), (FOLDER.to_owned(), "/v".to_owned())]));
    }
    for edit in edits {
        let span = edit.place.span;
        assert!(analysis.text(edit.place.file).get(span.range()).is_some(), "{edit:?} lies outside of its text");
    }
    _ = (prepare_rename(analysis, file, offset), references(analysis, file, offset, true), type_definition(analysis, file, offset));
    _ = (semantic_tokens(analysis, file, None), semantic_tokens(analysis, file, Some(range)), hints(analysis, file, range));
    _ = (signature(analysis, file, offset), folding(analysis, file), selection(analysis, file, offset), links(analysis, file));
    _ = (hierarchy_item(analysis, file, offset), incoming(analysis, file, offset), outgoing(analysis, file, offset));
    for lens in lenses(analysis, file) {
        _ = uses(analysis, file, lens.place.span.start, lens.kind);
    }
    _ = implementation(workspace, project, file, offset);
    _ = (workspace_symbols(analysis, "a"), linked(analysis, file, offset));
}
