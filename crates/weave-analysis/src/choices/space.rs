//! The variables of a choice: the paths that its guards read, each cut into cells, and what is not looked into.
//!
//! Paths form trees. What a path can be depends on what its owner is: behind what is absent there is nothing, a field belongs to some
//! forms of a union, an element to lists that are long enough. So each step of a path is a variable, and the cases in which a path has
//! something that its owner does not let it have are taken out of the cases from the start.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cells::Cells;
use super::domain::{Cuts, Domain, Inner, NULL, Under};
use super::region::{Budget, Part, Region, TooMuch, Variable};
use crate::model::Model;
use crate::model::types::{RecordType, Type};
use crate::model::value::{PathSegment, ResolvedPath};

/// What a path starts from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RootKey {
    Input,
    Step(u32),
    Event,
    /// All answers of a step, and what is read from each, as it is written.
    Answers(Arc<str>),
}

/// What is known of the value that a path starts from.
#[derive(Clone, Debug)]
pub(crate) struct RootValue {
    pub(crate) key: RootKey,
    /// How it is written.
    pub(crate) name: Arc<str>,
    pub(crate) ty: Type,
    pub(crate) absent: bool,
    /// Whether it may be anything that its type allows, whatever happened before.
    pub(crate) fresh: bool,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    Root(RootKey),
    Field(Arc<str>),
    Index(u64),
}

/// A path that is read, or what one leads through.
#[derive(Debug)]
pub(super) struct PathNode {
    pub(super) owner: Option<u32>,
    step: Step,
    pub(super) cuts: Cuts,
    /// How it is written.
    pub(super) name: Arc<str>,
    /// The value at the root.
    root: Option<RootValue>,
    fresh: bool,
    pub(super) domain: Option<Domain>,
}

/// Something that is not looked into: a condition, or how two values compare.
#[derive(Debug, Default)]
pub(super) struct Opaque {
    /// Whether it may end in an error wherever it is asked.
    pub(super) may_fail: bool,
    /// The paths where null makes it an error.
    pub(super) reads: Vec<u32>,
    /// Of a comparison the sides that are paths.
    pub(super) sides: Option<[Option<u32>; 2]>,
}

/// The cells of what is not looked into: the condition is true, or the first value is less,
pub(super) const TRUE: u32 = 0;
/// it is false, or they are equal,
pub(super) const FALSE: u32 = 1;
/// it is an error,
pub(super) const ERROR: u32 = 2;
/// the first value is greater,
pub(super) const GREATER: u32 = 3;
/// one of them is no number, so that they have no order,
pub(super) const UNORDERED: u32 = 4;
/// both are null,
pub(super) const NOTHING: u32 = 5;
/// one of them is null.
pub(super) const ONE_NOTHING: u32 = 6;
pub(super) const LESS: u32 = TRUE;
pub(super) const EQUAL: u32 = FALSE;
/// How many cells that are.
pub(super) const OPAQUE: u32 = 7;

/// Cells of what is not looked into.
pub(super) fn opaque_cells(cells: &[u32]) -> Cells {
    let mut set = Cells::none(OPAQUE);
    cells.iter().for_each(|cell| set.insert(*cell));
    set
}

/// Everything that the guards of a choice depend on.
pub(super) struct Space<'a> {
    pub(super) model: &'a Model,
    pub(super) paths: Vec<PathNode>,
    known: FxHashMap<(Option<u32>, Step), u32>,
    opaque: Vec<Opaque>,
    by_text: FxHashMap<String, u32>,
    is_laid_out: bool,
    /// What each variable can be; the paths come first.
    pub(super) domains: Vec<Cells>,
    /// The same, as far as it is sure; nothing is said of what is not looked into.
    pub(super) sure: Vec<Cells>,
    /// Whether a variable is looked into, and nothing but its type decides what it is.
    pub(super) clear: Vec<bool>,
    /// Cases that cannot be.
    impossible: Vec<Part>,
}

