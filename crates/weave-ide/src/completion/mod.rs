//! What can stand at the cursor.

mod attributes;
mod beginning;
mod filling;
mod guards;
mod imports;
mod names;
mod paths;
mod place;
mod scripts;
mod snippets;

use std::cell::Cell;
use std::collections::BTreeSet;

use weave_analysis::model::types::FieldType;
use weave_analysis::model::workflow::WorkflowBody;
use weave_analysis::trace::{AtCursor, Trace, fields_of, strings_of, tags_of, trace, trace_test};
use weave_diagnostics::{Edit, FileId, Place, Span};
use weave_syntax::TokenKind as K;
use weave_syntax::ast::{ItemKind, NodeBody, StepEntry, Workflow};
use weave_syntax::text::quoted_string;

use crate::Analysis;
use crate::analysis::ItemView;
use crate::hover::{described_declaration, described_rule, value};
use place::{Before, Wanted};

pub use snippets::{SNIPPETS, Snippet};

/// What kind of thing is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionKind {
    /// A field, a parameter or a key.
    Field,
    /// A value that a leading dot names.
    Value,
    /// One of the strings that a value can be.
    Literal,
    /// A step.
    Step,
    /// A declared or built-in type.
    Type,
    /// An agent, a tool, a workflow, a prompt or a toolkit.
    Callable,
    /// A function or a method of guards.
    Function,
    /// A topic.
    Topic,
    /// An error or a built-in kind of failure.
    Failure,
    /// A setting, or a word that one takes.
    Setting,
    /// An attribute.
    Attribute,
    /// A rule of the linter.
    Rule,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A word of the grammar.
    Keyword,
    /// A whole declaration, node or action.
    Snippet,
}

/// Something that can stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub label: String,
    /// What kind of thing it is.
    pub kind: CompletionKind,
    /// Its type, or what else is said beside it.
    pub detail: String,
    /// What is known of it, in Markdown. What a declared name stands for is found out when it is asked for: [`described`] says it.
    pub docs: Option<String>,
    /// Whether nobody should use it any more.
    pub deprecated: bool,
    /// What is inserted in its place by an editor that has places to fill in, written as the protocol has them.
    pub snippet: Option<String>,
    /// The words that it is found by, if it is not its label.
    pub filter: Option<String>,
    /// What imports it when it is chosen.
    pub import: Option<Importing>,
}

/// How a name that is offered is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Importing {
    /// The file that declares it.
    pub file: FileId,
    /// What the import calls that file.
    pub path: String,
    /// The edit that imports it.
    pub edit: Edit,
}

impl Completion {
    /// What is inserted by an editor that has no places to fill in.
    #[must_use]
    pub fn plain_text(&self) -> String {
        match (&self.snippet, self.kind) {
            (Some(snippet), CompletionKind::Snippet) => filling::without_stops(snippet),
            _ => self.label.clone(),
        }
    }
}

/// What can stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// What is replaced: the word around the cursor.
    pub place: Place,
    /// What is offered, the most likely first.
    pub items: Vec<Completion>,
    /// Whether there are more, which are offered when more letters have been typed.
    pub more: bool,
    /// The file that knows the declared names: of those in the braces of an import the file that it names.
    pub known_in: FileId,
}

/// The words that begin the action of a step; it has one.
const ACTIONS: [&str; 6] = ["ask", "call", "run", "emit", "wait", "cancel"];

/// Longer lists are cut to what begins with what has been typed, or has its letters in it, and then to this length: nobody reads them, and each
/// item has its price with every key that is pressed.
const MOST: usize = 250;

