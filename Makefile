# Two commands do everything on a fresh machine: `make demo` and `make test`.

.PHONY: demo test lint doc bench bench-relational bench-circuits bench-oracle setup

demo: setup
	cargo run --quiet --release -p relational --example doubly_linked

test: setup lint doc
	cargo test --workspace --quiet

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

doc: setup
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

bench: bench-relational bench-circuits bench-oracle

bench-relational: setup
	cargo run --quiet --release -p bench --bin relational

bench-circuits: setup
	cargo run --quiet --release -p bench --bin circuits

bench-oracle: setup
	cargo run --quiet --release -p bench --bin oracle
	@if command -v python3 >/dev/null; then python3 scripts/smt_oracle.py; \
	else echo "skipped: there is no python3"; fi

setup:
	@scripts/setup
