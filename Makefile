# Two commands do everything on a fresh machine: `make demo` and `make test`.

BENCHES = bench-relational bench-circuits bench-procedures bench-doomed bench-lists bench-boogie bench-resolve bench-oracle bench-formulas bench-java bench-jdk bench-c bench-seeded bench-taco

.PHONY: demo test lint doc bench $(BENCHES) setup

demo: setup
	cargo build --quiet --release -p indict
	@echo "== indict check examples: findings in C, Boogie, Java, RESOLVE and VIR, each with a failing execution"
	@target/release/indict check examples || test $$? -eq 1
	@echo
	@echo "== indict check --replay: findings in C are executed under sanitizers"
	@target/release/indict check examples/c --replay || test $$? -eq 1
	@echo
	@echo "== the second C function in VIR"
	@target/release/indict check examples/c --dump vir target/demo >/dev/null || test $$? -eq 1
	@sed -n '/^proc first_or/,/^}/p' target/demo/examples/c/list.vir
	@echo
	@echo "== indict table: the reasoning table of a RESOLVE component"
	@target/release/indict table examples/resolve/Recursive_Realiz.rb
	@echo
	@echo "== indict formula: the error verification conditions of doomed points"
	@target/release/indict formula examples/vir/doomed.vir access
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

bench: $(BENCHES)

bench-relational: setup
	cargo run --quiet --release -p bench --bin relational

bench-circuits: setup
	cargo run --quiet --release -p bench --bin circuits

bench-oracle: setup
	cargo run --quiet --release -p bench --bin oracle
	@if command -v python3 >/dev/null; then python3 scripts/smt_oracle.py; \
	else echo "skipped: there is no python3"; fi

bench-formulas: setup
	@if command -v python3 >/dev/null; then python3 scripts/smt_formulas.py; \
	else echo "skipped: there is no python3"; fi

bench-doomed: setup
	cargo run --quiet --release -p bench --bin doomed

bench-lists: setup
	cargo run --quiet --release -p bench --bin lists

bench-boogie: setup
	@if [ -n "$(BOOGIE_TESTS)" ]; then cargo run --quiet --release -p bench --bin boogie "$(BOOGIE_TESTS)"; \
	else echo "skipped: name a directory of Boogie's test programs with BOOGIE_TESTS=DIR"; fi

bench-resolve: setup
	@if [ -n "$(RESOLVE_WORKSPACE)" ]; then cargo run --quiet --release -p bench --bin workspace "$(RESOLVE_WORKSPACE)"; \
	else echo "skipped: name a directory of RESOLVE files with RESOLVE_WORKSPACE=DIR"; fi

bench-java: setup
	cargo build --quiet --release -p indict
	@for folder in figures/jackson figures/mutants golden/java golden/java-small; do \
	target/release/indict check --no-store --scope 3 --unroll 3 --jobs 1 --timings tests/$$folder \
	| sed -n '/^slowest of /,/^$$/p'; done

bench-jdk: setup
	cargo build --quiet --release -p indict
	@if [ -n "$(JDK_SOURCES)" ]; then scripts/bench_jdk "$(JDK_SOURCES)"; \
	else echo "skipped: name a directory with java/util of OpenJDK 17 with JDK_SOURCES=DIR"; fi

bench-taco: setup
	cargo build --quiet --release -p indict
	@scripts/bench_taco

bench-c: setup
	cargo build --quiet --release -p indict
	@scripts/bench_c

bench-seeded: setup
	cargo build --quiet --release -p indict
	@if [ -n "$(SEEDED_DIRS)" ]; then \
	INDICT=target/release/indict scripts/bench_seeded $(SEEDED_OPTIONS) $(SEEDED_DIRS); \
	else echo "skipped: name directories that have a compile_commands.json with SEEDED_DIRS=\"DIR ...\""; fi

bench-procedures: setup
	cargo run --quiet --release -p bench --bin procedures

setup:
	@scripts/setup
