//! See the manual text of the assumption, below.

use encode::Witness;
use interpret::{Execution, Failure};

use super::Effect;
use crate::bodies::{freed, is_about_freed_memory, is_linked_back};

assumption! {
    /// The back link of a list node leads to what leads to the node.
    ///
    /// A node is removed from a doubly linked list by way of its back link. A start state in which a back link leads elsewhere
    /// is not a list.
    BACK_LINK = "back-link" {
        principle: Trust,
        lifted_by: "the function itself stores the links",
        sentence: "the back links of the list are assumed to be consistent",
        effects: [Effect::ExcludesStart(is_inconsistent)],
        silent: r#"#include <stdlib.h>

struct node {
    struct node *next;
    struct node **back;
};

void f(struct node **list)
{
    struct node *n = *list;
    if (n == 0)
        return;
    *n->back = n->next;
    free(n);
    if (*list == n)
        (*list)->back = list;
}"#,
        reported: r#"#include <stdlib.h>

struct node {
    struct node *next;
    struct node **back;
};

void f(struct node **list)
{
    struct node *n = *list;
    if (n == 0)
        return;
    free(n);
    if (*list == n)
        (*list)->back = list;
}"#,
    }
}

fn is_inconsistent(witness: &Witness, run: &Execution, failure: &Failure) -> bool {
    is_about_freed_memory(failure.kind)
        && freed(witness, run).any(|object| is_linked_back(witness, run, object))
}
