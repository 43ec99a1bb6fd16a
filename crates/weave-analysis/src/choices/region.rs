//! Regions: sets of cases, each said by some cells for some variables.
//!
//! A case gives each variable one cell. A [`Part`] is all cases in which some variables have one of some cells; a region is a list of
//! parts. Taking parts away may cut others into many, so everything is done within a [`Budget`]: who runs out of it knows nothing.

use super::cells::Cells;

/// The number of a variable.
pub(super) type Variable = u32;

/// More parts are not kept.
const MOST_PARTS: usize = 512;

/// How much may still be done.
#[derive(Debug)]
pub(super) struct Budget(usize);

/// There was too much to do.
#[derive(Debug)]
pub(super) struct TooMuch;

impl Budget {
    pub(super) const fn new(steps: usize) -> Self {
        Self(steps)
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.0 = self.0.checked_sub(steps).ok_or(TooMuch)?;
        Ok(())
    }
}

/// The cases in which some variables have one of some cells. None of the sets is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// By variable, in ascending order.
    limits: Vec<(Variable, Cells)>,
}

impl Part {
    /// All cases.
    pub(super) const fn all() -> Self {
        Self { limits: Vec::new() }
    }

    /// Those in which one variable has one of these cells; nothing if that is none.
    pub(super) fn of(variable: Variable, cells: Cells) -> Option<Self> {
        (!cells.is_empty()).then(|| Self { limits: vec![(variable, cells)] })
    }

    pub(super) fn limits(&self) -> &[(Variable, Cells)] {
        &self.limits
    }

    /// What a variable may be; all that it can be if nothing is said.
    pub(super) fn cells(&self, variable: Variable) -> Option<&Cells> {
        let at = self.limits.binary_search_by_key(&variable, |(variable, _)| *variable).ok()?;
        self.limits.get(at).map(|(_, cells)| cells)
    }

    fn cost(&self) -> usize {
        1 + self.limits.iter().map(|(_, cells)| cells.cost()).sum::<usize>()
    }

    /// With another set for a variable.
    fn with(&self, variable: Variable, cells: Cells) -> Self {
        let mut limits = self.limits.clone();
        match limits.binary_search_by_key(&variable, |(variable, _)| *variable) {
            Ok(at) => {
                if let Some(limit) = limits.get_mut(at) {
                    limit.1 = cells;
                }
            }
            Err(at) => limits.insert(at, (variable, cells)),
        }
        Self { limits }
    }

    /// The cases of both.
    pub(super) fn meet(&self, other: &Self) -> Option<Self> {
        let mut limits = Vec::with_capacity(self.limits.len() + other.limits.len());
        let (mut ours, mut theirs) = (self.limits.iter().peekable(), other.limits.iter().peekable());
        loop {
            let next = match (ours.peek(), theirs.peek()) {
                (Some(one), Some(two)) if one.0 == two.0 => {
                    let cells = one.1.and(&two.1);
                    if cells.is_empty() {
                        return None;
                    }
                    let next = (one.0, cells);
                    ours.next();
                    theirs.next();
                    next
                }
                (Some(one), Some(two)) if one.0 > two.0 => {
                    let next = (*two).clone();
                    theirs.next();
                    next
                }
                (Some(one), _) => {
                    let next = (*one).clone();
                    ours.next();
                    next
                }
                (None, Some(two)) => {
                    let next = (*two).clone();
                    theirs.next();
                    next
                }
                (None, None) => return Some(Self { limits }),
            };
            limits.push(next);
        }
    }

    /// Whether they have a case in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.limits.iter().all(|(variable, cells)| other.cells(*variable).is_none_or(|theirs| theirs.meets(cells)))
    }

    /// Only the limits that are wanted.
    pub(super) fn keep(&self, wanted: impl Fn(Variable) -> bool) -> Self {
        Self { limits: self.limits.iter().filter(|(variable, _)| wanted(*variable)).cloned().collect() }
    }

    /// Adds what is left of it without another part, in parts that have no case in common.
    fn take(mut self, other: &Self, domains: &[Cells], into: &mut Vec<Self>) {
        for (variable, cells) in &other.limits {
            let Some(own) = self.cells(*variable).or_else(|| domains.get(*variable as usize)) else { continue };
            let outside = own.without(cells);
            let inside = own.and(cells);
            if !outside.is_empty() {
                into.push(self.with(*variable, outside));
                self = self.with(*variable, inside);
            }
        }
    }
}

/// A list of parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    pub(super) parts: Vec<Part>,
}

