//! Lowering C: fixtures are bitcode that `fixtures/make.sh` made with clang; no test needs clang.

mod damage;
mod fixture;
mod goldens;
mod obligations;
mod places;
mod runs;
mod unmodelled;
