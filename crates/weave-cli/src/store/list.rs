//! `weave runs`.

use serde_json::json;
use weave_diagnostics::counted;
use weave_scroll::{RunFilter, RunRow, Status, Store};

use super::place::{ended, failed, to_read};
use super::view::Reader;
use super::waits::{Wait, waits};
use super::words::{cut, length};
use crate::args::{Runs, RunsFormat, RunsState};
use crate::failure::{Exit, Failure, Failures};
use crate::printed::Printed;
use crate::terminal::Terminal;

/// So many rows are read at a time.
const PAGE: usize = 500;
/// The widest columns.
const ID: usize = 40;
const STATE: usize = 70;

pub(crate) fn runs(arguments: &Runs, terminal: Terminal) -> Result<Exit, Failures> {
    let store = to_read(&arguments.at)?;
    let now = crate::run::now();
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let mut reader = Reader::new(&store);
    let mut listed = Vec::new();
    let mut more = false;
    let mut before = None;
    'pages: loop {
        let filter = filter(arguments, before);
        let page = store.runs(&filter).map_err(|error| failed(&error))?;
        let Some(last) = page.last() else { break };
        before = Some(last.no);
        for row in page {
            if !arguments.children && !arguments.all && arguments.state.is_none() && row.state.status != Status::Open {
                continue;
            }
            let first = match row.state.status {
                Status::Open => first_wait(&mut reader, &row, now)?,
                _ => None,
            };
            if arguments.state == Some(RunsState::Waiting) && !first.as_ref().is_some_and(for_outside) {
                continue;
            }
            if listed.len() == limit {
                more = true;
                break 'pages;
            }
            listed.push((row, first));
        }
    }
    match arguments.format {
        RunsFormat::Json => {
            let runs: Vec<_> = listed.iter().map(|(row, wait)| json(row, wait.as_ref())).collect();
            let text = serde_json::to_string_pretty(&runs).map_err(|error| Failure::new(error.to_string()))?;
            terminal.print(&Printed::json(&format!("{text}\n")))?;
        }
        RunsFormat::Human => {
            table(&listed, now, terminal)?;
            summary(arguments, &store, &listed, more, terminal)?;
        }
    }
    Ok(Exit::Clean)
}

fn filter(arguments: &Runs, before: Option<u64>) -> RunFilter {
    let status = match arguments.state {
        Some(RunsState::Succeeded) => Some(Status::Succeeded),
        Some(RunsState::Failed) => Some(Status::Failed),
        Some(RunsState::Cancelled) => Some(Status::Cancelled),
        Some(RunsState::Open | RunsState::Waiting | RunsState::Parked) => Some(Status::Open),
        None if arguments.all => None,
        None => Some(Status::Open),
    };
    RunFilter {
        workflow: arguments.workflow.clone(),
        status,
        roots: !arguments.children,
        parked: arguments.state == Some(RunsState::Parked),
        before,
        limit: PAGE,
        ..RunFilter::default()
    }
}

/// What a run waits for first; if that is a run of its own, what that one waits for.
fn first_wait(reader: &mut Reader<'_>, row: &RunRow, now: i64) -> Result<Option<Wait>, Failure> {
    let view = reader.view(row.clone())?;
    let Some(first) = waits(&view, now).into_iter().next() else { return Ok(None) };
    if first.kind != "run" {
        return Ok(Some(first));
    }
    let tree = reader.tree(row.clone())?;
    let below = tree.iter().skip(1).flat_map(|view| waits(view, now)).find(for_outside);
    Ok(Some(below.unwrap_or(first)))
}

/// Whether somebody outside has to do something.
fn for_outside(wait: &Wait) -> bool {
    matches!(wait.kind, "unknown" | "approval" | "question" | "event")
}

/// How a run is, in words.
fn state(row: &RunRow, wait: Option<&Wait>, now: i64) -> String {
    if let Some(reason) = &row.held {
        return format!("set aside: {reason}");
    }
    if row.state.status != Status::Open {
        return ended(row.state.status).to_owned();
    }
    let parked = if row.owner.is_none() { "parked, " } else { "" };
    match wait {
        Some(wait) => format!("{parked}{}", wait.line(now)),
        None if row.head == 0 => format!("{parked}is to start"),
        None => format!("{parked}computes its next step"),
    }
}

fn table(listed: &[(RunRow, Option<Wait>)], now: i64, terminal: Terminal) -> Result<(), Failure> {
    let lines: Vec<_> = listed
        .iter()
        .map(|(row, wait)| {
            let since = row.state.ended.unwrap_or(row.started);
            (cut(&row.id, ID), cut(&state(row, wait.as_ref(), now), STATE), length(now - since), cut(&row.workflow, ID))
        })
        .collect();
    let width = |column: fn(&(String, String, String, String)) -> &String| lines.iter().map(|line| column(line).chars().count()).max();
    let (id, state) = (width(|line| &line.0).unwrap_or(0), width(|line| &line.1).unwrap_or(0));
    let age = width(|line| &line.2).unwrap_or(0);
    for (run, words, since, workflow) in &lines {
        terminal.print(&Printed::lines([format!("  {run:id$}   {words:state$}   {since:>age$}   {workflow}")]))?;
    }
    Ok(())
}

fn summary(arguments: &Runs, store: &dyn Store, listed: &[(RunRow, Option<Wait>)], more: bool, terminal: Terminal) -> Result<(), Failure> {
    let runs = counted(listed.len(), "run");
    if more {
        terminal.remark(format!("the newest {runs}; `--limit` lists more"));
        return Ok(());
    }
    if arguments.all || arguments.state.is_some() || arguments.workflow.is_some() {
        terminal.remark(if listed.is_empty() { "no run is like that".to_owned() } else { runs });
        return Ok(());
    }
    let ended = RunFilter { limit: 1, roots: true, ..RunFilter::default() };
    let others = store.runs(&ended).map_err(|error| failed(&error))?;
    terminal.remark(match (listed.len(), others.is_empty()) {
        (0, true) => "The store has no run.".to_owned(),
        (0, false) => "All runs have ended. `weave runs --all` lists them.".to_owned(),
        (1, _) => "1 run has not ended. `weave runs --all` lists the others.".to_owned(),
        (count, _) => format!("{count} runs have not ended. `weave runs --all` lists the others."),
    });
    Ok(())
}

/// How a run is, for programs.
pub(super) fn status(row: &RunRow) -> &'static str {
    match row.state.status {
        Status::Open if row.owner.is_none() => "parked",
        Status::Open => "open",
        Status::Succeeded => "succeeded",
        Status::Failed => "failed",
        Status::Cancelled => "cancelled",
        Status::Moved => "moved",
    }
}

fn json(row: &RunRow, wait: Option<&Wait>) -> serde_json::Value {
    json!({
        "id": row.id,
        "workflow": row.workflow,
        "state": status(row),
        "started": weave_expr::timestamp(row.started),
        "ended": row.state.ended.map(weave_expr::timestamp),
        "parent": row.parent,
        "events": row.head,
        "held": row.held,
        "waits": wait.map(Wait::json),
    })
}
