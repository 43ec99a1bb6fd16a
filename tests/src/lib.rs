//! Runners and helpers of the suite.
