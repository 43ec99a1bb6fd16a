//! Another name for something, everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weave_analysis::model::DeclarationKind;
use weave_analysis::model::types::RecordType;
use weave_compiler::{Input, LoadError, Loader, check};
use weave_diagnostics::{Edit, FileId, Place, SourceMap};

use crate::references::{mentions_of, word};
use crate::{Analysis, Mention, Role, Symbol};

/// Whether the word at an offset can get another name: its place without quotes.
///
/// # Errors
///
/// With the reason if it means something that has no name of its own, or one that is built in.
pub fn prepare_rename(analysis: &Analysis, file: FileId, offset: u32) -> Result<Place, String> {
    Ok(subject(analysis, file, offset)?.1)
}

/// The edits that give what the word at an offset means another name, in the order of the files and their texts.
///
/// # Errors
///
/// With the reason if there can be no such name, or the program would be wrong with it.
pub fn rename(analysis: &Analysis, file: FileId, offset: u32, name: &str) -> Result<Vec<Edit>, String> {
    let (symbols, place) = subject(analysis, file, offset)?;
    let is_quoted = analysis.text(place.file).get(..place.span.start as usize).is_some_and(|before| before.ends_with('"'));
    let old = if is_quoted { word(&format!("\"{}\"", analysis.text_of(place))) } else { analysis.text_of(place).to_owned() };
    if old == name {
        return Ok(Vec::new());
    }
    let is_topic = old.contains('.') && symbols.iter().any(|symbol| matches!(symbol, Symbol::Declaration(_)));
    let is_member = symbols.iter().all(|symbol| matches!(symbol, Symbol::Member(_)));
    check_name(name, is_topic, is_member && is_quoted)?;
    let is_alias = symbols.iter().any(|symbol| declared_name(analysis, symbol).is_some_and(|declared| declared != old));
    // Another name that an import gives holds in that file only.
    let mentions = mentions_of(analysis, &closed(analysis, symbols), is_alias.then_some(file));
    let parts = mentions.iter().map(|mention| (mention, part(analysis, mention)));
    let alike = parts.filter(|(mention, place)| *place != inside(analysis, mention.place) || word(analysis.text_of(mention.place)) == old);
    let mut places: Vec<Place> = alike.map(|(_, place)| place).filter(|place| !is_alias || analysis.text_of(*place) == old).collect();
    places.sort();
    places.dedup();
    let edits: Vec<Edit> = places.into_iter().map(|place| Edit { place, text: name.to_owned() }).collect();
    verify(analysis, &edits, name)?;
    Ok(edits)
}

/// What the word at an offset means, if it has a name that can be changed.
fn subject(analysis: &Analysis, file: FileId, offset: u32) -> Result<(BTreeSet<Symbol>, Place), String> {
    let mentions = analysis.mentions_at(file, offset);
    let Some(first @ Mention { place, .. }) = mentions.first() else { return Err("there is nothing here that has a name".to_owned()) };
    let symbols: BTreeSet<Symbol> = mentions.iter().map(|mention| mention.symbol.clone()).collect();
    for symbol in &symbols {
        let home = match symbol {
            Symbol::Declaration(id) => analysis.model().get(*id).map(|declaration| declaration.file),
            Symbol::Node(..) => Some(file),
            Symbol::Member(place) | Symbol::Variable(place) => Some(place.file),
            _ => None,
        };
        if home.is_none_or(|home| home.0 == 0) {
            let written = analysis.text_of(*place);
            return Err(match symbol {
                Symbol::File(_) => format!("{written} is a file: rename it where files are listed, and the imports follow"),
                _ => format!("`{written}` is built in and cannot be renamed"),
            });
        }
    }
    Ok((symbols, part(analysis, first)))
}

fn declared_name(analysis: &Analysis, symbol: &Symbol) -> Option<String> {
    match symbol {
        Symbol::Declaration(id) => Some(analysis.model().get(*id)?.name.to_string()),
        _ => None,
    }
}

/// Whether a text can be a name.
fn check_name(name: &str, is_topic: bool, quoted: bool) -> Result<(), String> {
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let is_right = match (is_topic, quoted) {
        (true, _) => {
            name.contains('.') && name.split('.').all(|part| is_word(part) && !part.contains(|letter: char| letter.is_uppercase()))
        }
        (_, true) => !name.contains(['"', '\\']) && !name.chars().any(char::is_control),
        _ => is_word(name),
    };
    match (is_right, is_topic) {
        (true, _) => Ok(()),
        (false, true) => Err(format!("`{name}` is not a topic: a topic consists of at least two lowercase words, separated by dots")),
        (false, false) => {
            Err(format!("`{name}` is not a name: a name consists of letters, digits and `_`, and does not start with a digit"))
        }
    }
}

