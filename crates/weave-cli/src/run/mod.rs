//! `weave run`: one workflow, from its start to its end, on this machine.
//!
//! - `chosen` finds the workflow and its definitions, `input` reads and checks its input, `kept` opens the store;
//! - `clock` has the time, real or made up; `mock` answers everything from examples and schemas;
//! - `tools` finds what carries out the calls of tools, and `configured` says what is missing;
//! - `person` asks at the terminal for what is not configured;
//! - `secrets` knows the values that are not shown;
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
mod person;
mod secrets;
mod tools;

use std::sync::Arc;

use serde_json::{Map, Value};
use weave_host::{Engine, EngineError, Handle, Peers, Settings, Stopped, Until};
use weave_scroll::{RunRow, Status, Store};

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
use person::Person;
use tools::Wiring;

pub(crate) fn run(arguments: &args::Run, terminal: Terminal) -> Result<Exit, Failures> {
    let place = kept::place(arguments);
    if let Some(id) = &arguments.resume {
        let store = kept::open(&place, false)?;
        let row = store.run(id).map_err(|error| Failure::new(error.to_string()))?;
        let row = row.ok_or_else(|| failed(&EngineError::NoRun(id.clone())))?;
        same_world(arguments, &*store, &row)?;
        let chosen = chosen::stored(&*store, &row)?;
        let Some(world) = World::new(arguments, &chosen, row.state.status == Status::Open, terminal)? else { return Ok(Exit::Unusable) };
        return go(arguments, &Job { chosen, world, id: id.clone(), input: None, place, store }, terminal);
    }
    let Some(chosen) = chosen::choose(arguments, terminal)? else { return Ok(Exit::Errors) };
    if arguments.example {
        let example = made_up::Maker::new(&chosen.definition).value(&chosen.definition.input);
        terminal.print(&Printed::json(&format!("{example}\n")))?;
        return Ok(Exit::Clean);
    }
    let given = input::read(arguments, &chosen.definition)?;
    if given.is_none() && !is_attended(arguments, terminal) {
        return Err(input::needed(&chosen.definition).into());
    }
    let id = match &arguments.id {
        Some(id) => weave_scroll::outside_run(id).map(|()| id.clone()).map_err(|refusal| Failure::new(refusal.to_string()))?,
        None => new_id(&chosen.definition.workflow),
    };
    let Some(world) = World::new(arguments, &chosen, true, terminal)? else { return Ok(Exit::Unusable) };
    let input = match (given, &world) {
        (Some(input), _) => input,
        (None, World::Person(_, person)) => {
            runtime()?.block_on(person.input(&chosen.definition)).ok_or_else(|| input::needed(&chosen.definition))?
        }
        (None, _) => return Err(input::needed(&chosen.definition).into()),
    };
    let store = kept::open(&place, true)?;
    go(arguments, &Job { chosen, world, id, input: Some(input), place, store }, terminal)
}

/// Who does the work of a run.
enum World {
    /// Everything is made up.
    Mock,
    /// What is configured, and nothing else.
    Configured(Wiring),
    /// What is configured, and a person for everything else.
    Person(Wiring, Arc<Person>),
}

impl World {
    /// Who does the work. Nothing: `weave.toml` has errors, which were reported.
    fn new(arguments: &args::Run, chosen: &Chosen, open: bool, terminal: Terminal) -> Result<Option<Self>, Failures> {
        if arguments.mock {
            return Ok(Some(Self::Mock));
        }
        let Some(wiring) = tools::wire(chosen, terminal)? else { return Ok(None) };
        if is_attended(arguments, terminal) {
            let person = Arc::new(Person::new(terminal, wiring.handlers.clone()));
            return Ok(Some(Self::Person(wiring, person)));
        }
        // A run that has ended calls nothing.
        if open {
            configured::check(chosen, &wiring)?;
        }
        Ok(Some(Self::Configured(wiring)))
    }

