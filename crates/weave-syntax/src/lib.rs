//! From text to tokens to an AST that tolerates mistakes.
