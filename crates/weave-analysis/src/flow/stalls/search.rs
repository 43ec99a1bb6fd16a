//! Looks for a way on which a run comes to a standstill without having ended.
//!
//! All that the world can do is tried, the shortest ways first. Where it makes no difference in which order things happen, one order
//! is enough: then the last step in the text is closed first, so that one branch is through before the next one is looked at.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::deals::{Fired, Situation};
use super::net::{Behaviour, Conduct, LimitId, Net, What};
use super::state::{Rounds, State, Token};
use crate::flow::groups::GroupId;

/// How much may be looked at: the parts of all states that are made.
const MOST_WORK: usize = 400_000;

/// Ways that are told to the end.
const MOST_STALLS: usize = 64;

/// One thing that happens, and what the nodes that it concerns do.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// The step, or the time; none for the start of the run and for what comes from outside.
    pub(super) node: Option<u32>,
    pub(super) what: What,
    /// Choices of which these nodes fire, and others could.
    pub(super) chosen: Vec<(GroupId, Vec<u32>)>,
    /// Triggers with guards or limits of which nothing fires.
    pub(super) idle: Vec<GroupId>,
    /// Choices of which no node fires, but others beside them.
    pub(super) passed: Vec<GroupId>,
    /// The last step that is closed by it, itself or one that is answered at once, and how.
    pub(super) last: Option<(u32, What)>,
    /// Whether nothing waits because of it, and no join has counted it.
    pub(super) is_lost: bool,
}

impl Event {
    fn new(node: Option<u32>, what: What) -> Self {
        Self { node, what, chosen: Vec::new(), idle: Vec::new(), passed: Vec::new(), last: node.map(|node| (node, what)), is_lost: true }
    }
}

/// A way that ends in a standstill.
#[derive(Debug)]
pub(super) struct Stall {
    /// What happens, from the start on.
    pub(super) events: Vec<Event>,
    /// Where the run stands then.
    pub(super) state: Rc<State>,
}

/// What was found.
#[derive(Debug)]
pub(in crate::flow) struct Found {
    pub(super) stalls: Vec<Stall>,
    /// Whether everything was looked at.
    pub(super) is_complete: bool,
}

/// A trigger that is satisfied.
#[derive(Clone, Copy)]
struct Item {
    group: GroupId,
    rounds: Rounds,
    /// The members of its join that have answered, if its guards look at that.
    answered: Option<u64>,
}

impl Item {
    const fn new(group: GroupId, rounds: Rounds) -> Self {
        Self { group, rounds, answered: None }
    }
}

/// A draft, and the nodes that fire in it.
type Chosen = (Draft, Vec<(u32, Rounds)>);

/// Something that has happened, of which it is not decided yet what follows.
#[derive(Clone, Default)]
struct Happening {
    items: Vec<Item>,
    /// It is a failure; so these are decided one after the other, and if nobody takes it, the run is over.
    failed: Option<(u32, Rounds)>,
    of: Option<(u32, What)>,
}

/// A state in the middle of an event.
#[derive(Clone)]
struct Draft {
    state: State,
    queue: VecDeque<Happening>,
    event: Event,
}

impl Draft {
    /// How much a copy of it is.
    fn size(&self) -> usize {
        let Event { chosen, idle, passed, .. } = &self.event;
        let queued = self.queue.iter().map(|happening| happening.items.len()).sum::<usize>();
        self.state.size() + queued + chosen.iter().map(|(_, nodes)| 1 + nodes.len()).sum::<usize>() + idle.len() + passed.len()
    }
}

/// Looks for standstills.
pub(super) fn find(net: &Net) -> Found {
    let mut search = Search { net, work: 0, seen: FxHashMap::default(), ways: Vec::new(), open: VecDeque::new(), stalls: Vec::new() };
    search.start();
    while let Some((number, state)) = search.open.pop_front() {
        if search.is_exhausted() || search.stalls.len() >= MOST_STALLS {
            return Found { stalls: search.stalls, is_complete: false };
        }
        search.go_on(number, &state);
    }
    Found { is_complete: !search.is_exhausted(), stalls: search.stalls }
}

struct Search<'n> {
    net: &'n Net,
    work: usize,
    seen: FxHashMap<Rc<State>, ()>,
    /// For each state the one before it, and what happened in between.
    ways: Vec<(Option<u32>, Event)>,
    open: VecDeque<(u32, Rc<State>)>,
    stalls: Vec<Stall>,
}