/// What can stand at an offset.
#[must_use]
pub fn completion(analysis: &Analysis, file: FileId, offset: u32) -> Option<Completions> {
    let unit = analysis.unit(file)?;
    let tokens = &unit.syntax.tokens;
    // The token that ends at the cursor, or that it is in.
    let token = offset.checked_sub(1).map(|before| tokens.at(before)).filter(|index| *index < tokens.len());
    let span = token.map(|index| tokens.span(index));
    let kind = token.map(|index| tokens.kind(index));
    let item = analysis.item_at(file, offset).or_else(|| unclosed_before(analysis, file, offset));
    if kind.is_some_and(|kind| is_comment(kind, span, offset)) {
        return None;
    }
    let found = trace_at(analysis, file, item.as_ref(), offset);
    if matches!(kind, Some(K::String | K::TextBlock | K::OpenString | K::OpenTextBlock))
        && span.is_some_and(|span| offset < span.end || kind != Some(K::String))
    {
        let literal = (kind?, span?);
        return in_text(analysis, item.as_ref()?, &found, literal, offset).map(|found| shortened(analysis, found, offset));
    }
    // A literal that starts at the cursor is replaced as a whole.
    let literal = Some(tokens.at(offset)).filter(|next| *next < tokens.len() && tokens.kind(*next) == K::String);
    let literal = literal.map(|next| tokens.span(next)).filter(|span| span.start == offset && found.at_cursor.wanted.is_some());
    let word = literal.unwrap_or_else(|| word_at(analysis.text(file), offset));
    let completer = Completer { analysis, file, item, offset, trace: found, word, more: Cell::new(false) };
    let found = completer.joined().unwrap_or_else(|| completer.answer(completer.items()));
    Some(shortened(analysis, found, offset))
}

/// What is known of a name that was offered, in Markdown: of a name or a topic that a file can use, or of a rule.
#[must_use]
pub fn described(analysis: &Analysis, known_in: FileId, name: &str) -> Option<String> {
    let scope = analysis.model().scope(known_in)?;
    match scope.names.get(name).or_else(|| scope.topics.get(name)) {
        Some(id) => Some(described_declaration(analysis, analysis.model().get(*id)?)),
        None => described_rule(name),
    }
}

/// A list that is not too long, for what has been typed up to an offset.
fn shortened(analysis: &Analysis, mut found: Completions, offset: u32) -> Completions {
    if found.items.len() > MOST {
        let typed = Span::new(found.place.span.start, offset.max(found.place.span.start)).text(analysis.text(found.place.file));
        let typed = typed.to_ascii_lowercase();
        let filter = |item: &Completion| item.filter.clone().unwrap_or_else(|| item.label.clone());
        found.items.retain(|item| has_letters(&filter(item), &typed));
        let begins = |item: &Completion| filter(item).get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(&typed));
        found.items.sort_by_key(|item| !begins(item));
        found.items.truncate(MOST);
        found.more = true;
    }
    found
}

/// Whether these letters, which are small, stand in a text in their order, as editors look for them.
fn has_letters(text: &str, letters: &str) -> bool {
    let mut text = text.chars();
    letters.chars().all(|letter| text.any(|it| it.to_ascii_lowercase() == letter))
}

fn is_comment(kind: K, span: Option<Span>, offset: u32) -> bool {
    let inside = span.is_some_and(|span| offset < span.end);
    match kind {
        // A comment of a line ends with the line, and the cursor may be at its end.
        K::LineComment | K::Doc | K::ModuleDoc => true,
        K::BlockComment => inside,
        _ => false,
    }
}

/// The item that ends before an offset with a bracket still open: what is typed there belongs to it.
fn unclosed_before(analysis: &Analysis, file: FileId, offset: u32) -> Option<ItemView<'_>> {
    let syntax = &analysis.unit(file)?.syntax;
    let behind = syntax.items.partition_point(|slot| slot.end <= offset);
    let slot = syntax.items.get(behind.checked_sub(1)?)?;
    let is_open = !Before::new(&syntax.text, &syntax.tokens, slot.start, offset).brackets().is_empty();
    analysis.item_at(file, slot.end).filter(|item| is_open && item.slot.start == slot.start)
}

fn trace_at(analysis: &Analysis, file: FileId, item: Option<&ItemView<'_>>, offset: u32) -> Trace {
    match (item, analysis.unit(file)) {
        (Some(item), Some(unit)) if matches!(item.slot.parsed.item.kind, ItemKind::Test(_)) => {
            trace_test(analysis.model(), unit, item.index, Some(offset - item.slot.start), &|id| analysis.body(id))
        }
        (Some(item), Some(unit)) => trace(analysis.model(), unit, item.index, Some(offset - item.slot.start)),
        _ => Trace::default(),
    }
}

/// The letters around an offset.
fn word_at(text: &str, offset: u32) -> Span {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let (before, behind) = text.split_at_checked(offset as usize).unwrap_or((text, ""));
    let start = before.trim_end_matches(is_letter).len();
    let end = offset as usize + (behind.len() - behind.trim_start_matches(is_letter).len());
    Span::new(start as u32, end as u32)
}

