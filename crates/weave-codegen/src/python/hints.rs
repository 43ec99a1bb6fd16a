//! How types are written where they are used, and what they stand for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use weave_ir::package::{
    Bound, ListUse, Literal, MapUse, Names, Scalar, ScalarUse, Shape, TypeDeclaration, TypeReference, TypeUse, Variant,
};

use super::Module;
use super::imports::Imports;
use super::layout::Code;
use super::literal::text;
use super::names::tag;
use super::pattern::python;

impl<'a> Module<'a> {
    /// How a type is written in `types.py`.
    pub(super) fn hint(self, ty: &TypeUse, imports: &mut Imports) -> Code {
        match ty {
            TypeUse::Json => Code::text(imports.shared("Json")),
            TypeUse::Null => Code::text("None"),
            TypeUse::Scalar(used) => scalar(used, imports),
            TypeUse::Literal(value) => literals(&[value], imports),
            TypeUse::List(list) => {
                let ListUse { item, min, max, unique } = &**list;
                let list = Code::index("list", vec![self.hint(item, imports)]);
                sized(list, (*min, *max, *unique), imports)
            }
            TypeUse::Map(map) => {
                let MapUse { value, min, max } = &**map;
                let map = Code::index("dict", vec![Code::text("str"), self.hint(value, imports)]);
                sized(map, (*min, *max, false), imports)
            }
            TypeUse::Union(members) => self.union(members, imports),
            TypeUse::Named(reference) => {
                let (name, _) = self.program.ty(&self.package.name, reference);
                Code::text(match reference.package.as_deref() {
                    None => name.to_owned(),
                    Some(package) if self.is_in_circle_with(package) => imports.late(package, name),
                    package => imports.of(package, "types", name),
                })
            }
        }
    }

    /// Literals of one union stand together, where the first of them stands; null comes last.
    fn union(self, members: &[TypeUse], imports: &mut Imports) -> Code {
        let mut literal: Vec<&Literal> =
            members.iter().filter_map(|it| if let TypeUse::Literal(it) = it { Some(it) } else { None }).collect();
        let mut hints = Vec::new();
        for member in members {
            match member {
                TypeUse::Null => {}
                TypeUse::Literal(_) if literal.is_empty() => {}
                TypeUse::Literal(_) => hints.push(literals(&std::mem::take(&mut literal), imports)),
                member => hints.push(self.hint(member, imports)),
            }
        }
        match members.contains(&TypeUse::Null) {
            true => either(hints, Code::text("None")),
            false => {
                let mut members = flattened(hints);
                if members.len() == 1 { members.remove(0) } else { Code::Either(members) }
            }
        }
    }

    /// What a type is once aliases are looked through, and the package that it is written in.
    pub(super) fn stands_for(self, ty: &TypeUse) -> (Option<String>, TypeUse) {
        let mut home: Option<String> = None;
        let mut ty = ty.clone();
        // Aliases that stand for themselves are refused, so there are no more of them than types.
        loop {
            let TypeUse::Named(named) = &ty else { return (home, ty) };
            let package = named.package.clone().or_else(|| home.clone());
            let reference = TypeReference { package: package.clone(), name: named.name.clone() };
            let Some(Shape::Alias(target)) = self.program.ty(&self.package.name, &reference).1.map(|it| &it.shape) else {
                return (home, ty);
            };
            (home, ty) = (package, target.clone());
        }
    }

