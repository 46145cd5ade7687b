//! Passes on written examples, on random programs and on large ones.

mod behaviour;
mod enumeration;
mod golden;
mod link;
mod passive;
mod program;
mod scale;
mod tape;
