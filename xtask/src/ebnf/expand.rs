//! Macros written out: those over rules where they are used, those over flags as one rule for each use.

use std::collections::{BTreeMap, BTreeSet};

use super::Expression;
use super::expression::without_left_recursion;
use super::lexical::rule_of;
use super::parse::{Alternative, Entry, Grammar, Rule};

/// A heading or a rule of the EBNF.
#[derive(Debug)]
pub(super) enum Part {
    Section(String),
    Rule { name: String, comments: Vec<String>, expression: Expression },
}

/// The values of a macro's parameters.
type Bindings = BTreeMap<String, Expression>;

/// All rules without macros, in the order of the grammar.
pub(super) fn expand(grammar: &Grammar) -> Result<Vec<Part>, String> {
    let rules = grammar.entries.iter().filter_map(|entry| match entry {
        Entry::Rule(rule) => Some((rule.name.as_str(), rule)),
        Entry::Section(_) => None,
    });
    let expander = Expander { rules: rules.collect() };
    let instances = expander.instances()?;
    let mut parts = Vec::new();
    for entry in &grammar.entries {
        match entry {
            Entry::Section(title) => parts.push(Part::Section(title.clone())),
            Entry::Rule(rule) if rule.name == "Top" => parts.extend(expander.starts(rule)?),
            Entry::Rule(rule) if rule.parameters.is_empty() => parts.push(expander.part(rule, &rule.name, &Bindings::new())?),
            Entry::Rule(rule) => {
                for flags in instances.iter().filter(|(name, _)| *name == rule.name).map(|(_, flags)| flags) {
                    let bindings = rule.parameters.iter().cloned().zip(flags.iter().cloned().map(Expression::Terminal)).collect();
                    parts.push(expander.part(rule, &instance_name(&rule.name, flags), &bindings)?);
                }
            }
        }
    }
    Ok(parts)
}

/// A macro over flags and the flags of one use.
type Instance = (String, Vec<String>);

struct Expander<'a> {
    rules: BTreeMap<&'a str, &'a Rule>,
}

impl Expander<'_> {
    /// All uses of macros over flags, found from the rules that are no macros.
    fn instances(&self) -> Result<BTreeSet<Instance>, String> {
        let mut found = BTreeSet::new();
        for rule in self.rules.values().filter(|rule| rule.parameters.is_empty()) {
            self.body(rule, &Bindings::new(), &mut found)?;
        }
        loop {
            let mut more = found.clone();
            for (name, flags) in &found {
                let rule = self.rule(name)?;
                let bindings = rule.parameters.iter().cloned().zip(flags.iter().cloned().map(Expression::Terminal)).collect();
                self.body(rule, &bindings, &mut more)?;
            }
            if more == found {
                return Ok(found);
            }
            found = more;
        }
    }

    fn rule(&self, name: &str) -> Result<&Rule, String> {
        self.rules.get(name).copied().ok_or_else(|| format!("grammar/weave.lalrpop: there is no rule `{name}`"))
    }

    fn part(&self, rule: &Rule, name: &str, bindings: &Bindings) -> Result<Part, String> {
        let expression = self.body(rule, bindings, &mut BTreeSet::new())?.simplified();
        let expression = without_left_recursion(name, expression);
        Ok(Part::Rule { name: name.to_owned(), comments: rule.comments.clone(), expression })
    }

    /// The start rule: its made-up first tokens say what is parsed, and people want to know what a file is.
    fn starts(&self, rule: &Rule) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        for alternative in &rule.alternatives {
            let expression = self.expand(&alternative.expression, &Bindings::new(), &mut BTreeSet::new())?.simplified();
            let Expression::Sequence(symbols) = expression else {
                return Err("`Top` has an alternative that does not start with a mark".to_owned());
            };
            let [Expression::Rule(start, _), content] = symbols.as_slice() else {
                return Err("`Top` has an alternative of an unknown form".to_owned());
            };
            let repeated = |what: &Expression| Expression::Repeat(Box::new(what.clone()), '*');
            let quoted = |text: &str| Expression::Terminal(text.to_owned());
            let (name, symbols, comment) = match start.as_str() {
                "StartItem" => {
                    ("File", vec![repeated(&Expression::rule("ModuleDoc")), repeated(content)], "A file. Each item starts on its own line.")
                }
                "StartPlaceholder" => {
                    ("Placeholder", vec![quoted("{{"), content.clone(), quoted("}}")], "A placeholder inside a string or a text block.")
                }
                other => return Err(format!("`Top` starts with `{other}`, which the EBNF generator does not know")),
            };
            parts.push(Part::Rule { name: name.to_owned(), comments: vec![comment.to_owned()], expression: Expression::Sequence(symbols) });
        }
        Ok(parts)
    }

    fn body(&self, rule: &Rule, bindings: &Bindings, found: &mut BTreeSet<Instance>) -> Result<Expression, String> {
        let alternatives = rule.alternatives.iter().filter(|alternative| holds(alternative, bindings));
        let expressions = alternatives.map(|alternative| self.expand(&alternative.expression, bindings, found));
        Ok(Expression::Choice(expressions.collect::<Result<_, _>>()?))
    }

    fn expand(&self, expression: &Expression, bindings: &Bindings, found: &mut BTreeSet<Instance>) -> Result<Expression, String> {
        let mut all = |parts: &[Expression]| parts.iter().map(|part| self.expand(part, bindings, found)).collect::<Result<Vec<_>, _>>();
        Ok(match expression {
            Expression::Terminal(token) => rule_of(token).map_or_else(|| expression.clone(), Expression::rule),
            Expression::Sequence(parts) => Expression::Sequence(all(parts)?),
            Expression::Choice(parts) => Expression::Choice(all(parts)?),
            Expression::Repeat(inner, mark) => Expression::Repeat(Box::new(self.expand(inner, bindings, found)?), *mark),
            Expression::Rule(name, _) if name.starts_with("Start") => expression.clone(),
            Expression::Rule(name, arguments) => match bindings.get(name) {
                Some(bound) => bound.clone(),
                None if arguments.is_empty() => Expression::rule(name),
                None => self.used(name, &all(arguments)?, found)?,
            },
        })
    }

    /// A macro where it is used.
    fn used(&self, name: &str, arguments: &[Expression], found: &mut BTreeSet<Instance>) -> Result<Expression, String> {
        let rule = self.rule(name)?;
        let flags = arguments.iter().map(|argument| if let Expression::Terminal(flag) = argument { Some(flag.clone()) } else { None });
        if let Some(flags) = flags.collect::<Option<Vec<_>>>() {
            let name_of_instance = instance_name(name, &flags);
            found.insert((name.to_owned(), flags));
            return Ok(Expression::rule(&name_of_instance));
        }
        let bindings = rule.parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
        self.body(rule, &bindings, found)
    }
}

fn holds(alternative: &Alternative, bindings: &Bindings) -> bool {
    alternative.condition.as_ref().is_none_or(|condition| {
        let value = bindings.get(&condition.parameter);
        matches!(value, Some(Expression::Terminal(value)) if (*value == condition.value) == condition.equal)
    })
}

/// `Expr<"braces", "no in">` is `ExprBracesNoIn`.
fn instance_name(name: &str, flags: &[String]) -> String {
    let words = flags.iter().flat_map(|flag| flag.split(' ')).map(|word| {
        let mut characters = word.chars();
        characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
    });
    std::iter::once(name.to_owned()).chain(words).collect()
}
