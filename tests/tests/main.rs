//! The tests of the whole toolchain, in one program.

mod architecture;
mod bad_input;
mod baseline;
mod catalog;
mod cel_conformance;
mod cel_oracle;
mod choices;
mod ci;
mod definitions;
mod determinism;
mod documents;
mod example_runs;
mod examples;
mod fixes;
mod format;
mod invariance;
mod lint;
mod mistakes;
mod mutations;
mod numbers;
mod registry;
mod reports;
mod runner_programs;
mod soundness;
mod suite;
mod worlds;
