//! What becomes of each output of a drive.

use std::sync::Arc;

use tokio::sync::mpsc::UnboundedSender;
use weave_drive::{Input, Outcome, Output, Send, Work};
use weave_ir::Definition;
use weave_runner::Event;
use weave_scroll::{Applied, Change, Effect, Post, Reply, RowState, To, When};

use crate::engine::{Arrival, Engine};
use crate::peers::{Context, Peers, Question, ToolCall};
use crate::watch::Notice;

impl Engine {
    pub(crate) fn perform(&mut self, run: &str, output: Output) {
        match output {
            Output::Load => self.load(run),
            Output::Append(append) => {
                self.under_way += 1;
                let posted = append.effects.iter().filter_map(|effect| match effect {
                    Effect::Post(post) => Some(post.run.clone()),
                    Effect::Start(new) => Some(new.id.clone()),
                    _ => None,
                });
                let (posted, run, sender) = (posted.collect(), run.to_owned(), self.sender.clone());
                let reply = Reply::new(move |result| drop(sender.send(Arrival::Appended(run, result, posted))));
                self.store.append_then(*append, reply);
            }
            Output::Mark { key, sendings } => {
                let when = When { state: RowState::Ready, sendings: Some(sendings) };
                let change = Change { key: key.row(run), when, to: To::Sent { process: self.node }, reserve: None };
                self.change(run, change, move |done| Input::Marked { key, done });
            }
            Output::Release { key, sendings, sent, due } => {
                let state = if sent { RowState::Sent } else { RowState::Ready };
                let when = When { state, sendings: Some(sendings) };
                let change = Change { key: key.row(run), when, to: To::Ready { due }, reserve: None };
                self.change(run, change, move |done| Input::Changed { key, done });
            }
            Output::Accept { key, sent, handle } => {
                let when = When { state: if sent { RowState::Sent } else { RowState::Ready }, sendings: None };
                let change = Change { key: key.row(run), when, to: To::Accepted { detail: handle }, reserve: None };
                self.change(run, change, move |done| Input::Changed { key, done });
            }
            Output::Send(send) => self.send(run, *send),
            Output::Abort { key } => {
                if let Some(task) = self.runs.get_mut(run).and_then(|running| running.tasks.remove(&key)) {
                    task.abort();
                }
            }
            Output::Recorded(events) => {
                let parent = self.runs.get(run).and_then(|running| running.row.parent.as_deref());
                self.peers.watch.notice(&Notice::Recorded { run, parent, events: &events });
            }
            Output::Ended(done) => self.peers.watch.notice(&Notice::Ended { run, done: &done }),
        }
    }

    fn change(&mut self, run: &str, change: Change, input: impl FnOnce(bool) -> Input + std::marker::Send + 'static) {
        self.under_way += 1;
        let (run, sender) = (run.to_owned(), self.sender.clone());
        let reply = Reply::new(move |result: Result<Vec<Applied>, _>| {
            drop(sender.send(match result {
                Ok(applied) => Arrival::Input(run, input(applied.first() == Some(&Applied::Yes))),
                Err(error) => Arrival::Failed(error),
            }));
        });
        self.store.change_then(vec![change], reply);
    }

    /// Posts an event to a run of this process.
    pub(crate) fn post(&mut self, run: &str, event: &Event) {
        let Ok(text) = serde_json::to_string(event) else { return };
        let post = Post { run: run.to_owned(), id: event.id.clone(), event: text, at: self.peers.clock.now() };
        match self.store.post(post) {
            Ok(_) => self.wake(run),
            Err(error) => drop(self.sender.send(Arrival::Failed(error))),
        }
    }

    fn send(&mut self, run: &str, send: Send) {
        let Some(running) = self.runs.get_mut(run) else { return };
        let Some(drive) = &running.drive else { return };
        self.peers.watch.notice(&Notice::Sent { run, key: &send.key, work: &send.work });
        let context = Context {
            run: run.to_owned(),
            key: send.key.clone(),
            sending: send.sending,
            definition: drive.definition(),
            watch: Arc::clone(&self.peers.watch),
        };
        let key = send.key.clone();
        let task = tokio::spawn(work(self.peers.clone(), send.work, context));
        running.tasks.insert(key.clone(), task.abort_handle());
        self.under_way += 1;
        tokio::spawn(report(task, run.to_owned(), key, self.sender.clone()));
    }
}

/// Brings the outcome of a task, whatever became of it.
async fn report(task: tokio::task::JoinHandle<Outcome>, run: String, key: weave_drive::Key, sender: UnboundedSender<Arrival>) {
    let arrival = match task.await {
        Ok(outcome) => Arrival::Input(run, Input::Outcome { key, outcome }),
        Err(error) if error.is_cancelled() => Arrival::Ended(run, key),
        Err(error) => Arrival::Input(run, Input::Outcome { key, outcome: Outcome::Lost { message: error.to_string() } }),
    };
    drop(sender.send(arrival));
}

async fn work(peers: Peers, work: Work, context: Context) -> Outcome {
    let definition: Arc<Definition> = Arc::clone(&context.definition);
    match &work {
        Work::Call { tool, args, data } => {
            let call = ToolCall { name: tool, tool: definition.tools.get(tool), args, data };
            peers.tools.call(call, &context).await
        }
        Work::Turn(ask) => peers.models.turn(ask, &context).await,
        Work::Hydration { prompt, args } => peers.tools.hydrate(prompt, args, &context).await,
        Work::Question { topic, name, data, answers } => peers.people.ask(Question { topic, name, data, answers }, &context).await,
    }
}
