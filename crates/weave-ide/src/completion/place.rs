//! What kind of place the cursor is at, as the tokens before it say.

use weave_analysis::model::types::Scalar;
use weave_diagnostics::Span;
use weave_syntax::{TokenKind as K, Tokens};

/// What may be named at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted<'a> {
    /// An agent, behind `ask`.
    Agent,
    /// Something that can be called.
    Callable,
    /// A workflow, behind `run`.
    Workflow,
    /// A topic that can be emitted.
    Emitted,
    /// Any topic.
    Topic,
    /// What makes a node fire.
    Trigger,
    /// A step.
    Step,
    /// A type.
    Type,
    /// A prompt.
    Prompt,
    /// What a model can be offered.
    Offered,
    /// What a toolkit can hold.
    Grouped,
    /// A failure.
    Failure,
    /// A name of the file that is imported from.
    Imported,
    /// An attribute.
    Attribute,
    /// What stands in the parentheses of this attribute, behind that many commas.
    Argument(&'a str, usize),
    /// A rule of the linter.
    Rule,
    /// One of the words that this setting takes.
    ValueOf(&'a str),
    /// The value of this setting, of which nobody knows what it is.
    AnyOf(&'a str),
    /// What limits a type, in its parentheses.
    Limit(Limited<'a>),
    /// A setting, in the block of this one or of the item itself.
    Setting(Option<&'a str>),
    /// Nothing that has been named before: a new name, or text.
    New,
    /// Only what the grammar reads.
    Grammar,
}

/// What kind of type is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limited<'a> {
    Scalar(&'a str),
    List,
    Map,
}

impl Wanted<'_> {
    /// Whether a word of the grammar may stand here as well. Where a name is wanted, the grammar reads any value only to explain what is wrong.
    pub(super) fn goes_with(self, word: &str) -> bool {
        match self {
            Self::Trigger => !matches!(word, "when" | "also" | "else"),
            Self::Type => matches!(word, "true" | "false" | "null"),
            // These settings are words of the grammar, and are offered as settings where they may stand.
            Self::Setting(None) | Self::Grammar | Self::Topic => !matches!(word, "example" | "progress" | "artifacts" | "timeout"),
            _ => false,
        }
    }
}

/// A place in a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InTest<'a> {
    /// Behind the name of a test.
    Header,
    /// Where the workflow is named.
    Workflow,
    /// Where a line begins.
    Line,
    /// Behind these words of a line.
    Words(Vec<&'a str>),
    /// In the brackets behind this verb.
    List(&'a str),
    /// In a value.
    Value,
}

/// The tokens of an item before the cursor; blanks, comments and docs are left out.
pub(super) struct Before<'a> {
    text: &'a str,
    code: Vec<(K, Span)>,
    /// Where the cursor is, or the word that it is in starts.
    to: u32,
}

impl<'a> Before<'a> {
    /// The tokens between two offsets.
    pub(super) fn new(text: &'a str, tokens: &Tokens, from: u32, to: u32) -> Self {
        let all = (tokens.at(from)..tokens.len()).take_while(|index| tokens.start(*index) < to);
        let code = all
            .map(|index| (tokens.kind(index), tokens.span(index)))
            .filter(|(kind, _)| !kind.is_trivia() && !matches!(kind, K::Doc | K::ModuleDoc));
        Self { text, code: code.collect(), to }
    }

    fn token(&self, back: usize) -> Option<&(K, Span)> {
        self.code.len().checked_sub(back + 1).and_then(|at| self.code.get(at))
    }

    fn kind(&self, back: usize) -> Option<K> {
        self.token(back).map(|(kind, _)| *kind)
    }

    /// The text of a token, counted back from the cursor.
    fn word(&self, back: usize) -> &'a str {
        self.token(back).map_or("", |(_, span)| span.text(self.text))
    }

    /// The word that says what is declared; attributes stand before it.
    pub(super) fn head(&self) -> Option<K> {
        let mut at = 0;
        let kind = |at: usize| self.code.get(at).map(|(kind, _)| *kind);
        while kind(at) == Some(K::At) {
            at += 2;
            if kind(at) != Some(K::ParenOpen) {
                continue;
            }
            let mut depth = 0_usize;
            loop {
                let here = kind(at)?;
                at += 1;
                if here.is_opener() {
                    depth += 1;
                } else if here.is_closer() {
                    depth = depth.saturating_sub(1);
                }
                if depth == 0 {
                    break;
                }
            }
        }
        kind(at)
    }

    /// The innermost bracket that is open at the cursor, counted back.
    fn opener(&self) -> Option<usize> {
        let mut depth = 0_usize;
        (0..self.code.len()).find(|back| match self.kind(*back) {
            Some(kind) if kind.is_closer() => {
                depth += 1;
                false
            }
            Some(kind) if kind.is_opener() && depth == 0 => true,
            Some(kind) if kind.is_opener() => {
                depth -= 1;
                false
            }
            _ => false,
        })
    }

    /// The brackets that are open at the cursor, the outermost first.
    pub(super) fn brackets(&self) -> Vec<K> {
        let mut open = Vec::new();
        for kind in self.code.iter().map(|(kind, _)| *kind) {
            if kind.is_opener() {
                open.push(kind);
            } else if kind.is_closer() {
                open.pop();
            }
        }
        open
    }

    /// The attribute in whose parentheses the cursor is, and how many commas stand before it.
    fn argument(&self, open: usize) -> Option<Wanted<'a>> {
        if self.kind(open) != Some(K::ParenOpen) || self.kind(open + 2) != Some(K::At) {
            return None;
        }
        let is_next = open == 0 || self.kind(0) == Some(K::Comma);
        let commas = (0..open).filter(|back| self.kind(*back) == Some(K::Comma)).count();
        Some(match self.word(open + 1) {
            "allow" if open == 0 => Wanted::Rule,
            attribute if is_next => Wanted::Argument(attribute, commas),
            _ => Wanted::New,
        })
    }

    /// What may be named here.
    pub(super) fn wanted(&self) -> Wanted<'a> {
        let head = self.head();
        if self.kind(0) == Some(K::At) {
            return Wanted::Attribute;
        }
        match self.word(0) {
            "ask" => return Wanted::Agent,
            "call" => return Wanted::Callable,
            "run" => return Wanted::Workflow,
            "emit" => return Wanted::Emitted,
            "wait" => return Wanted::Topic,
            "cancel" => return Wanted::Step,
            "on" if !self.is_in_block_of("retry") => return Wanted::Trigger,
            "from" if head != Some(K::Import) => return Wanted::Step,
            "prompt" if self.code.len() > 1 => return Wanted::Prompt,
            "as" | "by" | "step" | "end" | "fail" => return Wanted::New,
            // What a type or a payload is.
            "=" if matches!(head, Some(K::Type | K::Event | K::External)) && self.brackets().is_empty() => return Wanted::Type,
            "when" | "&&" | "||" | "!" | "=" | "==" | "!=" | "??" => return Wanted::Grammar,
            _ => {}
        }
        match self.kind(0) {
            Some(K::Arrow) if head == Some(K::Event) || head == Some(K::External) => return Wanted::Topic,
            Some(K::Arrow | K::Less) => return Wanted::Type,
            Some(K::Colon) => return Wanted::Type,
            Some(K::Pipe) => return self.alternative(head),
            Some(kind) if kind.is_word() && self.is_setting_name() => return Wanted::ValueOf(self.word(0)),
            Some(kind) if kind.is_word() && self.is_plain_setting(head) => return Wanted::AnyOf(self.word(0)),
            _ => {}
        }
        self.inside(head)
    }

    /// Whether the last word is the name of a setting: first on its line, or behind a comma or a brace, and not in a header.
    fn is_setting_name(&self) -> bool {
        !weave_analysis::vocabulary::values_of(self.word(0)).is_empty()
    }

    /// Whether the last word is the name of a setting whose value no list of words or names says: first in its block, on its line or behind a comma.
    fn is_plain_setting(&self, head: Option<K>) -> bool {
        let begins = match self.kind(1) {
            Some(K::BraceOpen | K::Comma) => true,
            _ => self.breaks_before(0),
        };
        let is_setting = |open: usize| match self.setting_before(open) {
            Some(setting) => weave_analysis::vocabulary::settings_in(setting).contains(&self.word(0)),
            None => self.is_block(open, head) && weave_analysis::vocabulary::PLAIN.contains(&self.word(0)),
        };
        begins && self.opener().is_some_and(|open| self.kind(open) == Some(K::BraceOpen) && is_setting(open))
    }

    /// Whether a line break stands before a token.
    fn breaks_before(&self, back: usize) -> bool {
        let (Some((_, before)), Some((_, span))) = (self.token(back + 1), self.token(back)) else { return false };
        Span::new(before.end, span.start).text(self.text).contains('\n')
    }

    /// What the parentheses limit that open here, if that is a type.
    fn limited(&self, open: usize) -> Option<Limited<'a>> {
        match self.kind(open + 1)? {
            K::BracketClose => Some(Limited::List),
            K::Greater => Some(Limited::Map),
            kind if kind.is_word() => {
                let is_type = matches!(self.kind(open + 2)?, K::Colon | K::Pipe | K::Arrow | K::Less | K::Assign | K::ParenOpen);
                (is_type && Scalar::from_name(self.word(open + 1)).is_some()).then(|| Limited::Scalar(self.word(open + 1)))
            }
            _ => None,
        }
    }

    /// Whether the cursor is in a guard: a `when` stands before it, and nothing that ends a guard between.
    pub(super) fn is_in_guard(&self) -> bool {
        let ends = |kind: K| matches!(kind, K::BraceOpen | K::BraceClose | K::Assign | K::Pipe | K::Limit | K::Each | K::Colon);
        let end = (0..self.code.len()).find(|back| self.word(*back) == "when" || self.kind(*back).is_some_and(ends));
        end.is_some_and(|back| self.word(back) == "when" && self.kind(back + 1) != Some(K::Dot))
    }

    /// The variables that the quantifiers around the cursor bind, the innermost first: `.xs.exists(x, …`.
    pub(super) fn bound(&self) -> Vec<&'a str> {
        let mut depth = 0_usize;
        let mut found = Vec::new();
        for back in 0..self.code.len() {
            match self.kind(back) {
                _ if self.word(back) == "when" => break,
                Some(kind) if kind.is_closer() => depth += 1,
                Some(kind) if kind.is_opener() && depth > 0 => depth -= 1,
                Some(K::ParenOpen) => {
                    let is_quantifier = matches!(self.word(back + 1), "exists" | "all") && self.kind(back + 2) == Some(K::Dot);
                    let binds = back.checked_sub(2).filter(|comma| self.kind(*comma) == Some(K::Comma)).is_some();
                    if is_quantifier && binds {
                        found.push(self.word(back - 1));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// What the step is asked for that a `from` right before the cursor names.
    pub(super) fn asked_for(&self) -> Option<&'a str> {
        if self.word(0) != "from" {
            return None;
        }
        let (_, last) = self.token(1)?;
        let mut start = *last;
        for (_, span) in self.code.iter().rev().skip(2).take_while({
            let mut next = start.start;
            move |(_, span)| std::mem::replace(&mut next, span.start) == span.end
        }) {
            start = *span;
        }
        Some(Span::new(start.start, last.end).text(self.text))
    }

    /// Whether the last token is this word.
    pub(super) fn ends_with(&self, word: &str) -> bool {
        self.word(0) == word
    }

    /// Whether the cursor is in the brackets that a word opens.
    pub(super) fn is_in_list_of(&self, word: &str) -> bool {
        self.opener().is_some_and(|open| self.kind(open) == Some(K::BracketOpen) && self.word(open + 1) == word)
    }

    /// Whether a step may stand at the cursor that is the one around it: in `history`, and where its failure or its timeout is awaited.
    pub(super) fn is_of_loop(&self) -> bool {
        let before = self.opener().map(|open| self.word(open + 1));
        self.is_in_list_of("history") || before.is_some_and(|word| matches!(word, "failure" | "timeout"))
    }

    /// Whether a key of an object may begin at the cursor.
    pub(super) fn begins_entry(&self) -> bool {
        let in_braces = self.opener().is_some_and(|open| self.kind(open) == Some(K::BraceOpen));
        in_braces && (matches!(self.kind(0), Some(K::BraceOpen | K::Comma)) || (self.begins_line() && self.kind(0) != Some(K::Colon)))
    }

    /// Where in a test the cursor is; nothing if it is in none.
    pub(super) fn in_test(&self) -> Option<InTest<'a>> {
        if self.head() != Some(K::Test) {
            return None;
        }
        let Some(open) = self.opener() else {
            return Some(if self.word(0) == "of" { InTest::Workflow } else { InTest::Header });
        };
        let is_body = self.kind(open) == Some(K::BraceOpen) && (self.word(open + 2) == "test" || self.word(open + 2) == "of");
        let verb = self.word(open + 1);
        if self.kind(open) == Some(K::BracketOpen) && matches!(verb, "open" | "expect") {
            return Some(InTest::List(verb));
        }
        if !is_body || self.kind(0) == Some(K::Assign) && !self.begins_line() {
            return Some(InTest::Value);
        }
        if self.begins_line() || open == 0 || self.kind(0) == Some(K::BraceClose) && self.begins_line() {
            return Some(InTest::Line);
        }
        // The words since the last line break.
        let mut words = vec![self.word(0)];
        for back in 0..open.saturating_sub(1) {
            let (Some((_, here)), Some((_, before))) = (self.token(back), self.token(back + 1)) else { break };
            if Span::new(before.end, here.start).text(self.text).contains('\n') {
                break;
            }
            words.push(before.text(self.text));
        }
        words.reverse();
        Some(InTest::Words(words))
    }

    /// Whether the innermost open bracket lies within a node.
    pub(super) fn is_in_node(&self) -> bool {
        self.head() == Some(K::Workflow) && self.brackets().len() > 1
    }

    fn is_in_block_of(&self, setting: &str) -> bool {
        self.opener()
            .is_some_and(|open| self.kind(open) == Some(K::BraceOpen) && (self.word(open + 1) == setting || self.word(open + 2) == setting))
    }

    /// Behind `|`: what the list before it is of.
    fn alternative(&self, head: Option<K>) -> Wanted<'a> {
        for back in 1..self.code.len() {
            match self.word(back) {
                "on" => return Wanted::Trigger,
                "wait" => return Wanted::Topic,
                "->" if matches!(head, Some(K::Event | K::External)) => return Wanted::Topic,
                "->" | ":" | "=" | "<" => return Wanted::Type,
                _ => {}
            }
        }
        Wanted::Grammar
    }

    /// In the innermost brackets, behind one of them or a comma or an entry.
    fn inside(&self, head: Option<K>) -> Wanted<'a> {
        let Some(open) = self.opener() else { return Wanted::Grammar };
        if let Some(argument) = self.argument(open) {
            return argument;
        }
        if let (Some(K::ParenOpen), Some(limited)) = (self.kind(open), self.limited(open)) {
            let begins = open == 0 || self.kind(0) == Some(K::Comma);
            return if begins { Wanted::Limit(limited) } else { Wanted::Grammar };
        }
        let before = self.word(open + 1);
        let follows = open == 0 || self.kind(0) == Some(K::Comma);
        match self.kind(open) {
            // What `exists` and `all` bind, and what other methods are given.
            Some(K::ParenOpen) if follows && self.kind(open + 2) == Some(K::Dot) => Wanted::Grammar,
            Some(K::ParenOpen) if follows => match before {
                "all" | "settled" | "of" | "failure" => Wanted::Step,
                "timeout" if open == 0 => Wanted::Step,
                // Parentheses around a type.
                _ if open == 0 && self.is_type_before(open, head) => Wanted::Type,
                _ if head == Some(K::Workflow) || self.is_in_guard() => Wanted::Grammar,
                _ => Wanted::New,
            },
            Some(K::BracketOpen) if follows => match before {
                "tools" if head == Some(K::Toolkit) => Wanted::Grouped,
                "tools" => Wanted::Offered,
                "fails" | "on" => Wanted::Failure,
                "history" => Wanted::Step,
                word if !weave_analysis::vocabulary::values_of(word).is_empty() => Wanted::ValueOf(word),
                _ => Wanted::Grammar,
            },
            Some(K::BraceOpen) if head == Some(K::Import) => {
                if follows {
                    Wanted::Imported
                } else {
                    Wanted::Grammar
                }
            }
            Some(K::BraceOpen) if self.is_list_of("cancel") => Wanted::Step,
            Some(K::BraceOpen) if follows || self.begins_line() => match self.setting_before(open) {
                Some(setting) => Wanted::Setting(Some(setting)),
                None if self.is_block(open, head) => Wanted::Setting(None),
                None => Wanted::Grammar,
            },
            _ => Wanted::Grammar,
        }
    }

    /// Whether a type is wanted where a bracket opens.
    fn is_type_before(&self, open: usize, head: Option<K>) -> bool {
        let is_body = head == Some(K::Workflow) && self.brackets().first() == Some(&K::BraceOpen);
        !is_body && matches!(self.kind(open + 1), Some(K::Colon | K::Arrow | K::Pipe | K::Less))
    }

    /// Whether a brace opens a block of settings, and no data or type: that of an item, or of a step.
    fn is_block(&self, open: usize, head: Option<K>) -> bool {
        let depth = self.brackets().len();
        let is_data = matches!(self.kind(open + 1), Some(K::Arrow | K::Colon)) || self.word(open + 1) == "=";
        !is_data && (depth == 1 || (depth == 2 && head == Some(K::Workflow)))
    }

    /// Whether the cursor is behind a comma in a list without brackets that this word begins.
    fn is_list_of(&self, begins: &str) -> bool {
        let mut back = 0;
        while self.kind(back) == Some(K::Comma) && self.kind(back + 1).is_some_and(K::is_word) {
            back += 2;
        }
        back > 0 && self.word(back) == begins
    }

    /// The names that stand in the innermost brackets before the cursor, if these list something, or in the list without brackets.
    pub(super) fn listed(&self) -> Vec<&'a str> {
        let end = match self.opener() {
            Some(open) if matches!(self.kind(open), Some(K::ParenOpen | K::BracketOpen)) => open,
            _ => (0..self.code.len()).find(|back| self.word(*back) == "cancel").unwrap_or(0),
        };
        (0..end).filter(|back| self.kind(*back).is_some_and(K::is_word)).map(|back| self.word(back)).collect()
    }

    /// The setting whose block a brace opens.
    fn setting_before(&self, open: usize) -> Option<&'a str> {
        [1, 2].into_iter().map(|more| self.word(open + more)).find(|word| !weave_analysis::vocabulary::settings_in(word).is_empty())
    }

    /// Whether a line break stands behind the last token.
    fn begins_line(&self) -> bool {
        let Some((_, last)) = self.token(0) else { return true };
        Span::new(last.end, self.to).text(self.text).contains('\n')
    }
}