/// In a string or a text block: placeholders, paths of imports, and strings of which only some are right.
fn in_text(analysis: &Analysis, item: &ItemView<'_>, trace: &Trace, (kind, span): (K, Span), offset: u32) -> Option<Completions> {
    let file = item.context.file;
    let at = &trace.at_cursor;
    let completer = Completer {
        analysis,
        file,
        item: Some(*item),
        offset,
        trace: Trace::default(),
        word: word_at(analysis.text(file), offset),
        more: Cell::new(false),
    };
    if at.fields_of.is_some() || !at.values.is_empty() {
        return Some(completer.answer(completer.values(at)));
    }
    if let Some(items) = completer.placeholder(span) {
        return Some(completer.answer(items));
    }
    // One that is not closed runs on to what stands behind the cursor.
    let is_open = matches!(kind, K::OpenString | K::OpenTextBlock);
    let inside = Span::new(span.start + 1, if is_open { offset } else { span.end.max(span.start + 2) - 1 });
    if matches!(item.slot.parsed.item.kind, ItemKind::Import(_)) {
        return Some(paths::offer(analysis, file, inside, offset));
    }
    let inside = completer.quoted(span).unwrap_or(inside);
    let strings = strings_of(analysis.model(), at.wanted.as_ref()?);
    let within_quotes = |string: &str| {
        let quoted = quoted_string(string);
        plain(quoted.get(1..quoted.len() - 1).unwrap_or_default(), CompletionKind::Literal)
    };
    let items = strings.iter().map(|string| within_quotes(string)).collect();
    Some(Completions { place: Place::new(file, inside), items, more: false, known_in: file })
}

/// Something of which nothing more is known than what it is called.
pub(crate) fn plain(label: &str, kind: CompletionKind) -> Completion {
    Completion {
        label: label.to_owned(),
        kind,
        detail: String::new(),
        docs: None,
        deprecated: false,
        snippet: None,
        filter: None,
        import: None,
    }
}

struct Completer<'a> {
    analysis: &'a Analysis,
    file: FileId,
    item: Option<ItemView<'a>>,
    offset: u32,
    trace: Trace,
    /// The word that is being typed.
    word: Span,
    /// Whether there is more than is offered.
    more: Cell<bool>,
}

