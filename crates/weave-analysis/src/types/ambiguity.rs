//! Patterns that engines which go back need exponential time for.
//!
//! An engine that tries one way after another, such as those of JavaScript and Python, tries all ways in which a repetition can take a text when what follows does not fit. If a text can
//! be taken in two ways on the way round a repetition, a text of *n* rounds can be taken in 2ⁿ ways. That is a question about the automaton of the pattern, whose states are the characters and classes in it: whether two
//! different ways lead around from a state to itself over one text. The ways between two states are counted, because `(a*)*` has one state and two ways.

use std::collections::BTreeMap;

use regex_syntax::ast::{self, Ast, ClassPerlKind, ClassSetItem, RepetitionKind, RepetitionRange};
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use weave_diagnostics::bounds::{PATTERN_STATES, PATTERN_STEPS};

use super::pattern::PatternProblem;

/// A repetition of more than so many times is as bad as one without end.
const MANY: u32 = 6;

/// What is repeated in a way that takes exponential time, or that is too large to tell.
pub(crate) fn ambiguity(pattern: &str) -> Option<PatternProblem> {
    let tree = ast::parse::Parser::new().parse(pattern).ok()?;
    let mut left = vec![&tree];
    while let Some(part) = left.pop() {
        match part {
            Ast::Repetition(repetition) if is_long(&repetition.op.kind) => {
                let reason = match Automaton::of(part).map(|automaton| automaton.is_ambiguous()) {
                    Some(Some(false)) => continue,
                    Some(Some(true)) => "what is repeated here can take one text in several ways",
                    _ => "what is repeated here is too large to be checked",
                };
                let span = repetition.span;
                return Some(PatternProblem { reason: reason.to_owned(), start: span.start.offset, end: span.end.offset });
            }
            Ast::Repetition(repetition) => left.push(&repetition.ast),
            Ast::Group(group) => left.push(&group.ast),
            Ast::Alternation(alternation) => left.extend(&alternation.asts),
            Ast::Concat(concat) => left.extend(&concat.asts),
            _ => {}
        }
    }
    None
}

const fn is_long(kind: &RepetitionKind) -> bool {
    let (_, most) = times(kind);
    match most {
        Some(most) => most > MANY,
        None => true,
    }
}

/// The least and the greatest number of times; none if there is no greatest.
const fn times(kind: &RepetitionKind) -> (u32, Option<u32>) {
    match kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(times)) => (*times, Some(*times)),
        RepetitionKind::Range(RepetitionRange::AtLeast(times)) => (*times, None),
        RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (*least, Some(*most)),
    }
}

/// Numbers of ways; more than one are two.
type Ways = BTreeMap<usize, u8>;

fn add(ways: &mut Ways, state: usize, more: u8) {
    if more == 0 {
        return;
    }
    let known = ways.entry(state).or_default();
    *known = known.saturating_add(more).min(2);
}

/// A part of a pattern: the states that it begins and ends with, and in how many ways it takes nothing.
#[derive(Clone, Default)]
struct Part {
    first: Ways,
    last: Ways,
    empty: u8,
}

/// The states of a repetition, and in how many ways one follows another.
#[derive(Default)]
struct Automaton {
    classes: Vec<ClassUnicode>,
    follow: Vec<Ways>,
}

impl Automaton {
    /// The automaton of a repetition as one without end; none if it is too large.
    fn of(repetition: &Ast) -> Option<Self> {
        let mut automaton = Self::default();
        let Ast::Repetition(repetition) = repetition else { return None };
        let part = automaton.part(&repetition.ast)?;
        automaton.connect(&part, &part);
        Some(automaton)
    }

    fn connect(&mut self, before: &Part, behind: &Part) {
        for (last, ways) in &before.last {
            for (first, more) in &behind.first {
                if let Some(follow) = self.follow.get_mut(*last) {
                    add(follow, *first, ways.saturating_mul(*more));
                }
            }
        }
    }