/// The part of a word that another name takes the place of: what stands in its quotes; of a tool under the name of its toolkit, its own name.
fn part(analysis: &Analysis, mention: &Mention) -> Place {
    let mut place = inside(analysis, mention.place);
    let declared = declared_name(analysis, &mention.symbol);
    let before = declared.as_deref().and_then(|name| analysis.text_of(place).strip_suffix(name));
    if let Some(before) = before.filter(|before| before.ends_with("__")) {
        place.span.start += before.len() as u32;
    }
    place
}

/// A place without the quotes of what stands there.
fn inside(analysis: &Analysis, place: Place) -> Place {
    let mut span = place.span;
    if analysis.text_of(place).starts_with('"') && span.len() > 1 {
        (span.start, span.end) = (span.start + 1, span.end - 1);
    }
    Place { span, ..place }
}

/// These, and what must be called alike: fields that one word reads at once, and the parameters of a prompt and of the agents that use it.
fn closed(analysis: &Analysis, mut symbols: BTreeSet<Symbol>) -> BTreeSet<Symbol> {
    loop {
        let before = symbols.len();
        let linked: Vec<Symbol> = symbols.iter().flat_map(|symbol| linked(analysis, symbol)).collect();
        symbols.extend(linked);
        if symbols.iter().any(|symbol| matches!(symbol, Symbol::Member(_))) {
            let places: BTreeSet<Place> = mentions_of(analysis, &symbols, None).into_iter().map(|mention| mention.place).collect();
            let beside = places.into_iter().flat_map(|place| analysis.mentions_at(place.file, place.span.start + 1));
            let beside: Vec<Symbol> = beside.filter(|mention| mention.role != Role::Declares).map(|mention| mention.symbol).collect();
            symbols.extend(beside.into_iter().filter(|symbol| matches!(symbol, Symbol::Member(_))));
        }
        if symbols.len() == before {
            return symbols;
        }
    }
}

/// The parameters that a prompt gets from its agents by their names.
fn linked(analysis: &Analysis, symbol: &Symbol) -> Vec<Symbol> {
    let Symbol::Member(place) = symbol else { return Vec::new() };
    let named = |record: &RecordType| {
        record.fields.iter().find(|field| analysis.in_text(field.place) == *place).map(|field| Arc::clone(&field.name))
    };
    let mut found = Vec::new();
    for declaration in &analysis.model().declarations {
        let DeclarationKind::Agent(agent) = &declaration.kind else { continue };
        let prompt = agent.prompt.and_then(|id| analysis.model().get(id)).map(|declaration| &declaration.kind);
        let Some(DeclarationKind::Prompt(prompt)) = prompt else { continue };
        if let Some(name) = named(&agent.input).or_else(|| named(&prompt.input)) {
            let both = [&agent.input, &prompt.input].into_iter().filter_map(|record| record.field(&name));
            found.extend(both.map(|field| Symbol::Member(analysis.in_text(field.place))));
        }
    }
    found
}

/// The files of a program, some of them changed.
struct Changed<'a> {
    sources: &'a SourceMap,
    texts: BTreeMap<FileId, String>,
}

impl Changed<'_> {
    fn text(&self, file: FileId) -> Arc<str> {
        match self.texts.get(&file) {
            Some(text) => text.as_str().into(),
            None => self.sources.get(file).map(|source| Arc::clone(source.text())).unwrap_or_default(),
        }
    }
}

impl Loader for Changed<'_> {
    fn load(&self, path: &str) -> Result<Arc<str>, LoadError> {
        let found = self.sources.iter().find(|(file, source)| file.0 > 0 && weave_compiler::normalize_path(source.name()) == path);
        found.map(|(file, _)| self.text(file)).ok_or(LoadError::NotFound)
    }
}

/// Looks whether the program is as right as before.
fn verify(analysis: &Analysis, edits: &[Edit], name: &str) -> Result<(), String> {
    let snapshot = analysis.snapshot();
    let mut changed = Changed { sources: snapshot.sources(), texts: BTreeMap::new() };
    for edit in edits.iter().rev() {
        let text = changed.texts.entry(edit.place.file).or_insert_with(|| analysis.text(edit.place.file).to_owned());
        if text.get(edit.place.span.range()).is_some() {
            text.replace_range(edit.place.span.range(), &edit.text);
        }
    }
    let roots = snapshot.sources().iter().filter(|(file, _)| snapshot.is_root(*file));
    let inputs = roots.map(|(file, source)| Input { path: source.name().to_owned(), text: changed.text(file) });
    let after = check(inputs.collect(), &changed);
    let errors = |diagnostics: &[weave_diagnostics::Diagnostic]| diagnostics.iter().filter(|found| found.is_error()).count();
    let before = [analysis.mistakes(), &snapshot.refusals()].concat();
    if errors(after.diagnostics()) <= errors(&before) {
        return Ok(());
    }
    let known: BTreeSet<&str> = before.iter().map(|found| found.message.as_str()).collect();
    let new = after.diagnostics().iter().filter(|found| found.is_error()).find(|found| !known.contains(found.message.as_str()));
    let why = new.map(|found| found.message.clone()).unwrap_or_default();
    Err(format!("with the name `{name}` the program would be wrong: {why}"))
}
