//! Decides what the guards of a choice say about each other.
//!
//! Two sets of cases are gone through side by side. The first one has all cases that may be, with what is not looked into as free to be
//! true or false; what holds in all of them is proven. The second one has only cases that can be for sure, and takes a guard for true
//! wherever something that is not looked into might make it so; what is left there is really left.

use super::facts::{Coverage, Gap, Overlap, Role, Verdict};
use super::formula::{Formula, Reader, Roots, may_run_out};
use super::region::{Budget, Part, Region, TooMuch};
use super::space::{Opaque, Space, TRUE, opaque_cells};
use super::witness::witness;
use crate::model::Model;
use crate::model::guard::Guard;

/// How much is done for one choice, in words of bits.
const MOST_STEPS: usize = 4_000_000;

/// How much is done to find members that overlap.
const MOST_STEPS_FOR_OVERLAPS: usize = 200_000;

/// How many of the members that shadow another one are named.
const MOST_SHADOWS: usize = 4;

/// One node of a choice.
pub(crate) struct Asked<'g> {
    /// What it is.
    pub(crate) role: Role,
    /// Its guard.
    pub(crate) guard: Option<&'g Guard>,
    /// Whether its limit may be used up.
    pub(crate) runs_out: bool,
    /// The index of the node.
    pub(crate) node: u32,
}

/// What was found out.
pub(crate) struct Decided {
    /// For each member.
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) overlaps: Vec<Overlap>,
    pub(crate) coverage: Coverage,
    pub(crate) handled: Coverage,
    /// Whether something was not looked into because it is too large.
    pub(crate) too_large: bool,
}

/// Decides a choice.
pub(crate) fn decide(model: &Model, roots: &dyn Roots, asked: &[Asked<'_>]) -> Decided {
    let mut decided = Decided {
        verdicts: asked.iter().map(|asked| if asked.guard.is_some() { Verdict::Unknown } else { Verdict::Satisfiable }).collect(),
        overlaps: Vec::new(),
        coverage: Coverage::Unknown(Box::default()),
        handled: Coverage::Unknown(Box::default()),
        too_large: false,
    };
    // What it takes is bounded; who runs out of it has learnt what has been found so far.
    decided.too_large = match Solver::new(model, roots, asked) {
        Ok(mut solver) => solver.solve(&mut decided).is_err() || solver.is_cut,
        Err(TooMuch) => true,
    };
    let surely = |wanted: &[Role]| asked.iter().any(|asked| !asked.runs_out && wanted.contains(&asked.role));
    if surely(&[Role::Else, Role::Limited]) {
        decided.coverage = Coverage::Total;
    }
    if decided.coverage == Coverage::Total || surely(&[Role::Always]) {
        decided.handled = Coverage::Total;
    }
    decided
}

struct Solver<'a, 's> {
    space: Space<'a>,
    asked: &'s [Asked<'s>],
    /// Where each guard is true.
    regions: Vec<Region>,
    budget: Budget,
    /// Whether a guard was not looked into because it is too large.
    is_cut: bool,
}

