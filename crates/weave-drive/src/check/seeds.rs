//! Larger runs, sampled: steps chosen by a seed, with crashes before and after every output.

use super::world::{Case, Step, World};

/// How many steps go wrong at most before faults end.
const WILD: usize = 120;
/// How many steps a run may need after the last fault.
const CALM: usize = 2_000;

/// Plays a case by a seed. What is violated, with the steps that lead there.
pub(crate) fn simulate(case: &Case, seed: u64) -> Result<usize, (String, Vec<Step>)> {
    let mut state = seed;
    let mut random = move |count: usize| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % count as u64).unwrap_or_default()
    };
    let mut world = World::new(case);
    let mut trace = Vec::new();
    for taken in 0..WILD + CALM {
        let mut steps = world.steps();
        if taken >= WILD {
            steps.retain(|step| !step.is_fault());
        }
        if steps.is_empty() {
            break;
        }
        let step = steps.swap_remove(random(steps.len()));
        world.take(&step);
        trace.push(step);
        if let Some(violation) = world.violation() {
            return Err((violation, trace));
        }
        if taken >= WILD && world.is_goal() {
            return Ok(taken);
        }
    }
    if world.is_goal() { Ok(trace.len()) } else { Err(("the run does not end".to_owned(), trace)) }
}