impl<'a> Space<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            paths: Vec::new(),
            known: FxHashMap::default(),
            opaque: Vec::new(),
            by_text: FxHashMap::default(),
            is_laid_out: false,
            domains: Vec::new(),
            sure: Vec::new(),
            clear: Vec::new(),
            impossible: Vec::new(),
        }
    }

    // ---- Paths ---------------------------------------------------------------------------------------------------------

    /// The variable of a path.
    pub(super) fn path(&mut self, root: RootValue, path: &ResolvedPath) -> Variable {
        let whole = matches!(root.key, RootKey::Answers(_));
        let mut node = self.root(root);
        if whole {
            return node;
        }
        for segment in &path.segments {
            let step = match segment {
                PathSegment::Field(name) | PathSegment::Entry(name) | PathSegment::Loose(name) => Step::Field(Arc::clone(name)),
                PathSegment::Index(index) => Step::Index(*index),
                PathSegment::Optional | PathSegment::All => continue,
            };
            node = self.child(node, step);
        }
        node
    }

    fn root(&mut self, root: RootValue) -> u32 {
        let step = Step::Root(root.key.clone());
        if let Some(known) = self.known.get(&(None, step.clone())) {
            return *known;
        }
        let (name, fresh) = (Arc::clone(&root.name), root.fresh);
        self.add(PathNode { owner: None, step, cuts: Cuts::default(), name, root: Some(root), fresh, domain: None })
    }

    fn child(&mut self, owner: u32, step: Step) -> u32 {
        if let Some(known) = self.known.get(&(Some(owner), step.clone())) {
            return *known;
        }
        let mut fresh = false;
        if let Some(node) = self.paths.get_mut(owner as usize) {
            fresh = node.fresh;
            match &step {
                Step::Index(index) => node.cuts.sizes.extend(i64::try_from(index.saturating_add(1))),
                _ => node.cuts.fields += 1,
            }
        }
        self.add(PathNode { owner: Some(owner), step, cuts: Cuts::default(), name: Arc::default(), root: None, fresh, domain: None })
    }

    fn add(&mut self, node: PathNode) -> u32 {
        let index = self.paths.len() as u32;
        self.known.insert((node.owner, node.step.clone()), index);
        self.paths.push(node);
        index
    }

    pub(super) fn cuts(&mut self, path: Variable) -> Option<&mut Cuts> {
        self.paths.get_mut(path as usize).map(|node| &mut node.cuts)
    }

    pub(super) fn domain(&self, path: Variable) -> Option<&Domain> {
        self.paths.get(path as usize)?.domain.as_ref()
    }

    // ---- What is not looked into ---------------------------------------------------------------------------------------

    /// The number of something that is not looked into, by its text.
    pub(super) fn opaque(&mut self, text: String, make: impl FnOnce(&mut Self) -> Opaque) -> u32 {
        if let Some(known) = self.by_text.get(&text) {
            return *known;
        }
        let opaque = make(self);
        let index = self.opaque.len() as u32;
        self.by_text.insert(text, index);
        self.opaque.push(opaque);
        if self.is_laid_out {
            self.lay_out_opaque(index);
        }
        index
    }

    /// The variable of what is not looked into; known when all is laid out, for the paths come first.
    pub(super) fn opaque_variable(&self, index: u32) -> Variable {
        self.paths.len() as u32 + index
    }

    fn lay_out_opaque(&mut self, index: u32) {
        let Some(opaque) = self.opaque.get(index as usize) else { return };
        let variable = self.opaque_variable(index);
        let nullable = |path: &u32| self.domains.get(*path as usize).is_some_and(|domain| domain.has(NULL));
        let null = |path: u32, is: bool| {
            let domain = self.domains.get(path as usize)?;
            let null = Cells::one(self.domain(path)?.count, NULL);
            Part::of(path, if is { null } else { domain.without(&null) })
        };
        let is = |cells: &[u32]| Part::of(variable, opaque_cells(cells));
        // Of parts of which one cannot be, nothing needs to be taken out.
        let all_of = |parts: Vec<Option<Part>>| parts.into_iter().try_fold(Part::all(), |all, part| all.meet(&part?));
        let reads = opaque.reads.iter().copied().filter(nullable).collect::<Vec<_>>();
        let mut impossible = Vec::new();
        let mut domain = opaque_cells(&[TRUE, FALSE]);
        if opaque.may_fail || !reads.is_empty() {
            domain.insert(ERROR);
        }
        if !opaque.may_fail && !reads.is_empty() {
            // It is an error only where something is null.
            impossible.push(all_of([is(&[ERROR])].into_iter().chain(reads.iter().map(|path| null(*path, false))).collect()));
        }
        if let Some(sides) = opaque.sides {
            domain.insert(GREATER);
            if opaque.may_fail {
                domain.insert(UNORDERED);
            }
            let sides = sides.into_iter().flatten().filter(nullable).collect::<Vec<_>>();
            let compared = [LESS, EQUAL, GREATER, UNORDERED];
            impossible.extend(sides.iter().map(|side| all_of(vec![is(&compared), null(*side, true)])));
            match *sides {
                [] => {}
                [side] => {
                    domain.insert(ONE_NOTHING);
                    impossible.push(all_of(vec![is(&[ONE_NOTHING]), null(side, false)]));
                }
                [one, two, ..] => {
                    domain.insert(ONE_NOTHING);
                    domain.insert(NOTHING);
                    impossible.extend([one, two].map(|side| all_of(vec![is(&[NOTHING]), null(side, false)])));
                    impossible.push(all_of(vec![is(&[ONE_NOTHING]), null(one, true), null(two, true)]));
                    impossible.push(all_of(vec![is(&[ONE_NOTHING]), null(one, false), null(two, false)]));
                }
            }
        }
        self.impossible.extend(impossible.into_iter().flatten());
        self.domains.push(domain.clone());
        self.sure.push(domain);
        self.clear.push(false);
    }

    // ---- Layout --------------------------------------------------------------------------------------------------------

    /// Cuts all paths into cells, and finds out what cannot be.
    pub(super) fn lay_out(&mut self) -> Result<(), TooMuch> {
        for index in 0..self.paths.len() {
            let under = self.under(index).ok_or(TooMuch)?;
            let name = self.name(index);
            let Some(node) = self.paths.get_mut(index) else { continue };
            if node.owner.is_some() {
                node.name = name;
                // A map without entries has no keys.
                if node.cuts.fields > 0 && !node.cuts.sizes.contains(&0) {
                    node.cuts.sizes.push(0);
                }
            }
            let domain = Domain::new(self.model, &under, &node.cuts).ok_or(TooMuch)?;
            self.domains.push(domain.all.clone());
            self.sure.push(domain.sure.clone());
            self.clear.push(node.fresh);
            if let Some(owner) = node.owner {
                for (owners, own) in &domain.under {
                    let wrong = domain.all.without(own);
                    let part = Part::of(owner, owners.clone()).zip(Part::of(index as u32, wrong));
                    self.impossible.extend(part.and_then(|(owners, wrong)| owners.meet(&wrong)));
                }
            }
            node.domain = Some(domain);
        }
        self.is_laid_out = true;
        for index in 0..self.opaque.len() as u32 {
            self.lay_out_opaque(index);
        }
        Ok(())
    }

    /// The types that a path has, by the cells of its owner.
    fn under(&self, index: usize) -> Option<Vec<Under>> {
        let node = self.paths.get(index)?;
        if let Some(root) = &node.root {
            return Some(vec![Under { owner: Cells::none(0), ty: Some((root.ty.clone(), root.absent)) }]);
        }
        let owner = self.paths.get(node.owner? as usize)?.domain.as_ref()?;
        let mut under: Vec<Under> = Vec::new();
        for cell in owner.all.iter() {
            let ty = self.read(owner, cell, &node.step);
            match under.iter_mut().find(|known| known.ty == ty) {
                Some(known) => known.owner.insert(cell),
                None => under.push(Under { owner: Cells::one(owner.count, cell), ty }),
            }
        }
        Some(under)
    }

    /// What a step reads from what is in a cell.
    fn read(&self, owner: &Domain, cell: u32, step: &Step) -> Option<(Type, bool)> {
        let inner = owner.inner.iter().find(|(known, _)| *known == cell).map(|(_, inner)| inner);
        match (inner, step) {
            (Some(Inner::Any | Inner::Other), _) => Some((Type::Json, true)),
            (Some(Inner::Record(ty)), Step::Field(name)) => {
                let record = self.record(ty)?;
                match record.field_on_wire(name) {
                    Some(field) => Some((field.ty.clone(), field.optional)),
                    None => record.open.then_some((Type::Json, true)),
                }
            }
            (None, Step::Index(index)) => {
                let (line, item) = owner.list.as_ref().filter(|(line, _)| line.cells().contains(&cell))?;
                let (least, most) = line.sizes(cell);
                let index = i64::try_from(*index).unwrap_or(i64::MAX);
                (most > index).then(|| (item.clone(), least <= index))
            }
            (None, Step::Field(_)) => {
                let (line, entry) = owner.map.as_ref().filter(|(line, _)| line.cells().contains(&cell))?;
                (line.sizes(cell).1 > 0).then(|| (entry.clone(), true))
            }
            _ => None,
        }
    }

    fn record<'t>(&'t self, ty: &'t Type) -> Option<&'t Arc<RecordType>> {
        self.model.record(ty)
    }

    /// How a path is written.
    fn name(&self, index: usize) -> Arc<str> {
        let Some(node) = self.paths.get(index) else { return Arc::default() };
        let Some(owner) = node.owner.and_then(|owner| self.paths.get(owner as usize)) else { return Arc::clone(&node.name) };
        let nothing = owner.domain.as_ref().is_some_and(|domain| domain.all.has(NULL));
        let mark = if nothing { "?" } else { "" };
        match &node.step {
            Step::Index(at) => format!("{}{mark}[{at}]", owner.name).into(),
            Step::Field(wire) => {
                let forms = owner.domain.iter().flat_map(|domain| &domain.inner);
                let mut records = forms.filter_map(|(_, inner)| if let Inner::Record(ty) = inner { self.record(ty) } else { None });
                let name = records.find_map(|record| record.field_on_wire(wire)).map_or(&**wire, |field| &*field.name);
                let is_name = |first: char, rest: &str| {
                    let letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
                    letter(first) && rest.chars().all(|it| letter(it) || it.is_ascii_digit())
                };
                let mut rest = name.chars();
                if rest.next().is_some_and(|first| is_name(first, rest.as_str())) {
                    format!("{}{mark}.{name}", owner.name).into()
                } else {
                    format!("{}{mark}[{}]", owner.name, serde_json::Value::from(name)).into()
                }
            }
            Step::Root(_) => Arc::clone(&node.name),
        }
    }

    // ---- Cases ---------------------------------------------------------------------------------------------------------

    /// All cases that can be.
    pub(super) fn cases(&self, budget: &mut Budget) -> Result<Region, TooMuch> {
        let mut cases = Region::all();
        for part in &self.impossible {
            cases.take_part(part, &self.domains, budget)?;
        }
        Ok(cases)
    }

    /// The cases of which one may say that they can be: those of paths that nothing but their type decides.
    pub(super) fn sure_cases(&self, budget: &mut Budget) -> Result<Region, TooMuch> {
        let mut part = Part::all();
        for (variable, sure) in self.sure.iter().enumerate().filter(|(variable, _)| self.is_clear(*variable as u32)) {
            if self.domains.get(variable) == Some(sure) {
                continue;
            }
            let Some(both) = Part::of(variable as u32, sure.clone()).and_then(|sure| part.meet(&sure)) else {
                return Ok(Region::default());
            };
            part = both;
        }
        let mut cases = Region { parts: vec![part] };
        for part in self.impossible.iter().filter(|part| part.limits().iter().all(|(variable, _)| self.is_clear(*variable))) {
            cases.take_part(part, &self.sure, budget)?;
        }
        Ok(cases)
    }

    pub(super) fn is_clear(&self, variable: Variable) -> bool {
        self.clear.get(variable as usize).copied().unwrap_or(false)
    }
}