impl<'a, 's> Solver<'a, 's> {
    fn new(model: &'a Model, roots: &dyn Roots, asked: &'s [Asked<'s>]) -> Result<Self, TooMuch> {
        let mut space = Space::new(model);
        let mut budget = Budget::new(MOST_STEPS);
        let mut formulas = Vec::with_capacity(asked.len());
        for (index, asked) in asked.iter().enumerate() {
            let mut reader = Reader { space: &mut space, roots };
            let formula = asked.guard.map_or(Formula::Known(true), |guard| reader.formula(&guard.expression));
            let runs_out = asked.guard.filter(|guard| may_run_out(model, &guard.expression));
            // An error that nothing absorbs is as if another condition stood before the guard.
            let unless = runs_out.map(|_| Formula::Opaque(space.opaque(format!("error of {index}"), |_| Opaque::default())));
            formulas.push(match unless {
                Some(unless) => Formula::And(vec![unless, formula]),
                None => formula,
            });
        }
        space.lay_out()?;
        let mut regions = Vec::with_capacity(asked.len());
        let mut is_cut = false;
        for (index, formula) in formulas.iter().enumerate() {
            let mut reader = Reader { space: &mut space, roots };
            let region = match reader.region(formula, true, &mut budget) {
                Ok(region) => region,
                // A guard that says too much is not looked into.
                Err(TooMuch) => {
                    is_cut = true;
                    let guard = space.opaque(format!("guard {index}"), |_| Opaque { may_fail: true, ..Opaque::default() });
                    Region { parts: Part::of(space.opaque_variable(guard), opaque_cells(&[TRUE])).into_iter().collect() }
                }
            };
            budget.spend(region.parts.iter().map(|part| 1 + part.limits().iter().map(|(_, cells)| cells.cost()).sum::<usize>()).sum())?;
            regions.push(region);
        }
        Ok(Self { space, asked, regions, budget, is_cut })
    }

    /// Where a guard may be true, whatever what is not looked into says.
    fn possible(&self, region: &Region) -> Region {
        Region { parts: region.parts.iter().map(|part| part.keep(|variable| self.space.is_clear(variable))).collect() }
    }

    /// Where a guard is true, whatever what is not looked into says.
    fn certain(&self, region: &Region) -> Region {
        let is_certain = |part: &&Part| part.limits().iter().all(|(variable, _)| self.space.is_clear(*variable));
        Region { parts: region.parts.iter().filter(is_certain).cloned().collect() }
    }

    fn solve(&mut self, decided: &mut Decided) -> Result<(), TooMuch> {
        let cases = self.space.cases(&mut self.budget)?;
        let sure = self.space.sure_cases(&mut self.budget)?;
        let mut left = Left { all: cases.clone(), sure: sure.clone() };
        // As long as no limit is used up.
        let mut fresh = left.clone();
        let regions = std::mem::take(&mut self.regions);
        let members = || self.asked.iter().zip(&regions).enumerate();
        for (index, (asked, region)) in members().filter(|(_, (asked, _))| asked.role != Role::Always) {
            let verdict = self.verdict(index, &regions, (&cases, &left, &fresh), &decided.verdicts)?;
            if let Some(known) = decided.verdicts.get_mut(index) {
                *known = verdict;
            }
            if asked.role != Role::Also {
                let possible = self.possible(region);
                if !asked.runs_out {
                    left.take(region, &possible, &self.space, &mut self.budget)?;
                }
                fresh.take(region, &possible, &self.space, &mut self.budget)?;
            }
        }
        decided.coverage = self.coverage(&left, &fresh, &regions)?;
        for (_, (asked, region)) in members().filter(|(_, (asked, _))| asked.role == Role::Also) {
            let possible = self.possible(region);
            if !asked.runs_out {
                left.take(region, &possible, &self.space, &mut self.budget)?;
            }
            fresh.take(region, &possible, &self.space, &mut self.budget)?;
        }
        decided.handled = self.coverage(&left, &fresh, &regions)?;
        // Not all pairs of a long choice are looked at, which takes nothing from what is known of the whole.
        let _ = self.overlaps(&sure, &regions, &mut decided.overlaps);
        Ok(())
    }

    fn verdict(
        &mut self,
        index: usize,
        regions: &[Region],
        (cases, left, fresh): (&Region, &Left, &Left),
        known: &[Verdict],
    ) -> Result<Verdict, TooMuch> {
        let (Some(asked), Some(region)) = (self.asked.get(index), regions.get(index)) else { return Ok(Verdict::Unknown) };
        let budget = &mut self.budget;
        if asked.guard.is_some() {
            if !cases.meets(region, budget)? {
                return Ok(Verdict::Never);
            }
            if asked.role == Role::Also {
                return self.is_always(cases, region);
            }
        }
        if !left.all.meets(region, budget)? {
            return Ok(Verdict::Shadowed(self.shadows(index, regions, cases, known)?));
        }
        let is_sure = {
            let certain = self.certain(region);
            fresh.sure.meets(&certain, &mut self.budget)?
        };
        match asked.guard {
            // Whether anything is left to it is not known.
            None if asked.role == Role::Else && !is_sure => Ok(Verdict::Unknown),
            None => Ok(Verdict::Satisfiable),
            Some(_) => match self.is_always(cases, region)? {
                Verdict::Unknown if is_sure => Ok(Verdict::Satisfiable),
                verdict => Ok(verdict),
            },
        }
    }

    fn is_always(&mut self, cases: &Region, region: &Region) -> Result<Verdict, TooMuch> {
        let mut rest = cases.clone();
        rest.take(region, &self.space.domains, &mut self.budget)?;
        Ok(if rest.is_empty() { Verdict::Always } else { Verdict::Unknown })
    }

    /// The members that fire in the cases of another one.
    fn shadows(&mut self, index: usize, regions: &[Region], cases: &Region, known: &[Verdict]) -> Result<Box<[usize]>, TooMuch> {
        let Some(own) = regions.get(index) else { return Ok(Box::default()) };
        let own = cases.and(own, &mut self.budget)?;
        let mut shadows = Vec::new();
        for (before, (asked, region)) in self.asked.iter().zip(regions).enumerate().take(index) {
            let fires = !matches!(known.get(before), Some(Verdict::Never | Verdict::Shadowed(_)));
            let is_before = fires && !asked.runs_out && !matches!(asked.role, Role::Also | Role::Always);
            if is_before && shadows.len() < MOST_SHADOWS && own.meets(region, &mut self.budget)? {
                shadows.push(before);
            }
        }
        Ok(shadows.into())
    }

    fn coverage(&mut self, left: &Left, fresh: &Left, regions: &[Region]) -> Result<Coverage, TooMuch> {
        if left.all.is_empty() {
            return Ok(Coverage::Total);
        }
        if let Some(part) = fresh.sure.parts.first() {
            return Ok(Coverage::Gap(Gap { witness: witness(&self.space, part), exhausted: Box::default(), is_by_limits: false }));
        }
        if let Some(part) = left.sure.parts.first() {
            let case = Region { parts: vec![part.clone()] };
            let mut exhausted = Vec::new();
            for (asked, region) in self.asked.iter().zip(regions).filter(|(asked, _)| asked.runs_out) {
                let possible = self.possible(region);
                if case.meets(&possible, &mut self.budget)? && !exhausted.contains(&asked.node) {
                    exhausted.push(asked.node);
                }
            }
            let witness = witness(&self.space, part);
            return Ok(Coverage::Gap(Gap { witness, exhausted: exhausted.into(), is_by_limits: fresh.all.is_empty() }));
        }
        let limited = self.asked.iter().filter(|asked| asked.runs_out && fresh.all.is_empty()).map(|asked| asked.node);
        Ok(Coverage::Unknown(limited.collect()))
    }

    fn overlaps(&self, sure: &Region, regions: &[Region], overlaps: &mut Vec<Overlap>) -> Result<(), TooMuch> {
        let mut budget = Budget::new(MOST_STEPS_FOR_OVERLAPS);
        let guarded = |index: &usize| self.asked.get(*index).is_some_and(|asked| asked.role == Role::When);
        let certain = (0..regions.len()).filter(guarded).filter_map(|index| Some((index, self.certain(regions.get(index)?))));
        let certain = certain.collect::<Vec<_>>();
        for (at, (second, region)) in certain.iter().enumerate() {
            for (first, before) in certain.iter().take(at) {
                if !before.meets(region, &mut budget)? {
                    continue;
                }
                let both = before.and(region, &mut budget)?;
                if let Some(part) = sure.first_common(&both, &mut budget)? {
                    let mut alone = sure.and(before, &mut budget)?;
                    let other = regions.get(*second).map(|region| self.possible(region));
                    alone.take(other.as_ref().unwrap_or(region), &self.space.sure, &mut budget)?;
                    let crossing = !alone.is_empty();
                    overlaps.push(Overlap { first: *first, second: *second, crossing, witness: witness(&self.space, &part) });
                }
            }
        }
        Ok(())
    }
}

/// What no member has taken yet.
#[derive(Clone)]
struct Left {
    /// Of all cases that may be.
    all: Region,
    /// Of those that can be for sure.
    sure: Region,
}

impl Left {
    fn take(&mut self, region: &Region, possible: &Region, space: &Space<'_>, budget: &mut Budget) -> Result<(), TooMuch> {
        self.all.take(region, &space.domains, budget)?;
        self.sure.take(possible, &space.sure, budget)
    }
}
