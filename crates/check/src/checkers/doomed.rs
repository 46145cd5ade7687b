//! See the manual of the rule, below.
//!
//! Hoenicke, Leino, Podelski, Schäf and Wies, *It's Doomed; We Can Prove It*, FM 2009. The question
//! is asked of the over-approximating evaluation, in which every run of the program is described:
//! can a run pass here and survive? Each run found that survives clears every point it passes, so
//! few points need a question of their own. What remains is charged only with a failing run that
//! the interpreter has confirmed.

use super::Checker;
use crate::case::Case;
use crate::rule::{Rule, checker};

checker! {
    /// Code fails whenever it is reached.
    ///
    /// Every run that takes this side of a branch, or passes this statement, fails: in an assertion, a
    /// null dereference, an index out of bounds or a broken contract, before or after. Whatever the
    /// intention was, the code cannot do it.
    ///
    /// This is never a guess: that no run survives is proved without any bound on loops, and one run
    /// that gets there and fails is shown. Code that no run reaches is not doomed but `unreachable`.
    /// A run that ends on purpose, by `exit()` or `abort()` or in an assertion that is literally false,
    /// survives. A loop that is never left dooms what leads to it, unless nothing could leave it.
    ///
    /// The report stands at the branch if one side of it is doomed, and names the statements that together
    /// are to blame: leave any of them out, and some run might survive.
    Doomed = "doomed", default true
}

impl Checker for Doomed {
    fn rule(&self) -> Rule {
        Doomed::RULE
    }

    fn asks_about_all_runs(&self) -> bool {
        true
    }

    fn check(&self, case: &mut Case<'_>) {
        case.charge_doomed(&self.rule());
    }
}
