//! The façade: loading, order of passes, lowering.
