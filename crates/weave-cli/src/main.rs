//! The `weave` command line.

fn main() {}