impl Region {
    /// All cases.
    pub(super) fn all() -> Self {
        Self { parts: vec![Part::all()] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The cases of either.
    pub(super) fn or(&mut self, other: Self) -> Result<(), TooMuch> {
        for part in other.parts {
            if part.limits.is_empty() {
                *self = Self::all();
            }
            // What is said of one variable only stays one part, however long the list of alternatives.
            let same = |known: &&mut Part| matches!((&*known.limits, &*part.limits), ([(one, _)], [(other, _)]) if one == other);
            match (self.parts.iter_mut().find(same), part.limits.first()) {
                (Some(Part { limits }), Some((_, cells))) => limits.iter_mut().for_each(|(_, known)| *known = known.or(cells)),
                _ => self.parts.push(part),
            }
            if self.parts.len() > MOST_PARTS / 8 {
                return Err(TooMuch);
            }
        }
        Ok(())
    }

    /// The cases of both.
    pub(super) fn and(&self, other: &Self, budget: &mut Budget) -> Result<Self, TooMuch> {
        let mut both = Self::default();
        for one in &self.parts {
            for two in &other.parts {
                budget.spend(one.cost() + two.cost())?;
                if let Some(part) = one.meet(two) {
                    both.parts.push(part);
                }
            }
            if both.parts.len() > MOST_PARTS / 8 {
                return Err(TooMuch);
            }
        }
        Ok(both)
    }

    /// Whether they have a case in common.
    pub(super) fn meets(&self, other: &Self, budget: &mut Budget) -> Result<bool, TooMuch> {
        for one in &self.parts {
            for two in &other.parts {
                budget.spend(one.cost())?;
                if one.meets(two) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The first cases that they have in common.
    pub(super) fn first_common(&self, other: &Self, budget: &mut Budget) -> Result<Option<Part>, TooMuch> {
        for one in &self.parts {
            for two in &other.parts {
                budget.spend(one.cost() + two.cost())?;
                if let Some(part) = one.meet(two) {
                    return Ok(Some(part));
                }
            }
        }
        Ok(None)
    }

    /// Takes away the cases of another region.
    pub(super) fn take(&mut self, other: &Self, domains: &[Cells], budget: &mut Budget) -> Result<(), TooMuch> {
        for taken in &other.parts {
            self.take_part(taken, domains, budget)?;
        }
        Ok(())
    }

    pub(super) fn take_part(&mut self, taken: &Part, domains: &[Cells], budget: &mut Budget) -> Result<(), TooMuch> {
        let mut left = Vec::with_capacity(self.parts.len());
        for part in self.parts.drain(..) {
            budget.spend(part.cost() + taken.cost())?;
            if part.meets(taken) {
                part.take(taken, domains, &mut left);
            } else {
                left.push(part);
            }
            if left.len() > MOST_PARTS {
                return Err(TooMuch);
            }
        }
        self.parts = left;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All cases of three variables with three cells each.
    fn cases() -> impl Iterator<Item = [u32; 3]> {
        (0..27).map(|number| [number / 9, number / 3 % 3, number % 3])
    }

    fn holds(region: &Region, case: [u32; 3]) -> bool {
        let within = |part: &Part| part.limits.iter().all(|(variable, cells)| cells.has(case[*variable as usize]));
        region.parts.iter().any(within)
    }

    /// The parts of three variables with some of their cells, by number.
    fn part(number: u32) -> Option<Part> {
        let mut part = Part::all();
        for variable in 0..3 {
            let bits = number >> (3 * variable) & 7;
            let mut cells = Cells::none(3);
            (0..3).filter(|cell| bits >> cell & 1 == 1).for_each(|cell| cells.insert(cell));
            if bits != 7 {
                part = part.meet(&Part::of(variable, cells)?)?;
            }
        }
        Some(part)
    }

    #[test]
    fn regions_are_sets_of_cases() {
        let domains = vec![Cells::range(3, 0..3); 3];
        let parts = (0..512).step_by(7).filter_map(part).collect::<Vec<_>>();
        for one in &parts {
            for two in &parts {
                let (first, second) = (Region { parts: vec![one.clone()] }, Region { parts: vec![two.clone()] });
                let mut budget = Budget::new(10_000);
                let both = first.and(&second, &mut budget).unwrap();
                let mut either = first.clone();
                either.or(second.clone()).unwrap();
                let mut left = first.clone();
                left.take(&second, &domains, &mut budget).unwrap();
                assert_eq!(first.meets(&second, &mut budget).unwrap(), !both.is_empty());
                for case in cases() {
                    let (in_first, in_second) = (holds(&first, case), holds(&second, case));
                    assert_eq!(holds(&both, case), in_first && in_second);
                    assert_eq!(holds(&either, case), in_first || in_second);
                    assert_eq!(holds(&left, case), in_first && !in_second, "{one:?} {two:?} {left:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_much_is_said() {
        let mut budget = Budget::new(3);
        assert!(Region::all().and(&Region::all(), &mut budget).is_ok());
        assert!(Region::all().and(&Region::all(), &mut budget).is_err());
    }
}
