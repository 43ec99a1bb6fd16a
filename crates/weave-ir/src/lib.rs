//! The canonical workflow definition as data.
