#!/usr/bin/env python3
"""Lets Z3 judge which points are doomed, from the formulas alone.

`cargo run -p papers --example smt_formulas` writes the error verification conditions of random
procedures and of the paper's figures to target/bench/formulas: scripts in SMT-LIB and, for each, what
the checker's encoding says. Every answer must be Z3's; a query that it gives up is open. Exits
with 1 if anything differs. Without Z3 the run is skipped, which is not a failure.
"""

import os
import subprocess
import sys

from smt_oracle import ROOT, SHOWN, VENV, Z3, install

SCRIPTS = ROOT / "target/bench/formulas"


def judge(script, counts):
    """What is wrong with our answers to one script, if anything."""
    expected = script.with_suffix(".expected").read_text().split()
    answers = Z3().run(script.read_text())
    if len(answers) != len(expected) or not set(answers) <= {"sat", "unsat", "unknown"}:
        return [f"{script}: {' '.join(answers)[:300]}"]
    wrong = []
    for number, (ours, theirs) in enumerate(zip(expected, answers)):
        counts["queries"] += 1
        counts[theirs] += 1
        if theirs not in ("unknown", ours):
            wrong.append(f"{script}, query {number}: we say {ours}, Z3 says {theirs}")
    return wrong


def main():
    if len(sys.argv) == 1:
        subprocess.run(
            ["cargo", "run", "--quiet", "-p", "papers", "--example", "smt_formulas", SCRIPTS],
            check=True,
            cwd=ROOT,
        )
        why = install(Z3)
        if why is not None:
            print(f"skipped: Z3 could not be installed ({why})")
            return
        python = str(VENV / "bin/python")
        os.execv(python, [python, __file__, "judge"])
    scripts = sorted(SCRIPTS.glob("*.smt2"))
    counts = dict.fromkeys(["queries", "sat", "unsat", "unknown"], 0)
    wrong = [sentence for script in scripts for sentence in judge(script, counts)]
    summary = ", ".join(f"{count} {what}" for what, count in counts.items())
    print(f"{len(scripts)} scripts, {summary}; {len(wrong)} disagreements")
    for sentence in wrong[:SHOWN]:
        print(f"WRONG: {sentence}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
