//! Generation and drift checks.

fn main() {}