impl Completer<'_> {
    fn answer(&self, items: Vec<Completion>) -> Completions {
        Completions { place: Place::new(self.file, self.word), items, more: self.more.get(), known_in: self.known_in() }
    }

    /// What is offered within a topic or the name of a rule, which are replaced as a whole; nothing if the cursor is in neither.
    fn joined(&self) -> Option<Completions> {
        self.within('.', |wanted| matches!(wanted, Wanted::Emitted | Wanted::Topic | Wanted::Trigger | Wanted::Imported))
            .or_else(|| self.within('-', |wanted| wanted == Wanted::Rule))
    }

    /// What is offered within words that this joins, if something of this kind is wanted there.
    fn within(&self, joint: char, accepts: fn(Wanted<'_>) -> bool) -> Option<Completions> {
        let text = self.analysis.text(self.file);
        let is_part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_' || letter == joint;
        let (before, behind) = (text.get(..self.word.start as usize)?, text.get(self.word.end as usize..)?);
        let start = before.trim_end_matches(is_part).len() as u32;
        let end = self.word.end + (behind.len() - behind.trim_start_matches(is_part).len()) as u32;
        let word = Span::new(start, end);
        if word == self.word || word.text(text).starts_with(joint) {
            return None;
        }
        let whole = Completer { trace: Trace::default(), word, more: Cell::new(false), ..*self };
        let wanted = whole.wanted();
        let mut items = Vec::new();
        if accepts(wanted) {
            names::offer(&whole, wanted, &mut items);
        }
        items.retain(|item| matches!(item.kind, CompletionKind::Topic | CompletionKind::Rule));
        (!items.is_empty()).then(|| whole.answer(items))
    }

    fn items(&self) -> Vec<Completion> {
        if let Some(items) = self.in_test() {
            return items;
        }
        let is_behind_dot = self.analysis.text(self.file).get(..self.word.start as usize).is_some_and(|text| text.ends_with('.'));
        // Without the dot that a repair has put in, what it names would be no value.
        if is_behind_dot {
            let values = self.values(&self.trace.at_cursor);
            if !values.is_empty() {
                return values;
            }
            // What stands behind a blank is taken for the name, such as the `as` of `each .items. as item`.
            let name = if self.word.is_empty() { self.tried_at("_", "") } else { None };
            let values = name.map(|at| self.values(&at)).unwrap_or_default();
            // What is called lacks its name, or has a wrong one: the path before it could be read without the call.
            let called = if values.is_empty() && self.is_followed_by('(') { self.tried_before_call() } else { None };
            return called.map_or(values, |at| self.values(&at));
        }
        let mut items = Vec::new();
        let wanted = self.wanted();
        let is_literal = self.word.text(self.analysis.text(self.file)).starts_with('"');
        let end = if is_literal { self.word.start } else { self.word.end };
        let expects = self.analysis.unit(self.file).map(|unit| unit.syntax.expected_at(end)).unwrap_or_default();
        if wanted == Wanted::New {
            return items;
        }
        if matches!(wanted, Wanted::Argument(..) | Wanted::AnyOf(_) | Wanted::Limit(_)) {
            names::offer(self, wanted, &mut items);
            return items;
        }
        if self.before().is_some_and(|before| before.begins_entry()) {
            self.keys(&mut items);
        }
        if items.is_empty() && expects.has_value() && matches!(wanted, Wanted::Grammar | Wanted::Type) {
            return self.begun_values();
        }
        if expects.name || !matches!(wanted, Wanted::Type) {
            names::offer(self, wanted, &mut items);
        }
        if let Some(ty) = self.trace.at_cursor.wanted.as_ref().filter(|_| expects.has(K::String)) {
            let strings = strings_of(self.analysis.model(), ty);
            items.extend(strings.iter().map(|string| plain(&quoted_string(string), CompletionKind::Literal)));
        }
        let mut known: BTreeSet<String> = items.iter().map(|item| item.label.clone()).collect();
        let words = expects.kinds.iter().filter(|kind| kind.is_keyword()).filter_map(|kind| kind.text());
        let has_action = self.has_action();
        for word in words.filter(|word| wanted.goes_with(word) && !(has_action && ACTIONS.contains(word))) {
            if known.insert(word.to_owned()) {
                items.push(plain(word, CompletionKind::Keyword));
            }
        }
        filling::offer(self, &expects, has_action, &mut items);
        items
    }

    /// The file that knows the declared names that are offered.
    fn known_in(&self) -> FileId {
        let imports = matches!(self.wanted(), Wanted::Imported);
        self.item.filter(|_| imports).and_then(|item| self.analysis.imported_file(&item)).unwrap_or(self.file)
    }

    /// The tokens before the cursor.
    fn before(&self) -> Option<Before<'_>> {
        let start = self.item.map_or_else(|| self.item_before(), |item| item.slot.start);
        let syntax = &self.analysis.unit(self.file)?.syntax;
        Some(Before::new(&syntax.text, &syntax.tokens, start, self.word.start))
    }

    /// What the tokens before the cursor want.
    fn wanted(&self) -> Wanted<'_> {
        self.before().map_or(Wanted::Grammar, |before| before.wanted())
    }

    /// What is typed of the word so far.
    fn typed(&self) -> &str {
        let end = self.offset.clamp(self.word.start, self.word.end);
        Span::new(self.word.start, end).text(self.analysis.text(self.file))
    }

    /// What stands behind the word on its line.
    fn behind(&self) -> &str {
        let rest = self.analysis.text(self.file).get(self.word.end as usize..).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default().trim()
    }

    fn is_followed_by(&self, letter: char) -> bool {
        self.behind().starts_with(letter)
    }

    /// Whether what the word names is called with nothing behind it yet.
    fn calls(&self, wanted: Wanted<'_>) -> bool {
        let is_action = matches!(wanted, Wanted::Agent | Wanted::Callable | Wanted::Workflow | Wanted::Emitted);
        is_action && (self.behind().is_empty() || self.is_followed_by('}'))
    }

    /// Where the item starts that ends before the cursor: what is typed behind it may still belong to it.
    fn item_before(&self) -> u32 {
        let unit = self.analysis.unit(self.file);
        let slot = unit.and_then(|unit| unit.syntax.items.iter().rev().find(|slot| slot.end <= self.offset));
        slot.map_or(self.word.start, |slot| slot.start)
    }

    /// What can be read behind a dot.
    fn values(&self, at: &AtCursor) -> Vec<Completion> {
        if let Some(owner) = &at.fields_of {
            let mut items = Vec::new();
            let model = self.analysis.model();
            items.extend(tags_of(model, owner).iter().map(|tag| plain(tag, CompletionKind::Field)));
            let mut seen: BTreeSet<&str> = BTreeSet::new();
            for field in fields_of(model, owner).into_iter().filter(|field| seen.insert(&field.name)) {
                items.push(self.field(field, field.optional));
            }
            items.extend(self.methods(owner));
            return items;
        }
        let answered = self.answered();
        let readable = at.values.iter().filter(|value| match &value.root {
            weave_analysis::model::value::PathRoot::Step { node, .. } => answered.as_ref().is_none_or(|steps| steps.contains(node)),
            _ => true,
        });
        let offered = readable.map(|named| Completion {
            detail: value(self.analysis, &format!(".{}", named.name), &named.ty, false),
            ..plain(&named.name, CompletionKind::Value)
        });
        offered.collect()
    }

    /// The keys that the object around the cursor may still get. One whose brace is not closed yet is looked at as if it were.
    fn keys(&self, items: &mut Vec<Completion>) {
        let closed = match self.trace.at_cursor.object {
            Some(_) => None,
            None => self.tried_at("", "}"),
        };
        let Some(object) = closed.as_ref().unwrap_or(&self.trace.at_cursor).object.as_ref() else { return };
        let written = Span::new(self.word.start, self.word.end).text(self.analysis.text(self.file));
        for (field, given) in object.record.fields.iter().zip(&object.given) {
            if !given || *field.name == *written {
                items.push(self.field(field, field.may_be_left_out()));
            }
        }
    }

    /// Whether the step around the cursor has its action already, and the cursor is not at the word that begins it.
    fn has_action(&self) -> bool {
        let Some((workflow, item)) = self.workflow() else { return false };
        let at = self.word.start - item.slot.start;
        let node = workflow.nodes.iter().find(|node| node.span.start < at && at <= node.span.end);
        let Some(NodeBody::Block { entries, .. }) = node.map(|node| &node.body) else { return false };
        // Nothing but a comma or a line break ends an entry: what else begins behind the cursor is part of what begins at it, such as a topic.
        let rest = self.analysis.text(self.file).get(self.word.end as usize..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let next = self.word.end - item.slot.start + blanks as u32;
        entries.iter().any(|entry| matches!(entry, StepEntry::Action(action) if action.span().start != at && action.span().start != next))
    }

    /// A field or a parameter.
    fn field(&self, field: &FieldType, absent: bool) -> Completion {
        Completion {
            detail: value(self.analysis, &field.name, &field.ty, absent),
            docs: field.docs.as_deref().map(str::to_owned),
            deprecated: field.deprecated.is_some(),
            ..plain(&field.name, CompletionKind::Field)
        }
    }

    /// The workflow around the cursor.
    fn workflow(&self) -> Option<(&Workflow, &ItemView<'_>)> {
        let item = self.item.as_ref()?;
        let ItemKind::Workflow(workflow) = &item.slot.parsed.item.kind else { return None };
        Some((workflow, item))
    }

    /// The workflow around the cursor, and its node there.
    fn node(&self) -> Option<(&WorkflowBody, u32)> {
        let (workflow, item) = self.workflow()?;
        let (id, _) = self.analysis.declared_by(item)?;
        let body = self.analysis.body(id)?;
        let at = self.offset - item.slot.start;
        let node = workflow.nodes.iter().rev().find(|node| node.span.start <= at)?;
        let name = node.name.text(item.context.text);
        let index = body.nodes.iter().position(|node| *node.name == *name)?;
        Some((body, index as u32))
    }

    /// The steps that may have answered where the cursor is; nothing if it is in no node.
    fn answered(&self) -> Option<BTreeSet<u32>> {
        let (body, node) = self.node()?;
        Some(weave_analysis::flow::answered_before(self.analysis.model(), body, node).into_iter().collect())
    }
}