    // The parser of patterns bounds how deep they nest.
    fn part(&mut self, tree: &Ast) -> Option<Part> {
        match tree {
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => Some(Part { empty: 1, ..Part::default() }),
            Ast::Group(group) => self.part(&group.ast),
            Ast::Concat(concat) => {
                let mut whole = Part { empty: 1, ..Part::default() };
                for part in &concat.asts {
                    let next = self.part(part)?;
                    whole = self.then(&whole, &next);
                }
                Some(whole)
            }
            Ast::Alternation(alternation) => {
                let mut whole = Part::default();
                for part in &alternation.asts {
                    let one = self.part(part)?;
                    one.first.iter().for_each(|(state, ways)| add(&mut whole.first, *state, *ways));
                    one.last.iter().for_each(|(state, ways)| add(&mut whole.last, *state, *ways));
                    whole.empty = whole.empty.saturating_add(one.empty).min(2);
                }
                Some(whole)
            }
            Ast::Repetition(repetition) => self.repeated(repetition),
            leaf => {
                if self.classes.len() >= PATTERN_STATES.most {
                    return None;
                }
                let state = self.classes.len();
                self.classes.push(class(leaf));
                self.follow.push(Ways::new());
                let only = Ways::from([(state, 1)]);
                Some(Part { first: only.clone(), last: only, empty: 0 })
            }
        }
    }

    fn then(&mut self, one: &Part, next: &Part) -> Part {
        self.connect(one, next);
        let mut whole = Part { first: one.first.clone(), last: next.last.clone(), empty: one.empty.saturating_mul(next.empty).min(2) };
        next.first.iter().for_each(|(state, ways)| add(&mut whole.first, *state, ways.saturating_mul(one.empty)));
        one.last.iter().for_each(|(state, ways)| add(&mut whole.last, *state, ways.saturating_mul(next.empty)));
        whole
    }

    /// Counts are made small: what can be taken in several ways with many can be so with few.
    fn repeated(&mut self, repetition: &ast::Repetition) -> Option<Part> {
        let (least, most) = times(&repetition.op.kind);
        let copies = match most {
            Some(most) if most <= MANY && most == least => most.min(2),
            Some(most) if most == least => 2,
            Some(most) if most <= MANY => most.min(3),
            Some(_) | None => least.clamp(1, 2),
        };
        // `a{1,3}` is `a(a(a)?)?`, not `aa?a?`: a round that is missing ends the repetition, so a text is taken in one way.
        let mut whole = Part { empty: 1, ..Part::default() };
        for copy in (1..=copies).rev() {
            let part = self.part(&repetition.ast)?;
            let is_last_of_loop = copy == copies && most.is_none_or(|most| most > MANY && most != least);
            if is_last_of_loop {
                self.connect(&part, &part);
            }
            let may_lack = copy > least.min(2) || (most != Some(least) && copy > least);
            // Engines do not count an optional round that takes nothing.
            let part = if may_lack { Part { empty: 0, ..part } } else { part };
            whole = self.then(&part, &whole);
            if may_lack {
                whole.empty = 1;
            }
        }
        Some(whole)
    }

    /// Whether two ways lead around over one text; none if that takes too long to tell.
    fn is_ambiguous(&self) -> Option<bool> {
        let mut pairs = Pairs { automaton: self, numbers: BTreeMap::new(), pairs: Vec::new(), steps: 0 };
        pairs.components()
    }
}

/// Two states that the same text leads to, in order.
type Pair = (usize, usize);

/// The pairs of states that one text leads to from one state.
struct Pairs<'a> {
    automaton: &'a Automaton,
    numbers: BTreeMap<Pair, usize>,
    pairs: Vec<Pair>,
    steps: usize,
}

