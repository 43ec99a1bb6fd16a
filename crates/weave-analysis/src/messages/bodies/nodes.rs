//! Nodes of workflows.
