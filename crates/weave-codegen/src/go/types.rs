//! How types are written where they are used, and what reads and writes them.

use std::collections::BTreeSet;

use weave_ir::package::{Bound, ListUse, Literal, MapUse, Scalar, ScalarUse, Shape, TypeReference, TypeUse};

use super::Module;
use super::pattern::go;
use super::text::{Imports, text};

/// A type as Go writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Used {
    /// The type.
    pub(super) ty: String,
    /// What reads and writes it.
    pub(super) node: String,
    pub(super) about: Nil,
}

/// What nil and null are for a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Nil {
    /// Its values may be nil in Go without being pointers.
    pub(super) nilable: bool,
    /// Null is one of its values.
    pub(super) nullable: bool,
    /// It is any JSON value, of which null is one that is not nil.
    pub(super) json: bool,
}

const PLAIN: Nil = Nil { nilable: false, nullable: false, json: false };
const NILABLE: Nil = Nil { nilable: true, nullable: false, json: false };
const NULLABLE: Nil = Nil { nilable: false, nullable: true, json: false };
const JSON: Nil = Nil { nilable: true, nullable: true, json: true };

impl Module<'_> {
    /// What a type is in Go.
    pub(super) fn used(self, ty: &TypeUse, imports: &mut Imports<'_>) -> Used {
        self.used_as(ty, None, imports)
    }

    /// The same, where a list or a map has a name.
    pub(super) fn used_as(self, ty: &TypeUse, name: Option<&str>, imports: &mut Imports<'_>) -> Used {
        match ty {
            TypeUse::Json => json(imports),
            TypeUse::Null => {
                let shared = imports.shared();
                Used { ty: format!("{shared}.Nothing"), node: format!("{shared}.Null()"), about: NULLABLE }
            }
            TypeUse::Scalar(used) => scalar(used, imports),
            TypeUse::Literal(value) => literals(&[value], imports),
            TypeUse::List(list) => {
                let ListUse { item, min, max, unique } = &**list;
                let item = self.used(item, imports);
                let shared = imports.shared();
                let ty = name.map_or_else(|| format!("[]{}", item.ty), str::to_owned);
                let unique = unique.then(|| format!(", {shared}.Unique()")).unwrap_or_default();
                let node = format!("{shared}.List[{ty}]({}{}{unique})", item.node, sizes(shared, *min, *max));
                Used { ty, node, about: NILABLE }
            }
            TypeUse::Map(map) => {
                let MapUse { value, min, max } = &**map;
                let value = self.used(value, imports);
                let shared = imports.shared();
                let ty = name.map_or_else(|| format!("map[string]{}", value.ty), str::to_owned);
                let node = format!("{shared}.Map[{ty}]({}{})", value.node, sizes(shared, *min, *max));
                Used { ty, node, about: NILABLE }
            }
            TypeUse::Union(members) => self.union(members, name, imports),
            TypeUse::Named(reference) => Used {
                ty: self.reference(reference, imports),
                node: format!("{}.Node()", self.codec(reference, imports)),
                about: self.about(&self.package.name, ty, &mut BTreeSet::new()),
            },
        }
    }

    /// Constants of one kind stand together, where the first of them stands. What is left of several types is kept as any of them.
    fn union(self, members: &[TypeUse], name: Option<&str>, imports: &mut Imports<'_>) -> Used {
        if members.contains(&TypeUse::Json) {
            return json(imports);
        }
        let shared = imports.shared();
        let has_null = members.contains(&TypeUse::Null);
        let mut parts: Vec<Used> = Vec::new();
        for member in members.iter().filter(|member| **member != TypeUse::Null) {
            let part = match member {
                TypeUse::Literal(first) => {
                    let alike = members.iter().filter_map(|other| match other {
                        TypeUse::Literal(other) if kind(other) == kind(first) => Some(other),
                        _ => None,
                    });
                    literals(&alike.collect::<Vec<_>>(), imports)
                }
                other => self.used_as(other, name, imports),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        let one = match parts.as_slice() {
            [part] => part.clone(),
            parts => {
                let nodes = parts.iter().map(|part| format!("{shared}.Member({})", part.node)).collect::<Vec<_>>().join(", ");
                let nullable = parts.iter().any(|part| part.about.nullable);
                let about = Nil { nilable: true, nullable, json: false };
                Used { ty: "any".to_owned(), node: format!("{shared}.Either({nodes})"), about }
            }
        };
        match (has_null && !one.about.nullable, one.about.nilable) {
            (false, _) => one,
            (true, true) => {
                let about = Nil { nullable: true, ..one.about };
                Used { ty: one.ty, node: format!("{shared}.NilOrNull({})", one.node), about }
            }
            (true, false) => Used {
                ty: format!("*{}", one.ty),
                node: format!("{shared}.OrNull({})", one.node),
                about: Nil { nilable: true, nullable: true, json: false },
            },
        }
    }

    /// What nil and null are for a type of a package, without writing it.
    fn about(self, home: &str, ty: &TypeUse, seen: &mut BTreeSet<(String, String)>) -> Nil {
        match ty {
            TypeUse::Json => JSON,
            TypeUse::Null => NULLABLE,
            TypeUse::Scalar(used) if used.scalar == Scalar::Bytes => NILABLE,
            TypeUse::Scalar(_) | TypeUse::Literal(_) => PLAIN,
            TypeUse::List(_) | TypeUse::Map(_) => NILABLE,
            TypeUse::Union(members) if members.contains(&TypeUse::Json) => JSON,
            TypeUse::Union(members) => {
                let others: Vec<&TypeUse> = members.iter().filter(|member| **member != TypeUse::Null).collect();
                let nullable = others.len() < members.len();
                match others.as_slice() {
                    [one] => {
                        let one = self.about(home, one, seen);
                        if nullable { Nil { nilable: true, nullable: true, ..one } } else { one }
                    }
                    others if is_constants(others) => Nil { nilable: nullable, nullable, json: false },
                    others => {
                        let inner = others.iter().any(|other| self.about(home, other, seen).nullable);
                        Nil { nilable: true, nullable: nullable || inner, json: false }
                    }
                }
            }
            TypeUse::Named(reference) => {
                let package = reference.package.clone().unwrap_or_else(|| home.to_owned());
                let (_, declaration) = self.program.ty(home, reference);
                match declaration.map(|it| &it.shape) {
                    Some(Shape::Alias(ty)) if seen.insert((package.clone(), reference.name.clone())) => self.about(&package, ty, seen),
                    _ => PLAIN,
                }
            }
        }
    }

    /// Whether the Go type of an alias names the alias itself, through lists, maps and other aliases.
    pub(super) fn names_itself(self, name: &str, ty: &TypeUse) -> bool {
        let mut seen = BTreeSet::new();
        // On each way back to itself there is a list or a map, which is what gets a type of its own.
        let mut open = match ty {
            TypeUse::List(_) | TypeUse::Map(_) => vec![ty],
            TypeUse::Union(members) => match members.iter().filter(|member| **member != TypeUse::Null).collect::<Vec<_>>().as_slice() {
                [one @ (TypeUse::List(_) | TypeUse::Map(_))] => vec![*one],
                _ => return false,
            },
            _ => return false,
        };
        while let Some(ty) = open.pop() {
            match ty {
                TypeUse::List(list) => open.push(&list.item),
                TypeUse::Map(map) => open.push(&map.value),
                TypeUse::Union(members) => {
                    let others: Vec<&TypeUse> = members.iter().filter(|member| **member != TypeUse::Null).collect();
                    if let [one] = others.as_slice() {
                        open.push(one);
                    }
                }
                TypeUse::Named(TypeReference { package: None, name: other }) => {
                    if other == name {
                        return true;
                    }
                    let own = TypeReference { package: None, name: other.clone() };
                    let (_, declaration) = self.program.ty(&self.package.name, &own);
                    if let (Some(Shape::Alias(ty)), true) = (declaration.map(|it| &it.shape), seen.insert(other)) {
                        open.push(ty);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// How a named type is written.
    pub(super) fn reference(self, reference: &TypeReference, imports: &mut Imports<'_>) -> String {
        let (name, declaration) = self.program.ty(&self.package.name, reference);
        if reference.package.is_some() && declaration.is_some_and(|it| it.about.deprecated.is_some()) {
            imports.deprecated();
        }
        format!("{}{name}", self.from(reference.package.as_deref(), imports))
    }

    /// What reads and writes a named type.
    pub(super) fn codec(self, reference: &TypeReference, imports: &mut Imports<'_>) -> String {
        let package = self.packages.get(reference.package.as_deref().unwrap_or(&self.package.name));
        let name = package.and_then(|package| package.codecs.get(&reference.name)).map_or("", String::as_str);
        format!("{}{name}", self.from(reference.package.as_deref(), imports))
    }

    /// What stands before a name of another package.
    pub(super) fn from(self, package: Option<&str>, imports: &mut Imports<'_>) -> String {
        match package.and_then(|package| self.packages.get(package)) {
            Some(package) => {
                imports.package(&package.folder, &package.alias);
                format!("{}.", package.alias)
            }
            None => String::new(),
        }
    }
}

fn is_constants(members: &[&TypeUse]) -> bool {
    let mut kinds = members.iter().map(|member| if let TypeUse::Literal(literal) = member { Some(kind(literal)) } else { None });
    let first = kinds.next().flatten();
    first.is_some() && kinds.all(|kind| kind == first)
}

fn json(imports: &mut Imports<'_>) -> Used {
    let package = imports.standard("encoding/json");
    Used { ty: format!("{package}.RawMessage"), node: format!("{}.JSON()", imports.shared()), about: JSON }
}

/// The type of a constant.
fn kind(literal: &Literal) -> &'static str {
    match literal {
        Literal::String(_) => "string",
        Literal::Number(number) if number.is_i64() => "int64",
        Literal::Number(_) => "float64",
        Literal::Bool(_) => "bool",
    }
}

fn literals(values: &[&Literal], imports: &mut Imports<'_>) -> Used {
    let shared = imports.shared();
    let ty = values.first().map_or("string", |first| kind(first));
    let written = values.iter().map(|value| match value {
        Literal::String(value) => text(value),
        Literal::Number(number) => number.to_string(),
        Literal::Bool(value) => value.to_string(),
    });
    let node = format!("{shared}.OneOf[{ty}]({})", written.collect::<Vec<_>>().join(", "));
    Used { ty: ty.to_owned(), node, about: PLAIN }
}

fn sizes(shared: &str, min: Option<u64>, max: Option<u64>) -> String {
    // More than this no list has.
    let bound = |name: &str, bound: Option<u64>| bound.map(|bound| format!(", {shared}.{name}({})", bound.min(i32::MAX as u64)));
    [bound("MinItems", min), bound("MaxItems", max)].into_iter().flatten().collect()
}

fn scalar(used: &ScalarUse, imports: &mut Imports<'_>) -> Used {
    let shared = imports.shared();
    let (ty, node) = match used.scalar {
        Scalar::String => ("string", "String"),
        Scalar::Bool => ("bool", "Bool"),
        Scalar::Int => ("int64", "Int"),
        Scalar::Int64 => ("int64", "Int64"),
        Scalar::Float => ("float64", "Float"),
        Scalar::Decimal => (".Decimal", "DecimalNumber"),
        Scalar::Bytes => ("[]byte", "Bytes"),
        Scalar::Timestamp => (".Timestamp", "PointInTime"),
        Scalar::Date => (".Date", "Day"),
        Scalar::Duration => (".Duration", "Length"),
        Scalar::Uuid => (".UUID", "UUIDText"),
        Scalar::Uri => (".URI", "URIText"),
        Scalar::Email => (".Email", "EmailText"),
    };
    let ty = if ty.starts_with('.') { format!("{shared}{ty}") } else { ty.to_owned() };
    let bound = |name: &str, bound: &Option<Bound>| {
        bound.as_ref().map(|bound| match bound {
            Bound::Number(number) => format!("{shared}.{name}({})", text(&number.to_string())),
            Bound::Text(value) => format!("{shared}.{name}({})", text(value)),
        })
    };
    let pattern = used.pattern.as_deref().map(|pattern| format!("{shared}.Pattern({})", text(&go(pattern))));
    let limits = [bound("Min", &used.min), bound("Max", &used.max), pattern].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let about = if used.scalar == Scalar::Bytes { NILABLE } else { PLAIN };
    Used { ty, node: format!("{shared}.{node}({limits})"), about }
}
