//! C on the machine and C in the interpreter: the same source is compiled to a program by clang, and
//! to VIR by us, and both must do the same. Needs the clang that Indict needs.

mod compile;
mod generate;
mod generated;
mod misuse;
mod programs;
mod small;
