#!/usr/bin/env python3
"""Lets an SMT solver judge our answers about words and arrays.

Reads what `cargo run -p bench --bin oracle` wrote to target/bench/oracle: scripts in SMT-LIB and,
for each, our answers. Every answer must be the solver's; the witness of every `sat` must satisfy
its query and give every term the value that we say it has; the core of every `unsat` must have
no model. A query that either side gives up is open. Exits with 1 if anything differs.

The solver is the wheel `bitwuzla` or, where there is none, `z3-solver`, in a virtual environment
under target/bench/venv. Without either the run is skipped, which is not a failure.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETS = ROOT / "target/bench/oracle"
VENV = ROOT / "target/bench/venv"
QUESTION = "(check-sat-assuming "
# A query stays open after this many milliseconds.
PATIENCE = 20_000
# Disagreements shown in full.
SHOWN = 5


class Bitwuzla:
    """A session of Bitwuzla whose commands are text."""

    wheel = module = "bitwuzla"

    def __init__(self):
        import bitwuzla

        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, PATIENCE)
        self.parser = bitwuzla.Parser(bitwuzla.TermManager(), options)

    def run(self, text):
        """What the commands print. The parser writes to the process's own output."""
        with tempfile.TemporaryFile() as output:
            sys.stdout.flush()
            stdout = os.dup(1)
            os.dup2(output.fileno(), 1)
            try:
                self.parser.parse(text, parse_file=False)
            finally:
                os.dup2(stdout, 1)
                os.close(stdout)
            output.seek(0)
            return output.read().decode().split()


class Z3:
    """A session of Z3 whose commands are text."""

    wheel, module = "z3-solver", "z3"

    def __init__(self):
        import z3

        self.z3, self.context = z3, z3.Context()
        self.run(f"(set-option :timeout {PATIENCE})")

    def run(self, text):
        """What the commands print."""
        return self.z3.Z3_eval_smtlib2_string(self.context.ref(), text).split()


SOLVERS = [Bitwuzla, Z3]


class Verdicts:
    """What has been compared, and how it came out."""

    def __init__(self):
        self.counts = dict.fromkeys(
            ["sets", "queries", "sat", "unsat", "open", "witnesses", "cores", "agreements"], 0
        )
        self.ours = self.theirs = 0.0
        self.disagreements = []

    def judge(self, solver, script):
        """Judges one set of queries."""
        text = script.read_text()
        ours, *answers = script.with_suffix(".expected").read_text().splitlines()
        start = time.perf_counter()
        theirs = solver().run(text)
        self.theirs += time.perf_counter() - start
        self.ours += float(ours)
        self.counts["sets"] += 1

        # A second session checks the evidence, so that checking does not count as answering.
        session = solver()
        number = 0
        for line in text.splitlines():
            if not line.startswith(QUESTION):
                session.run(line)
                continue
            answer, _, evidence = answers[number].partition(" ")
            wrong = self.compare(session, line, answer, evidence, theirs[number])
            if wrong:
                self.disagreements.append(f"{script}, query {number}: {wrong}\n    {line}")
            number += 1
        if not number == len(answers) == len(theirs):
            self.disagreements.append(f"{script}: {number} queries, {len(theirs)} answers")

    def compare(self, session, query, answer, evidence, their):
        """What is wrong with our answer to a query, if anything."""
        self.counts["queries"] += 1
        if "unknown" in (answer, their):
            self.counts["open"] += 1
            return None
        self.counts[answer] += 1
        if answer != their:
            return f"we say {answer}, the solver says {their}"
        if answer == "sat":
            self.counts["witnesses"] += 1
            if under(session, evidence, query) != "sat":
                return f"the witness is wrong: {first_wrong(session, evidence) or 'not a model'}"
        else:
            self.counts["cores"] += 1
            if session.run(f"{QUESTION}({evidence}))") != ["unsat"]:
                return f"the core has a model: {evidence}"
        self.counts["agreements"] += 1
        return None

    def print(self, solver):
        """Prints the table, and the first disagreements."""
        cells = dict(self.counts, disagreements=len(self.disagreements))
        cells["ours (s)"] = f"{self.ours:.2f}"
        cells[f"{solver.module} (s)"] = f"{self.theirs:.2f}"
        cells["ratio"] = f"{self.theirs / max(self.ours, 1e-9):.1f}"
        widths = {head: max(len(head), len(str(cell))) for head, cell in cells.items()}
        print("  ".join(f"{head:>{width}}" for head, width in widths.items()))
        print("  ".join(f"{cells[head]:>{width}}" for head, width in widths.items()))
        for sentence in self.disagreements[:SHOWN]:
            print(f"WRONG: {sentence}")


def under(session, equations, query="(check-sat)"):
    """The answer to a query while equations hold."""
    return session.run(f"(push 1) (assert (and true {equations})) {query} (pop 1)")[0]


def first_wrong(session, evidence):
    """The first equation of a witness that does not follow from the ones before it."""
    equations = evidence.replace(") (= ", ")\n(= ").splitlines()
    for count, equation in enumerate(equations, 1):
        if under(session, " ".join(equations[:count])) != "sat":
            return equation
    return None


def install(solver):
    """Makes the environment hold a solver's wheel; says why it cannot, if so."""
    python = VENV / "bin/python"
    steps = [] if python.exists() else [[sys.executable, "-m", "venv", VENV]]
    imports = [python, "-c", f"import {solver.module}"]
    if steps or not run_quietly(imports)[0]:
        steps.append([python, "-m", "pip", "install", "--quiet", solver.wheel])
        steps.append(imports)
    for step in steps:
        good, why = run_quietly(step)
        if not good:
            return f"{solver.wheel}: {why}"
    return None


def run_quietly(command):
    """Whether a command succeeds, and the last line that it prints."""
    try:
        done = subprocess.run(
            command, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        return False, str(error)
    return done.returncode == 0, (done.stdout.splitlines() or ["no reason given"])[-1]


def choose():
    """Starts again inside the environment, with the first solver that can be had."""
    reasons = []
    for solver in SOLVERS:
        why = install(solver)
        if why is None:
            python = str(VENV / "bin/python")
            os.execv(python, [python, __file__, solver.module])
        reasons.append(why)
    print(f"skipped: no SMT solver could be installed ({'; '.join(reasons)})")


def main():
    scripts = sorted(SETS.glob("*.smt2"))
    if not scripts:
        print(f"there is nothing in {SETS}; run `cargo run --release -p bench --bin oracle` first")
        sys.exit(2)
    if len(sys.argv) == 1:
        choose()
        return
    solver = next(solver for solver in SOLVERS if solver.module == sys.argv[1])
    verdicts = Verdicts()
    for script in scripts:
        verdicts.judge(solver, script)
    verdicts.print(solver)
    sys.exit(1 if verdicts.disagreements else 0)


if __name__ == "__main__":
    main()
