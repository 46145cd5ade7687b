//! Tests of the model finder through its public face.

mod answers;
mod bad_input;
mod brute_force;
mod sample;
