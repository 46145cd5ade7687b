//! The formulas solved by themselves, against the checker's own way of asking.

mod figures;
mod programs;
mod random;
mod solve;
mod written;
