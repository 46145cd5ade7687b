//! Boolean circuits: the common tongue of everything Indict asks a SAT solver.
//!
//! A [`Circuit`] is a hash-consed and-inverter graph that simplifies as it is built. On top of it are exact
//! bit-vectors ([`Bits`]) and arrays ([`Arrays`]); below it are the translation into clauses ([`Encoder`])
//! and the query engine ([`Queries`]), which tries cheap methods (constants, random simulation, models of
//! earlier queries) before it calls the solver. [`Guards`] are decision
//! diagrams, for conditions that are joined and compared more often than solved. [`Valuation`] is the plain meaning of a circuit, against
//! which the rest is tested.
//!
//! This crate knows nothing about programs, relations or solvers: a word is not signed and has no type, an
//! array is not a heap, and the solver is whatever a [`sat::Session`] holds.
//!
//! Start reading at [`Circuit`], then `cnf.rs` and `query.rs`; each file of `bits/` is one idea and
//! can be read by itself. Every module opens with an example.
//!
//! Only inputs are free. Everything else is a function of them, so a witness is an assignment of the
//! inputs, and any gate, asked about or not, can be evaluated under it.

pub mod aiger;
mod array;
mod bits;
mod cnf;
mod cone;
mod evaluate;
mod graph;
mod guard;
mod limits;
mod query;
mod simulate;

pub use array::{Array, Arrays};
pub use bits::{Bits, FloatFormat};
pub use cnf::{Encoder, Encoding, Sink};
pub use cone::{Cone, Fan, cone, fan};
pub use evaluate::Valuation;
pub use graph::{Circuit, Gate, Node};
pub use guard::{Guard, GuardNode, Guards};
pub use query::{Queries, QueryCounts};
pub use sat::Answer;
pub use simulate::Batch;
