//! The text form, the validator and the generator, from the outside.

mod check;
mod errors;
mod examples;
mod fuzz;
mod large;
mod random;
mod rules;
