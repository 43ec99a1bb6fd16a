//! `weave run`: one workflow, from its start to its end, on this machine.
//!
//! - `chosen` finds the workflow and its definitions, `input` reads and checks its input, `kept` opens the store;
//! - `clock` has the time, real or made up; `mock` answers everything from examples and schemas;
//! - `configured` says what is missing where nothing answers;
//! - `lines` prints what happens, for people or as JSON.
//!
//! The work itself is done by `weave_host::Engine`.

mod chosen;
mod clock;
mod configured;
mod input;
mod kept;
mod lines;
mod made_up;
mod mock;

use std::sync::Arc;

use serde_json::Value;
use weave_host::{Engine, EngineError, Handle, Peers, Settings, Stopped, Until};
use weave_scroll::Store;

use crate::args;
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;

use chosen::Chosen;
pub(crate) use clock::now;
pub(crate) use kept::default as default_store;
pub(crate) use made_up::Maker;

use clock::{RealClock, VirtualClock};
use configured::Unconfigured;
use kept::Place;
use lines::Lines;
use mock::Mock;

pub(crate) fn run(arguments: &args::Run, terminal: Terminal) -> Result<Exit, Failures> {
    let place = kept::place(arguments);
    if let Some(id) = &arguments.resume {
        let store = kept::open(&place, false)?;
        let row = store.run(id).map_err(|error| Failure::new(error.to_string()))?;
        let row = row.ok_or_else(|| failed(&EngineError::NoRun(id.clone())))?;
        let chosen = chosen::stored(&*store, &row)?;
        return go(arguments, &Job { chosen, id: id.clone(), input: None, place, store }, terminal);
    }
    let Some(chosen) = chosen::choose(arguments, terminal)? else { return Ok(Exit::Errors) };
    if arguments.example {
        let example = made_up::Maker::new(&chosen.definition).value(&chosen.definition.input);
        terminal.print(&Printed::json(&format!("{example}\n")))?;
        return Ok(Exit::Clean);
    }
    let input = input::read(arguments, &chosen.definition)?;
    if !arguments.mock {
        configured::check(&chosen)?;
    }
    let id = match &arguments.id {
        Some(id) => weave_scroll::outside_run(id).map(|()| id.clone()).map_err(|refusal| Failure::new(refusal.to_string()))?,
        None => new_id(&chosen.definition.workflow),
    };
    let store = kept::open(&place, true)?;
    go(arguments, &Job { chosen, id, input: Some(input), place, store }, terminal)
}

/// A run that is started or resumed.
struct Job {
    chosen: Chosen,
    id: String,
    /// The input of a new run.
    input: Option<Value>,
    place: Place,
    store: Arc<dyn Store>,
}

fn go(arguments: &args::Run, job: &Job, terminal: Terminal) -> Result<Exit, Failures> {
    let lines = Arc::new(Lines::new(terminal, arguments.format, &job.chosen, &job.id));
    lines.begin(arguments.mock, &job.place);
    let peers = peers(arguments, &lines);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("cannot start: {}", crate::failure::reason(&error))))?;
    let stopped = runtime.block_on(drive(arguments, job, peers));
    // A call that nothing waits for any more must not hold the process up.
    runtime.shutdown_background();
    report(stopped?, job, &lines, terminal)
}

/// Who does the work: everything is made up, or what is configured.
fn peers(arguments: &args::Run, lines: &Arc<Lines>) -> Peers {
    let watch: Arc<dyn weave_host::Watch> = Arc::clone(lines) as _;
    if arguments.mock {
        let mock = Arc::new(Mock::default());
        let clock = Arc::new(VirtualClock::new(clock::now()));
        return Peers {
            models: Arc::clone(&mock) as _,
            tools: Arc::clone(&mock) as _,
            people: Arc::clone(&mock) as _,
            outside: Some(mock),
            clock,
            watch,
        };
    }
    let none = Arc::new(Unconfigured);
    let (models, tools) = (Arc::clone(&none) as _, Arc::clone(&none) as _);
    Peers { models, tools, people: none, outside: None, clock: Arc::new(RealClock), watch }
}

async fn drive(arguments: &args::Run, job: &Job, peers: Peers) -> Result<Stopped, Failure> {
    let process = std::process::id().to_string();
    let mut engine = Engine::new(Arc::clone(&job.store), peers, Settings::default(), &process).map_err(|error| failed(&error))?;
    stop_on_interrupt(engine.handle())?;
    match &job.input {
        Some(input) => {
            for (definition, map) in &job.chosen.all {
                engine.define(Arc::clone(definition), Some(map.clone())).map_err(|error| failed(&error))?;
            }
            let started = engine.start(&job.id, &job.chosen.definition.workflow, &job.chosen.digest, input.clone());
            started.map_err(|error| failed(&error))?;
        }
        None => engine.resume(&job.id).map_err(|error| failed(&error))?,
    }
    let until = if arguments.no_wait { Until::Waiting(job.id.clone()) } else { Until::Ended(job.id.clone()) };
    let stopped = engine.work(&until).await.map_err(|error| failed(&error))?;
    engine.leave().map_err(|error| failed(&error))?;
    Ok(stopped)
}

fn report(stopped: Stopped, job: &Job, lines: &Lines, terminal: Terminal) -> Result<Exit, Failures> {
    match stopped {
        Stopped::Ended(done) => match done.get("failure") {
            None => {
                lines.output(done.get("output").unwrap_or(&Value::Null))?;
                Ok(Exit::Clean)
            }
            Some(failure) => {
                lines.failure(failure, &job.chosen)?;
                Ok(Exit::Errors)
            }
        },
        Stopped::Waiting | Stopped::Stopped => {
            terminal.remark(&match &job.place {
                Place::Memory => "The run has not ended. It was held in memory, so it is gone.".to_owned(),
                Place::File(path) if *path == kept::default() => format!("Parked. `weave run --resume {}` continues it.", job.id),
                Place::File(path) => {
                    format!("Parked. `weave run --resume {} --store {}` continues it.", job.id, crate::input::display(path))
                }
            });
            Ok(Exit::Waiting)
        }
    }
}

/// ^C stops the engine; a second one ends the process.
fn stop_on_interrupt(handle: Handle) -> Result<(), Failure> {
    let asked = std::sync::atomic::AtomicBool::new(false);
    let heard = ctrlc::set_handler(move || {
        if asked.swap(true, std::sync::atomic::Ordering::SeqCst) {
            std::process::exit(Exit::Waiting.code());
        }
        handle.stop();
    });
    heard.map_err(|error| Failure::new(format!("cannot listen to interrupts: {error}")))
}

fn failed(error: &EngineError) -> Failure {
    Failure::new(error.to_string())
}

/// An id for a run that nobody has named: the workflow, and some digits of chance.
fn new_id(workflow: &str) -> String {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_i64(clock::now());
    format!("{workflow}-{:06x}", hasher.finish() & 0xff_ffff)
}