    /// Whether null is one of the values of a type.
    pub(super) fn nullable(self, ty: &TypeUse) -> bool {
        let mut seen = BTreeSet::new();
        let mut left = vec![(None::<String>, ty.clone())];
        while let Some((home, ty)) = left.pop() {
            match ty {
                TypeUse::Json | TypeUse::Null => return true,
                TypeUse::Union(members) => left.extend(members.into_iter().map(|member| (home.clone(), member))),
                TypeUse::Named(named) => {
                    let reference = TypeReference { package: named.package.or(home), name: named.name };
                    if let Some(Shape::Alias(target)) = self.program.ty(&self.package.name, &reference).1.map(|it| &it.shape)
                        && seen.insert(reference.clone())
                    {
                        left.push((reference.package, target.clone()));
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// The tag's name, which is the same in all variants.
    pub(super) fn tag_name(self, names: &Names, wire: &str, variants: &[Variant]) -> String {
        tag(names, wire, variants, self.taken)
    }

    /// The aliases and unions in an order in which each stands behind those that it is made of, and the names of those for which there is
    /// none: they are made of themselves, or of types of packages that are made of this one.
    pub(super) fn order(self) -> (Vec<&'a TypeDeclaration>, BTreeSet<&'a str>) {
        let aliases: Vec<(&TypeDeclaration, Option<&TypeUse>)> = self
            .package
            .types
            .iter()
            .filter_map(|ty| match &ty.shape {
                Shape::Alias(target) => Some((ty, Some(target))),
                Shape::Union { .. } => Some((ty, None)),
                _ => None,
            })
            .collect();
        let index: BTreeMap<&str, usize> = aliases.iter().enumerate().map(|(index, (ty, _))| (ty.name.as_str(), index)).collect();
        let mut order = Vec::with_capacity(aliases.len());
        let mut lazy = BTreeSet::new();
        let mut wanted: Vec<BTreeSet<usize>> = Vec::with_capacity(aliases.len());
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, (ty, target)) in aliases.iter().enumerate() {
            let mut needs = BTreeSet::new();
            for reference in target.iter().flat_map(|target| target.mentioned()) {
                match reference.package.as_deref() {
                    None => needs.extend(index.get(reference.name.as_str()).copied()),
                    Some(package) if self.is_in_circle_with(package) => drop(lazy.insert(ty.name.as_str())),
                    Some(_) => {}
                }
            }
            if lazy.contains(ty.name.as_str()) {
                needs.clear();
            }
            needs.iter().for_each(|need| users.entry(*need).or_default().push(number));
            wanted.push(needs);
        }
        let mut ready: VecDeque<usize> = (0..aliases.len()).filter(|number| wanted.get(*number).is_some_and(BTreeSet::is_empty)).collect();
        let mut done = BTreeSet::new();
        let mut stuck = 0;
        while done.len() < aliases.len() {
            let Some(next) = ready.pop_front() else {
                // All that are left are made of themselves: the first one is looked up when it is needed.
                if let Some((ty, _)) = aliases.get(stuck).filter(|_| !done.contains(&stuck)) {
                    lazy.insert(ty.name.as_str());
                    ready.push_back(stuck);
                }
                stuck += 1;
                continue;
            };
            if !done.insert(next) {
                continue;
            }
            order.extend(aliases.get(next).map(|(ty, _)| *ty));
            for user in users.get(&next).into_iter().flatten() {
                let Some(needs) = wanted.get_mut(*user) else { continue };
                if needs.remove(&next) && needs.is_empty() {
                    ready.push_back(*user);
                }
            }
        }
        (order, lazy)
    }
}

/// A type with what is said about it behind it.
pub(super) fn annotated(mut parts: Vec<Code>, imports: &mut Imports) -> Code {
    match parts.len() {
        1 => parts.remove(0),
        _ => Code::index(imports.typing("Annotated"), parts),
    }
}

/// These types, or another one.
pub(super) fn either(mut hints: Vec<Code>, other: Code) -> Code {
    hints.push(other);
    Code::Either(flattened(hints))
}

fn flattened(hints: Vec<Code>) -> Vec<Code> {
    let members = hints.into_iter().flat_map(|hint| if let Code::Either(members) = hint { members } else { vec![hint] });
    members.collect()
}

/// What says the name in JSON, where it is another one, and what keeps a secret.
pub(super) fn alias(name: &str, wire: &str, secret: bool, imports: &mut Imports) -> Option<Code> {
    let alias = (name != wire).then(|| Code::named("alias", Code::text(text(wire))));
    let hidden = secret.then(|| Code::text("repr=False"));
    let arguments: Vec<Code> = alias.into_iter().chain(hidden).collect();
    (!arguments.is_empty()).then(|| Code::call(imports.shared("Field"), arguments))
}

pub(super) const fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// One of some constants. Those with a fraction are none that Python's own literals take.
fn literals(values: &[&Literal], imports: &mut Imports) -> Code {
    let mut plain = Vec::new();
    let mut others = Vec::new();
    for value in values {
        match value {
            Literal::String(value) => plain.push(Code::text(text(value))),
            Literal::Bool(value) => plain.push(Code::text(truth(*value))),
            Literal::Number(number) => match number.as_i64() {
                Some(number) => plain.push(Code::text(number.to_string())),
                None => {
                    let constant =
                        Code::call(imports.shared("Constant"), vec![Code::text(format!("{:?}", number.as_f64().unwrap_or_default()))]);
                    others.push(annotated(vec![Code::text("float"), constant], imports));
                }
            },
        }
    }
    if !plain.is_empty() {
        let plain = Code::index(imports.typing("Literal"), plain);
        let is_like_a_truth = |value: &&Literal| match value {
            Literal::Bool(_) => true,
            Literal::Number(number) => matches!(number.as_i64(), Some(0 | 1)),
            Literal::String(_) => false,
        };
        let marked = values.iter().any(is_like_a_truth).then(|| Code::text(imports.shared("LITERALLY")));
        others.insert(0, annotated([Some(plain), marked].into_iter().flatten().collect(), imports));
    }
    if others.len() == 1 { others.remove(0) } else { Code::Either(others) }
}

fn sized(ty: Code, (min, max, unique): (Option<u64>, Option<u64>, bool), imports: &mut Imports) -> Code {
    let bounds = [min.map(|min| format!("min={min}")), max.map(|max| format!("max={max}")), unique.then(|| "unique=True".to_owned())];
    let bounds: Vec<Code> = bounds.into_iter().flatten().map(Code::text).collect();
    if bounds.is_empty() {
        return ty;
    }
    let bounds = Code::call(imports.shared("sized"), bounds);
    annotated(vec![ty, bounds], imports)
}

fn scalar(used: &ScalarUse, imports: &mut Imports) -> Code {
    // What it is called, the type that its bounds stand behind, and what has bounds.
    let (name, base, bounded) = match used.scalar {
        Scalar::String => ("String", Some("str"), "Text"),
        Scalar::Bool => ("Bool", None, "Truth"),
        Scalar::Int => ("Int", Some("int"), "Whole"),
        Scalar::Int64 => ("Int64", Some("int"), "Whole64"),
        Scalar::Float => ("Float", Some("float"), "Real"),
        Scalar::Decimal => ("Number", None, "Exact"),
        Scalar::Bytes => ("Bytes", Some("bytes"), "Binary"),
        Scalar::Timestamp => ("Timestamp", None, "Moment"),
        Scalar::Date => ("Date", None, "Day"),
        Scalar::Duration => ("Duration", None, "Length"),
        Scalar::Uuid => ("Uuid", None, "Text"),
        Scalar::Uri => ("Uri", None, "Text"),
        Scalar::Email => ("Email", None, "Text"),
    };
    let bound = |name: &str, bound: &Option<Bound>| {
        bound.as_ref().map(|bound| match bound {
            Bound::Number(number) => format!("{name}={}", self::number(number)),
            Bound::Text(value) => format!("{name}={}", text(value)),
        })
    };
    let pattern = used.pattern.as_deref().map(|pattern| format!("pattern={}", text(&python(pattern))));
    let limits = [bound("min", &used.min), bound("max", &used.max), pattern];
    let limits: Vec<Code> = limits.into_iter().flatten().map(Code::text).collect();
    if limits.is_empty() {
        return Code::text(imports.shared(name));
    }
    let base = base.map_or_else(|| imports.shared(name), str::to_owned);
    let limits = Code::call(imports.shared(bounded), limits);
    annotated(vec![Code::text(base), limits], imports)
}

/// A number as Python writes it.
fn number(number: &serde_json::Number) -> String {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(whole), ..) => whole.to_string(),
        (_, Some(whole), _) => whole.to_string(),
        (.., float) => format!("{:?}", float.unwrap_or_default()),
    }
}
