//! Tests of the evaluator: small procedures in VIR text, and random ones against the interpreter.

mod examples;
mod operators;
mod others;
mod over;
mod plain;
mod quantifiers;
mod random;