    fn peers(&self, lines: &Arc<Lines>) -> Peers {
        let watch: Arc<dyn weave_host::Watch> = Arc::clone(lines) as _;
        let clock = Arc::new(RealClock);
        match self {
            Self::Mock => {
                let mock = Arc::new(Mock::default());
                let clock = Arc::new(VirtualClock::new(clock::now()));
                let (models, tools, people) = (Arc::clone(&mock) as _, Arc::clone(&mock) as _, Arc::clone(&mock) as _);
                Peers { models, tools, people, outside: Some(mock), clock, watch }
            }
            Self::Configured(wiring) => {
                let (models, people) = (Arc::new(Unconfigured), Arc::new(Unconfigured));
                Peers { models, tools: Arc::new(wiring.handlers.clone()), people, outside: None, clock, watch }
            }
            Self::Person(_, person) => {
                let (models, tools, people) = (Arc::clone(person) as _, Arc::clone(person) as _, Arc::clone(person) as _);
                Peers { models, tools, people, outside: None, clock, watch }
            }
        }
    }

    fn settings(&self) -> Settings {
        match self {
            Self::Mock => Settings::default(),
            Self::Configured(wiring) | Self::Person(wiring, _) => Settings { unknown_fails: wiring.unknown_fails.clone() },
        }
    }
}

/// Whether a person can be asked.
fn is_attended(arguments: &args::Run, terminal: Terminal) -> bool {
    terminal.is_attended() && !arguments.mock && !arguments.no_wait && arguments.input.as_deref() != Some("-")
}

/// Refuses to go on with made-up answers where real ones were given, and the other way round.
fn same_world(arguments: &args::Run, store: &dyn Store, run: &RunRow) -> Result<(), Failure> {
    let first = store.externals(&run.id, 0, 1).map_err(|error| Failure::new(error.to_string()))?;
    let start = first.first().map(|turn| turn.external()).transpose().map_err(|error| Failure::new(error.to_string()))?;
    let mocked = start.and_then(|start| start.meta).is_some_and(|meta| meta.get(MOCK) == Some(&Value::Bool(true)));
    if mocked == arguments.mock || run.state.status != Status::Open {
        return Ok(());
    }
    let id = &run.id;
    Err(if mocked {
        Failure::new(format!("the answers of the run `{id}` are made up")).help(format!("`weave run --resume {id} --mock` goes on with it"))
    } else {
        Failure::new(format!("the run `{id}` was started for real, so its answers are not made up"))
            .help(format!("`weave run --resume {id}` goes on with it"))
    })
}

/// The mark of a run whose answers are made up, in `meta` of its first event.
const MOCK: &str = "mock";

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure::new(format!("cannot start: {}", crate::failure::reason(&error))))
}

/// A run that is started or resumed.
struct Job {
    chosen: Chosen,
    world: World,
    id: String,
    /// The input of a new run.
    input: Option<Value>,
    place: Place,
    store: Arc<dyn Store>,
}

fn go(arguments: &args::Run, job: &Job, terminal: Terminal) -> Result<Exit, Failures> {
    let secrets = match &job.world {
        World::Person(_, person) => person.secrets(),
        _ => Arc::default(),
    };
    let lines = Arc::new(Lines::new(terminal, arguments.format, &job.chosen, &job.id, secrets));
    lines.begin(arguments.mock, &job.place);
    let peers = job.world.peers(&lines);
    let runtime = runtime()?;
    let stopped = runtime.block_on(drive(arguments, job, peers));
    // A call that nothing waits for any more must not hold the process up.
    runtime.shutdown_background();
    report(stopped?, job, &lines, terminal)
}

async fn drive(arguments: &args::Run, job: &Job, peers: Peers) -> Result<Stopped, Failure> {
    let process = std::process::id().to_string();
    let mut engine = Engine::new(Arc::clone(&job.store), peers, job.world.settings(), &process).map_err(|error| failed(&error))?;
    if let World::Person(_, person) = &job.world {
        person.stops(engine.handle());
    }
    if arguments.mock {
        engine.note(Map::from_iter([(MOCK.to_owned(), Value::Bool(true))]));
    }
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
