//! From ASTs to names, types and the typed model.
