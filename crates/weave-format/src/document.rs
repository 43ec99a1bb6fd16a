//! A laid-out item before its lines are broken.

/// One instruction. Instructions stand in a flat list, so that nothing recurses on them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// A part of the source without a line end, as it is.
    Source {
        /// Offset of its first byte.
        start: u32,
        /// Offset behind its last byte.
        end: u32,
    },
    /// A part of the source that has several lines, as it is.
    Lines {
        /// Offset of its first byte.
        start: u32,
        /// Offset behind its last byte.
        end: u32,
    },
    /// Blanks and commas that the layout puts between.
    Text(&'static str),
    /// Written where the group around it stays on its line.
    IfFlat(&'static str),
    /// Written where the group around it is broken.
    IfBroken(&'static str),
    /// A place where the group may break: this text if it stays on its line.
    Line {
        /// `" "` or nothing.
        flat: &'static str,
        /// Whether an empty line stands there if the group breaks.
        blank: bool,
    },
    /// A line break in any case, perhaps with an empty line.
    Hard {
        /// Whether an empty line stands there.
        blank: bool,
    },
    /// A comment behind something, which ends its line.
    Trailing {
        /// Offset of its first byte.
        start: u32,
        /// Offset behind its last byte.
        end: u32,
    },
    /// What follows, up to the end of the group, stays on its line or is broken at all its places.
    Open {
        /// Whether it is broken in any case, because something in it ends a line.
        broken: bool,
        /// Whether a group before it on the line breaks rather than this one.
        firm: bool,
    },
    /// The end of a group.
    Close,
    /// Lines that start from here on are indented more.
    Indent,
    /// The end of an indentation.
    Dedent,
}

/// The instructions of an item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// The instructions in order.
    pub(crate) ops: Vec<Op>,
    /// The groups that are open, outermost first, as indices of their `Open`.
    open: Vec<usize>,
}

impl Document {
    pub(crate) fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// Starts a group; if it is `firm`, a group before it on the line breaks rather than this one.
    pub(crate) fn open(&mut self, firm: bool) {
        self.open.push(self.ops.len());
        self.ops.push(Op::Open { broken: false, firm });
    }

    /// Ends the group that was opened last.
    pub(crate) fn close(&mut self) {
        self.open.pop();
        self.ops.push(Op::Close);
    }

    /// Breaks all groups that are open: a line ends in them.
    pub(crate) fn break_groups(&mut self) {
        for index in self.open.iter().rev() {
            match self.ops.get_mut(*index) {
                // What is around a broken group is broken already.
                Some(Op::Open { broken: true, .. }) => return,
                Some(Op::Open { broken, .. }) => *broken = true,
                _ => {}
            }
        }
    }

    /// A line break in any case.
    pub(crate) fn hard(&mut self, blank: bool) {
        self.break_groups();
        self.push(Op::Hard { blank });
    }

    /// A part of the source that has several lines.
    pub(crate) fn lines(&mut self, start: u32, end: u32) {
        self.push(Op::Lines { start, end });
        self.break_groups();
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
        self.open.clear();
    }
}