impl Pairs<'_> {
    fn number(&mut self, one: usize, other: usize) -> usize {
        let pair = (one.min(other), one.max(other));
        let fresh = self.pairs.len();
        let number = *self.numbers.entry(pair).or_insert(fresh);
        if number == fresh {
            self.pairs.push(pair);
        }
        number
    }

    /// The pairs after a pair, and whether there are several ways to them from a state to a state.
    fn behind(&mut self, pair: Pair) -> Option<Vec<(usize, bool)>> {
        let automaton = self.automaton;
        let (Some(one), Some(other)) = (automaton.follow.get(pair.0), automaton.follow.get(pair.1)) else { return Some(Vec::new()) };
        let mut found = Vec::new();
        for (first, ways) in one {
            for (second, more) in other {
                self.steps += 1;
                if self.steps > PATTERN_STEPS.most {
                    return None;
                }
                let (Some(a), Some(b)) = (automaton.classes.get(*first), automaton.classes.get(*second)) else { continue };
                if first == second || overlap(a, b) {
                    let several = pair.0 == pair.1 && first == second && ways.max(more) > &1;
                    found.push((self.number(*first, *second), several));
                }
            }
        }
        Some(found)
    }

    /// Looks for a strongly connected component with a pair of one state and a pair of two, or with several ways from a state to a state: Tarjan's algorithm, without
    /// recursion.
    fn components(&mut self) -> Option<bool> {
        for state in 0..self.automaton.classes.len() {
            self.number(state, state);
        }
        let mut graph: Vec<Vec<(usize, bool)>> = Vec::new();
        while let Some(pair) = self.pairs.get(graph.len()).copied() {
            let edges = self.behind(pair)?;
            graph.push(edges);
        }
        let component = components(&graph);
        let mut kinds: BTreeMap<usize, (bool, bool)> = BTreeMap::new();
        for (pair, component) in self.pairs.iter().zip(&component) {
            let kinds = kinds.entry(*component).or_default();
            if pair.0 == pair.1 { kinds.0 = true } else { kinds.1 = true }
        }
        let is_double = |(from, edges): (usize, &Vec<(usize, bool)>)| {
            edges.iter().any(|(to, several)| *several && component.get(*to) == component.get(from))
        };
        Some(kinds.values().any(|kinds| *kinds == (true, true)) || graph.iter().enumerate().any(is_double))
    }
}

/// A number for each node, the same for those that lead to each other.
fn components(graph: &[Vec<(usize, bool)>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut index = vec![NONE; graph.len()];
    let mut low = vec![NONE; graph.len()];
    let mut component = vec![NONE; graph.len()];
    let (mut next, mut stack) = (0, Vec::new());
    let get = |list: &[usize], at: usize| list.get(at).copied().unwrap_or(NONE);
    let set = |list: &mut [usize], at: usize, value: usize| {
        if let Some(place) = list.get_mut(at) {
            *place = value;
        }
    };
    for root in 0..graph.len() {
        let mut way: Vec<(usize, usize)> = if get(&index, root) == NONE { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, edge)) = way.pop() {
            if edge == 0 {
                set(&mut index, node, next);
                set(&mut low, node, next);
                next += 1;
                stack.push(node);
            }
            let edges = graph.get(node).map(Vec::as_slice).unwrap_or_default();
            if let Some((to, _)) = edge.checked_sub(1).and_then(|before| edges.get(before)) {
                let least = get(&low, node).min(get(&low, *to));
                if get(&component, *to) == NONE {
                    set(&mut low, node, least);
                }
            }
            match edges.get(edge) {
                Some((to, _)) => {
                    way.push((node, edge + 1));
                    if get(&index, *to) == NONE {
                        way.push((*to, 0));
                    }
                }
                None if get(&low, node) == get(&index, node) => {
                    while let Some(member) = stack.pop() {
                        set(&mut component, member, node);
                        if member == node {
                            break;
                        }
                    }
                }
                None => {}
            }
        }
    }
    component
}

fn overlap(one: &ClassUnicode, other: &ClassUnicode) -> bool {
    let (mut ones, mut others) = (one.ranges().iter().peekable(), other.ranges().iter().peekable());
    while let (Some(a), Some(b)) = (ones.peek(), others.peek()) {
        if a.end() < b.start() {
            ones.next();
        } else if b.end() < a.start() {
            others.next();
        } else {
            return true;
        }
    }
    false
}

