//! What stands on the right of a rule.

/// A piece of grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A token, by its name in the grammar.
    Terminal(String),
    /// A rule, with the arguments of a macro.
    Rule(String, Vec<Expression>),
    /// One after the other; none is the empty text.
    Sequence(Vec<Expression>),
    /// Either.
    Choice(Vec<Expression>),
    /// `?`, `*` or `+`.
    Repeat(Box<Expression>, char),
}

impl Expression {
    /// The empty text.
    pub(super) const EMPTY: Self = Self::Sequence(Vec::new());

    /// A rule without arguments.
    pub(super) fn rule(name: &str) -> Self {
        Self::Rule(name.to_owned(), Vec::new())
    }

    /// The names of all rules in it.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Terminal(_) => Vec::new(),
            Self::Rule(name, arguments) => std::iter::once(name.as_str()).chain(arguments.iter().flat_map(Self::names)).collect(),
            Self::Sequence(parts) | Self::Choice(parts) => parts.iter().flat_map(Self::names).collect(),
            Self::Repeat(inner, _) => inner.names(),
        }
    }

    /// The same with less nesting and fewer repetitions.
    pub(super) fn simplified(self) -> Self {
        match self {
            Self::Terminal(_) | Self::Rule(..) => self,
            Self::Sequence(parts) => sequence(parts.into_iter().map(Self::simplified)),
            Self::Choice(parts) => choice(parts.into_iter().map(Self::simplified)),
            Self::Repeat(inner, mark) => repeat(inner.simplified(), mark),
        }
    }

    /// As the parts of a sequence.
    fn into_parts(self) -> Vec<Self> {
        if let Self::Sequence(parts) = self { parts } else { vec![self] }
    }
}

fn sequence(parts: impl Iterator<Item = Expression>) -> Expression {
    let mut parts = parts.flat_map(Expression::into_parts).collect::<Vec<_>>();
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            Expression::Sequence(parts)
        }
        None => Expression::EMPTY,
    }
}

fn repeat(inner: Expression, mark: char) -> Expression {
    match inner {
        Expression::Sequence(parts) if parts.is_empty() => Expression::EMPTY,
        // (A+)? is A*, and so are all other pairs of different marks.
        Expression::Repeat(inner, other) => Expression::Repeat(inner, if other == mark { mark } else { '*' }),
        inner => Expression::Repeat(Box::new(inner), mark),
    }
}

fn choice(alternatives: impl Iterator<Item = Expression>) -> Expression {
    let mut kept: Vec<Expression> = Vec::new();
    let mut optional = false;
    for alternative in alternatives {
        let nested = if let Expression::Choice(parts) = alternative { parts } else { vec![alternative] };
        for alternative in nested {
            if alternative == Expression::EMPTY {
                optional = true;
                continue;
            }
            match kept.last().and_then(|last| merged(last, &alternative)) {
                Some(merged) => {
                    kept.pop();
                    kept.push(merged);
                }
                None if kept.contains(&alternative) => {}
                None => kept.push(alternative),
            }
        }
    }
    let choice = match kept.pop() {
        Some(only) if kept.is_empty() => only,
        Some(last) => {
            kept.push(last);
            Expression::Choice(kept)
        }
        None => Expression::EMPTY,
    };
    if optional { repeat(choice, '?') } else { choice }
}

/// Two alternatives as one sequence, if they differ by little.
fn merged(first: &Expression, second: &Expression) -> Option<Expression> {
    separated(first, second).or_else(|| lengthened(first, second))
}

/// `(A s)* A | (A s)+` is `A (s A)* s?`.
fn separated(first: &Expression, second: &Expression) -> Option<Expression> {
    let (Expression::Sequence(parts), Expression::Repeat(again, '+')) = (first, second) else { return None };
    let [Expression::Repeat(pair, '*'), last] = parts.as_slice() else { return None };
    let Expression::Sequence(pair_parts) = &**pair else { return None };
    let [item, separator] = pair_parts.as_slice() else { return None };
    if pair != again || item != last {
        return None;
    }
    let more = Expression::Sequence(vec![separator.clone(), item.clone()]);
    Some(Expression::Sequence(vec![item.clone(), repeat(more, '*'), repeat(separator.clone(), '?')]))
}

/// `A C | A B C` is `A B? C`; one of `A` and `C` may be empty.
fn lengthened(first: &Expression, second: &Expression) -> Option<Expression> {
    let (short, long) = (first.clone().into_parts(), second.clone().into_parts());
    let before = short.iter().zip(&long).take_while(|(a, b)| a == b).count();
    let after = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count().min(short.len() - before);
    let only_words = short.iter().all(|part| matches!(part, Expression::Terminal(_)));
    if before + after != short.len() || long.len() <= short.len() || (before == 0 && only_words) {
        return None;
    }
    let (head, rest) = long.split_at(before);
    let (middle, tail) = rest.split_at(rest.len() - after);
    let middle = repeat(sequence(middle.iter().cloned()), '?');
    Some(sequence(head.iter().cloned().chain([middle]).chain(tail.iter().cloned())))
}

/// A rule that starts with itself, as a repetition: `R ::= A | R B` is `A B*`.
pub(super) fn without_left_recursion(name: &str, expression: Expression) -> Expression {
    let Expression::Choice(alternatives) = expression else { return expression };
    let recursive =
        |alternative: &Expression| matches!(alternative, Expression::Sequence(parts) if parts.first() == Some(&Expression::rule(name)));
    let (loops, starts): (Vec<_>, Vec<_>) = alternatives.into_iter().partition(recursive);
    if loops.is_empty() {
        return choice(starts.into_iter());
    }
    let loops = loops.into_iter().map(|alternative| sequence(alternative.into_parts().into_iter().skip(1)));
    sequence([choice(starts.into_iter()), repeat(choice(loops), '*')].into_iter())
}
