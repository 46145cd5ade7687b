//! Tests of the renderers: goldens, the SARIF schema, and random reports.

mod golden;
mod page;
mod properties;
mod sample;
mod schema;
