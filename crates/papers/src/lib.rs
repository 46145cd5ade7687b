//! Literal views of the papers: a procedure as the formulas that a paper writes for it, to look at and to compare our
//! own encoding with.
//!
//! [`wlp`] is *It's Doomed; We Can Prove It* (Hoenicke et al. 2009), [`computation`] is *Finding Bugs with a Constraint
//! Solver* (Jackson & Vaziri 2000). The two modules do not know each other.
//!
//! This crate knows neither `encode` nor checkers, and no verdict rests on it: its tests hold it against them. Start
//! reading at the module that bears the paper's idea.

pub mod computation;
mod limits;
pub mod wlp;
