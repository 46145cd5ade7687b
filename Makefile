# Two commands do everything on a fresh machine: `make demo` and `make test`.

.PHONY: demo test lint doc bench bench-relational bench-circuits bench-oracle setup

demo: setup
	cargo build --quiet --release -p indict
	@echo "== indict check examples/vir: charges, each with the run that proves it"
	@target/release/indict check examples/vir || test $$? -eq 1
	@echo
	@echo "== the model finder below it, by itself"
	@cargo run --quiet --release -p relational --example doubly_linked

test: setup lint doc
	cargo test --workspace --quiet

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

doc: setup
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

bench: bench-relational bench-circuits bench-procedures bench-oracle

bench-relational: setup
	cargo run --quiet --release -p bench --bin relational

bench-circuits: setup
	cargo run --quiet --release -p bench --bin circuits

bench-oracle: setup
	cargo run --quiet --release -p bench --bin oracle
	@if command -v python3 >/dev/null; then python3 scripts/smt_oracle.py; \
	else echo "skipped: there is no python3"; fi

bench-procedures: setup
	cargo run --quiet --release -p bench --bin procedures

setup:
	@scripts/setup