fn of_ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|(start, end)| ClassUnicodeRange::new(*start, *end)))
}

/// The characters that a part of a pattern takes one of.
fn class(leaf: &Ast) -> ClassUnicode {
    match leaf {
        Ast::Literal(literal) => of_ranges(&[(literal.c, literal.c)]),
        Ast::Dot(_) => negated(of_ranges(&[('\n', '\n')]), true),
        Ast::ClassPerl(class) => perl(&class.kind, class.negated),
        Ast::ClassBracketed(class) => match &class.kind {
            ast::ClassSet::Item(item) => negated(of_item(item), class.negated),
            ast::ClassSet::BinaryOp(_) => of_ranges(&[('\0', char::MAX)]),
        },
        _ => of_ranges(&[('\0', char::MAX)]),
    }
}

fn negated(mut class: ClassUnicode, negate: bool) -> ClassUnicode {
    if negate {
        class.negate();
    }
    class
}

fn perl(kind: &ClassPerlKind, negate: bool) -> ClassUnicode {
    let class = match kind {
        ClassPerlKind::Digit => of_ranges(&[('0', '9')]),
        ClassPerlKind::Space => of_ranges(&[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')]),
        ClassPerlKind::Word => of_ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
    };
    negated(class, negate)
}

fn of_item(item: &ClassSetItem) -> ClassUnicode {
    match item {
        ClassSetItem::Literal(literal) => of_ranges(&[(literal.c, literal.c)]),
        ClassSetItem::Range(range) => of_ranges(&[(range.start.c, range.end.c)]),
        ClassSetItem::Perl(class) => perl(&class.kind, class.negated),
        ClassSetItem::Union(union) => {
            let mut all = ClassUnicode::empty();
            union.items.iter().for_each(|item| all.union(&of_item(item)));
            all
        }
        ClassSetItem::Empty(_) => ClassUnicode::empty(),
        _ => of_ranges(&[('\0', char::MAX)]),
    }
}

#[cfg(test)]
mod tests {
    use super::ambiguity;

    #[test]
    fn what_takes_a_text_in_several_ways_is_found() {
        for pattern in [
            r"^(\w+\s?)*$",
            "(a*)*b",
            "(a+)+$",
            "^(a|a)*$",
            "^(a|ab|b)*c$",
            "(a?b?)*c",
            "(.*a)*$",
            r"^(\d+,?){20}$",
            r"(?:x+)*",
            r"^([a-z0-9]+[-.]?)+@",
            "(a(b?|c?))*d",
            "(a{1,10}b?)*c",
            r"^(([a-z])+.)+[A-Z]([a-z])+$",
            "(aa|aaa)*b",
            "(?:(?:a|b)*c?)*d",
        ] {
            assert!(ambiguity(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn what_takes_each_text_in_one_way_is_fine() {
        for pattern in [
            "",
            "^A-",
            "^[A-Z]{3}-[0-9]+$",
            r"^\w+(\s\w+)*$",
            r"^\d{4}-\d{2}(-\d{2})?$",
            "(ab|cd)*",
            r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
            "^(?:[a-z]{10}-?){100}$",
            "(a|b)*c",
            "^([a-z]+-)*[a-z]+$",
            r"^(\+\d{1,3} ?)?\d{3,14}$",
            "^(a{1,3}b)+$",
            r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            "(a{3}b?)*",
            r"^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$",
            r"^(\w+\.)+com$",
            "a*a*b",
            r"(?:\r\n|\n)*x",
        ] {
            assert_eq!(ambiguity(pattern).map(|problem| problem.reason), None, "{pattern}");
        }
    }

    #[test]
    fn what_is_too_large_is_said() {
        let large = format!("({})*", (0..400).map(|n| format!("x{n}")).collect::<Vec<_>>().join("|"));
        assert!(ambiguity(&large).is_some_and(|problem| problem.reason.contains("too large")));
        assert_eq!(ambiguity(&"ab?c*".repeat(2_000)).map(|problem| problem.reason), None);
    }
}