impl Search<'_> {
    fn start(&mut self) {
        let mut state = State { fired: vec![0; self.net.limits.len()], ..State::default() };
        for clock in &self.net.clocks {
            state.open(Token { node: *clock, rounds: Rounds::default(), met: 0 }, 1);
        }
        let items = self.net.start.map(|group| Item::new(group, Rounds::default()));
        let happening = Happening { items: items.into_iter().collect(), ..Happening::default() };
        let event = Event::new(None, What::Answered(None));
        self.settle(None, Draft { state, queue: VecDeque::from([happening]), event });
    }

    /// Tries what can happen in a state.
    fn go_on(&mut self, number: u32, state: &Rc<State>) {
        let behaviour = |token: &Token| self.net.behaviour(token.node);
        let calm = state.tokens.iter().rposition(|token| !self.net.is_ordered || behaviour(token).is_some_and(|it| it.is_calm));
        if let Some(place) = calm {
            return self.close(number, state, place);
        }
        for place in 0..state.tokens.len() {
            self.meet(number, state, place);
            self.close(number, state, place);
        }
        for group in &self.net.outside {
            let happening = Happening { items: vec![Item::new(*group, Rounds::default())], ..Happening::default() };
            let event = Event::new(None, What::Outside);
            self.settle(Some(number), Draft { state: (**state).clone(), queue: VecDeque::from([happening]), event });
        }
    }

    /// Something happens while a step is open.
    fn meet(&mut self, number: u32, state: &Rc<State>, place: usize) {
        let Some(token) = state.tokens.get(place).copied() else { return };
        let inner = self.net.behaviour(token.node).map(|behaviour| behaviour.inner.as_slice()).unwrap_or_default();
        for (index, group) in inner.iter().enumerate().take(32).filter(|(index, _)| token.met & 1 << index == 0) {
            let mut state = (**state).clone();
            state.tokens.remove(place);
            state.open(Token { met: token.met | 1 << index, ..token }, self.most());
            let happening = Happening { items: vec![Item::new(*group, token.rounds)], ..Happening::default() };
            let event = Event::new(Some(token.node), What::Meanwhile(*group));
            self.settle(Some(number), Draft { state, queue: VecDeque::from([happening]), event });
        }
    }

    /// A step is closed, in each way in which it can be.
    fn close(&mut self, number: u32, state: &Rc<State>, place: usize) {
        let Some(token) = state.tokens.get(place).copied() else { return };
        let Some(behaviour) = self.net.behaviour(token.node) else { return };
        for outcome in &behaviour.outcomes {
            let mut draft = Draft { state: (**state).clone(), queue: VecDeque::new(), event: Event::new(Some(token.node), outcome.what) };
            draft.state.tokens.remove(place);
            self.closed(&mut draft, token.node, token.rounds, outcome.what, &outcome.groups);
            self.settle(Some(number), draft);
        }
    }

    /// How often a step may be open in one round; in any case often enough to show that it is.
    fn most(&self) -> usize {
        if self.net.is_ordered { 2 } else { 1 }
    }

    /// A step has been closed: who listens, and the joins that count it.
    fn closed(&self, draft: &mut Draft, node: u32, rounds: Rounds, what: What, groups: &[GroupId]) {
        let mut happening = Happening { of: Some((node, what)), ..Happening::default() };
        happening.items.extend(groups.iter().map(|group| Item::new(*group, rounds)));
        happening.failed = (what == What::Failed).then_some((node, rounds));
        let joins = self.net.behaviour(node).map(|behaviour| behaviour.joins.as_slice()).unwrap_or_default();
        if let Some(behaviour) = self.net.behaviour(node) {
            draft.state.decided.forget(behaviour.reopens);
        }
        let counts = matches!(what, What::Answered(_) | What::Failed);
        for number in joins.iter().filter(|_| counts) {
            let Some(join) = self.net.joins.get(*number as usize).filter(|join| join.settles || what != What::Failed) else { continue };
            let round = join.fork.map_or(0, |fork| rounds.of(fork));
            let bit = join.members.iter().position(|member| *member == node).map_or(0, |place| 1_u64 << place);
            let Some(counted) = draft.state.counted(*number, round).filter(|counted| !counted.is_satisfied) else { continue };
            counted.members |= bit;
            if join.tells && what != What::Failed {
                counted.answered |= bit;
            }
            counted.rounds = counted.rounds.united(rounds);
            if counted.members.count_ones() >= join.needed {
                (counted.is_satisfied, counted.members) = (true, 0);
                let answered = join.tells.then(|| std::mem::take(&mut counted.answered));
                happening.items.push(Item { group: join.group, rounds: std::mem::take(&mut counted.rounds), answered });
            } else {
                draft.event.is_lost = false;
            }
        }
        draft.queue.push_back(happening);
    }

    /// Decides what follows, in each way that guards leave open, and keeps the states that this leads to.
    fn settle(&mut self, from: Option<u32>, draft: Draft) {
        let mut open = vec![draft];
        while let Some(mut draft) = open.pop() {
            self.work += draft.state.size();
            if self.is_exhausted() {
                return;
            }
            match draft.queue.pop_front() {
                Some(happening) => open.extend(self.decide(draft, &happening)),
                None => self.keep(from, draft),
            }
        }
    }

    /// Whether as much has been looked at as may be.
    const fn is_exhausted(&self) -> bool {
        self.work > MOST_WORK
    }

    /// The drafts behind a happening; none where the run is over, or where there is too much to look at.
    fn decide(&mut self, mut draft: Draft, happening: &Happening) -> Vec<Draft> {
        draft.event.last = happening.of.or(draft.event.last);
        let mut drafts = vec![(draft, Vec::new())];
        for item in &happening.items {
            drafts = self.deal_all(drafts, *item);
        }
        if let Some((node, rounds)) = happening.failed {
            let mut taken = Vec::new();
            for (draft, chosen) in drafts {
                taken.extend(self.fail(draft, chosen, node, rounds));
            }
            drafts = taken;
        }
        drafts.into_iter().filter_map(|(draft, chosen)| self.fire_all(draft, chosen)).collect()
    }

    /// Decides one group in each draft. What happens at once multiplies out, so that is work too: nothing is left when there was too much.
    fn deal_all(&mut self, drafts: Vec<Chosen>, item: Item) -> Vec<Chosen> {
        let mut dealt = Vec::with_capacity(drafts.len());
        for (draft, chosen) in drafts {
            dealt.extend(self.deal(draft, chosen, item));
            if self.is_exhausted() {
                return Vec::new();
            }
        }
        dealt
    }

    /// Decides one group.
    fn deal(&mut self, draft: Draft, chosen: Vec<(u32, Rounds)>, Item { group, rounds, answered }: Item) -> Vec<Chosen> {
        let net = self.net;
        let Some(deal) = net.deals.get(group as usize) else { return Vec::new() };
        let is_used_up = |limit: &LimitId| self.is_used_up(&draft.state, *limit);
        let (atoms, decided) = (&net.atoms, draft.state.decided);
        let mut options = deal.options(&Situation { answered, atoms, decided, with_also: self.net.is_ordered }, is_used_up);
        let count = options.len();
        let apply = |(mut draft, mut chosen): Chosen, (option, decided): Fired| {
            draft.state.decided = decided;
            chosen.extend(option.iter().map(|node| (*node, rounds)));
            if option.is_empty() {
                draft.event.idle.push(group);
            } else if deal.passes(&option) {
                draft.event.passed.push(group);
            } else if count > 1 {
                draft.event.chosen.push((group, option));
            }
            (draft, chosen)
        };
        let Some(last) = options.pop() else { return Vec::new() };
        let size = draft.size() + chosen.len();
        let mut dealt = Vec::with_capacity(count);
        for option in options {
            self.work += size + option.0.len();
            if self.is_exhausted() {
                return Vec::new();
            }
            dealt.push(apply((draft.clone(), chosen.clone()), option));
        }
        dealt.push(apply((draft, chosen), last));
        dealt
    }

    /// Decides who takes a failure: nodes of its own, else those of any failure, else a join that counts it.
    fn fail(&mut self, draft: Draft, chosen: Vec<(u32, Rounds)>, node: u32, rounds: Rounds) -> Vec<Chosen> {
        let net = self.net;
        let behaviour = net.behaviour(node);
        let before = chosen.len();
        let mut untaken = vec![(draft, chosen)];
        let mut taken = Vec::new();
        for group in behaviour.and_then(|behaviour| behaviour.failure).into_iter().chain(net.any_failure) {
            let dealt = self.deal_all(untaken, Item::new(group, rounds));
            let (next, left) = dealt.into_iter().partition::<Vec<_>, _>(|(_, chosen)| chosen.len() > before);
            taken.extend(next);
            untaken = left;
        }
        if behaviour.is_some_and(|behaviour| behaviour.settles) {
            taken.extend(untaken);
        }
        taken
    }

    fn fork_of(&self, join: u32) -> Option<u32> {
        self.net.joins.get(join as usize).and_then(|join| join.fork)
    }

    fn is_used_up(&self, state: &State, limit: LimitId) -> bool {
        state.fired.get(limit).zip(self.net.limits.get(limit)).is_some_and(|(fired, most)| fired >= most)
    }

    /// Lets the chosen nodes fire in the order of the text, each of them once; nothing if the run is over then.
    fn fire_all(&self, mut draft: Draft, mut chosen: Vec<(u32, Rounds)>) -> Option<Draft> {
        chosen.sort_by_key(|(node, _)| *node);
        chosen.dedup_by_key(|(node, _)| *node);
        for (node, rounds) in chosen {
            self.fire(&mut draft, node, rounds)?;
        }
        Some(draft)
    }

    fn fire(&self, draft: &mut Draft, node: u32, rounds: Rounds) -> Option<()> {
        let behaviour = self.net.behaviour(node).filter(|behaviour| behaviour.conduct != Conduct::End)?;
        if let Some(limit) = behaviour.limit {
            if self.is_used_up(&draft.state, limit) {
                return Some(());
            }
            *draft.state.fired.get_mut(limit)? += 1;
        }
        let rounds = match behaviour.fork {
            Some(fork) => {
                let queued = draft.queue.iter().flat_map(|happening| happening.items.iter().map(|item| item.rounds));
                draft.state.next_round(fork, rounds, queued, |join| self.fork_of(join))?
            }
            None => rounds,
        };
        for cancelled in &behaviour.cancels {
            draft.state.tokens.retain(|token| token.node != *cancelled);
        }
        match behaviour.conduct {
            Conduct::AtOnce => self.answer_at_once(draft, node, behaviour, rounds),
            _ => {
                draft.event.is_lost = false;
                draft.queue.extend(emitted(behaviour));
                draft.state.open(Token { node, rounds, met: 0 }, self.most());
            }
        }
        Some(())
    }

    fn answer_at_once(&self, draft: &mut Draft, node: u32, behaviour: &Behaviour, rounds: Rounds) {
        let groups = behaviour.outcomes.first().map(|outcome| outcome.groups.as_slice()).unwrap_or_default();
        self.closed(draft, node, rounds, What::Answered(None), groups);
        // One event: its own topic and the answer are decided together.
        if let Some(happening) = draft.queue.back_mut() {
            happening.items.extend(behaviour.emitted.iter().map(|group| Item::new(*group, Rounds::default())));
        }
    }

    /// Keeps a state, if it is a new one.
    fn keep(&mut self, from: Option<u32>, mut draft: Draft) {
        // At a standstill it is told what joins still wait for.
        if !draft.state.tokens.is_empty() {
            draft.state.forget(|join| self.fork_of(join));
        }
        let state = Rc::new(draft.state);
        if self.seen.insert(Rc::clone(&state), ()).is_some() {
            return;
        }
        let number = self.ways.len() as u32;
        self.ways.push((from, draft.event));
        let listens = self.net.listeners.iter().any(|limit| !self.is_used_up(&state, *limit));
        if state.tokens.is_empty() && !listens {
            let mut events = Vec::new();
            let mut next = Some(number);
            while let Some((before, event)) = next.and_then(|number| self.ways.get(number as usize)) {
                events.push(event.clone());
                next = *before;
            }
            events.reverse();
            self.stalls.push(Stall { events, state });
        } else {
            self.open.push_back((number, state));
        }
    }
}

/// What is satisfied by the event that a step emits.
fn emitted(behaviour: &Behaviour) -> Option<Happening> {
    let items = behaviour.emitted.iter().map(|group| Item::new(*group, Rounds::default())).collect::<Vec<_>>();
    (!items.is_empty()).then(|| Happening { items, ..Happening::default() })
}
