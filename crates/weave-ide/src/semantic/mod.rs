//! What the words of a file are, for editors that colour them by what they mean.
//!
//! Names are coloured as what they mean, whatever the lexer takes them for; the other words by what stands around them. Strings are left out
//! where a placeholder is, so that the paths in prompts have the colours of paths.

mod names;
mod texts;

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use weave_analysis::model::{DeclarationId, Looks};
use weave_analysis::watch;
use weave_diagnostics::{FileId, Span};
use weave_syntax::ast::ItemKind;
use weave_syntax::{ParsedItem, TokenKind};

use crate::Analysis;
use crate::analysis::ItemView;

/// What a word is: the standard kinds of the protocol, as far as the language has something of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum SemanticKind {
    /// A toolkit.
    Namespace,
    /// A type, a union or an error; a scalar type.
    Type,
    /// An agent.
    Class,
    /// An enum.
    Enum,
    /// A topic.
    Event,
    /// A tool or a workflow; a function of guards.
    Function,
    /// What is called on a value: `.items.exists(…)`.
    Method,
    /// A prompt.
    Macro,
    /// A value of an enum or a variant of a union.
    EnumMember,
    /// A field or a key.
    Property,
    /// A parameter.
    Parameter,
    /// A step, a bound variable, or a value that is always there.
    Variable,
    /// An attribute, or a rule that one names.
    Decorator,
    /// A word of the language.
    Keyword,
    /// Text.
    String,
    /// A number or a duration.
    Number,
    /// A comment.
    Comment,
}

impl SemanticKind {
    /// All kinds, each at the index that it is as a number.
    pub const ALL: [Self; 17] = [
        Self::Namespace,
        Self::Type,
        Self::Class,
        Self::Enum,
        Self::Event,
        Self::Function,
        Self::Method,
        Self::Macro,
        Self::EnumMember,
        Self::Property,
        Self::Parameter,
        Self::Variable,
        Self::Decorator,
        Self::Keyword,
        Self::String,
        Self::Number,
        Self::Comment,
    ];
}

/// What else is known of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemanticModifiers {
    /// It declares what it names.
    pub declaration: bool,
    /// Nobody should use it any more.
    pub deprecated: bool,
    /// The language brings it along.
    pub built_in: bool,
    /// It is shown to readers.
    pub documentation: bool,
}

/// A word, or a part of a text, within one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: SemanticKind,
    /// What else is known of it.
    pub modifiers: SemanticModifiers,
}

/// So many items are worth the other cores.
const WORTH_THREADS: usize = 32;

/// What the words of a file are, or of those items that a range touches, in the order of the text. No two overlap, and none goes beyond its line.
#[must_use]
pub fn semantic_tokens(analysis: &Analysis, file: FileId, within: Option<Span>) -> Vec<SemanticToken> {
    let Some(unit) = analysis.unit(file) else { return Vec::new() };
    let length = unit.syntax.text.len() as u32;
    let within = within.unwrap_or(Span::new(0, length));
    let touches = |item: &ItemView<'_>| item.slot.start <= within.end && within.start <= item.slot.end;
    let items: Vec<(ItemView<'_>, Around)> = analysis.items(file).map(|item| (item, texts::around(&unit.syntax, item.span()))).collect();
    let unknown = |(item, around): &&(ItemView<'_>, Around)| touches(item) && analysis.tokens.get(item, *around).is_none();
    let unknown: Vec<&(ItemView<'_>, Around)> = items.iter().filter(unknown).collect();
    let names = || names::Names::new(analysis);
    let find = |names: &mut names::Names<'_>, (item, around): &(ItemView<'_>, Around)| {
        analysis.tokens.insert(item, Known::new(item, *around, &unit.syntax, names));
    };
    if unknown.len() < WORTH_THREADS {
        let names = &mut names();
        unknown.into_iter().for_each(|item| find(names, item));
    } else {
        unknown.into_par_iter().for_each_init(names, |names, item| find(names, item));
    }
    let mut found = Vec::new();
    // Between items there are comments.
    let mut end = 0;
    for (item, around) in &items {
        found.extend(texts::words(&unit.syntax, Span::new(end, item.slot.start)));
        end = item.slot.end;
        if touches(item) {
            let tokens = analysis.tokens.get(item, *around).unwrap_or_default();
            found.extend(tokens.iter().map(|token| SemanticToken { span: token.span.shifted(item.slot.start), ..*token }));
        }
    }
    found.extend(texts::words(&unit.syntax, Span::new(end, length)));
    found.retain(|token| token.span.start <= within.end && within.start <= token.span.end);
    found
}

/// The tokens of items, by file and item: those that were asked for, and still hold.
#[derive(Debug, Default)]
pub(crate) struct KnownTokens(Mutex<FxHashMap<(FileId, u32), Known>>);

/// What is known of an item.
#[derive(Debug)]
struct Known {
    /// Its tree; another text would have another one.
    parsed: Arc<ParsedItem>,
    /// The words before and behind it.
    around: Around,
    /// The declarations that its names depend on.
    looks: Looks,
    /// Its tokens, counted from its start.
    tokens: Arc<[SemanticToken]>,
}

/// The words before and behind an item.
type Around = (Option<TokenKind>, Option<TokenKind>);

impl KnownTokens {
    /// Moves out what still holds after these declarations have changed. What a test refers to depends on the nodes of its workflow too, which are not
    /// declarations, so the tokens of tests are found again.
    pub(crate) fn hand_on(&self, changed: &FxHashSet<DeclarationId>) -> Self {
        let mut known = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        known.retain(|_, known| !known.is_test() && (changed.is_empty() || !known.looks.at_any(changed)));
        Self(Mutex::new(known))
    }

    /// The tokens of an item between these words, counted from its start, if they are known.
    fn get(&self, item: &ItemView<'_>, around: Around) -> Option<Arc<[SemanticToken]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get(&(item.context.file, item.index))?;
        let still_holds = Arc::ptr_eq(&known.parsed, &item.slot.parsed) && known.around == around;
        still_holds.then(|| Arc::clone(&known.tokens))
    }

    fn insert(&self, item: &ItemView<'_>, known: Known) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((item.context.file, item.index), known);
    }
}

impl Known {
    fn is_test(&self) -> bool {
        matches!(self.parsed.item.kind, ItemKind::Test(_))
    }

    /// Finds the tokens of an item between these words.
    fn new(item: &ItemView<'_>, around: Around, syntax: &weave_syntax::File, names: &mut names::Names<'_>) -> Self {
        let (names, looks) = watch(|| names.of(item));
        let tokens = merged(names, texts::words(syntax, item.span()));
        let from = item.slot.start;
        let counted = |token: SemanticToken| SemanticToken { span: Span::new(token.span.start - from, token.span.end - from), ..token };
        let tokens = tokens.into_iter().map(counted).collect();
        Self { parsed: Arc::clone(&item.slot.parsed), around, looks, tokens }
    }
}

/// Names come first: what overlaps one is left out.
fn merged(names: Vec<SemanticToken>, others: Vec<SemanticToken>) -> Vec<SemanticToken> {
    let mut found = Vec::with_capacity(names.len() + others.len());
    let mut others = others.into_iter().peekable();
    let mut end = 0;
    for name in names {
        if name.span.start < end {
            continue;
        }
        while let Some(other) = others.next_if(|other| other.span.start < name.span.end) {
            if end <= other.span.start && other.span.end <= name.span.start {
                found.push(other);
            }
        }
        end = name.span.end;
        found.push(name);
    }
    found.extend(others.filter(|other| end <= other.span.start));
    found
}
