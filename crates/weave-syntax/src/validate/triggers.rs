//! Triggers and their conditions.

use weave_diagnostics::Span;

use super::values::Strings;
use super::{Pass, messages};
use crate::ast::{Condition, Expr, Literal, Name, Source, Trigger, Triggers};
use crate::text::{self, Number};

impl Pass<'_> {
    pub(super) fn triggers(&mut self, triggers: &Triggers) {
        for trigger in &triggers.items {
            self.source(trigger);
            if let Some(Condition::When { guard, .. }) = &trigger.condition {
                self.guard(guard);
            }
        }
        self.set(&triggers.items);
    }

    fn source(&mut self, trigger: &Trigger) {
        match &trigger.source {
            Source::Name(name) => self.dotted(*name),
            Source::From { what, .. } => self.dotted(*what),
            Source::All { steps } | Source::Settled { steps } => self.join(trigger, steps),
            Source::Count { count, steps } => {
                self.join(trigger, steps);
                if !steps.is_empty() {
                    self.members(*count, steps.len());
                }
            }
            Source::Failure { .. } => {}
            Source::Timeout { after, .. } => self.value(after, Strings::Plain),
        }
    }

    fn join(&mut self, trigger: &Trigger, steps: &[Name]) {
        if steps.is_empty() {
            let length = trigger.span.text(self.text).find(')').map_or(1, |at| at as u32 + 1);
            self.report_shape(messages::empty_join(Span::new(trigger.span.start, trigger.span.start + length)));
        }
        self.set(steps);
    }

    /// `2 of (a, b, c)`: no more than there are.
    fn members(&mut self, count: Literal, steps: usize) {
        let raw = count.span.text(self.text);
        self.count(&Expr::Literal(count), "N of (…)", 1);
        if let Ok(Number::Integer(number)) = text::number(raw)
            && usize::try_from(number).is_ok_and(|number| number > steps)
        {
            self.report(messages::more_than_members(count.span, raw, steps));
        }
    }
}
