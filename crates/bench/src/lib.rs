//! Benchmarks of the logic half: what it is asked, and what others need for the same.
//!
//! [`problems`] states ten relational problems as Kodkod's own example programs state them, and
//! [`kodkod`] holds Kodkod's figures on them. The binaries run them: `relational` prints a table
//! against those figures, `circuits` measures queries on circuits and what certificates cost.
//!
//! This crate knows nothing about programs, and nothing depends on it.
//!
//! Start reading at [`Problem`](problems::Problem), then at a small problem such as
//! [`pigeonhole`](problems::pigeonhole()).

pub mod circuits;
pub mod kodkod;
pub mod measure;
pub mod problems;
pub mod random;
pub mod smt;
pub mod table;
