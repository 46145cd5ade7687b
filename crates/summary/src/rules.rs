//! The rules that this crate checks, with their manual pages.

/// A rule: its name, which never changes, and its manual page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manual {
    /// The name.
    pub id: &'static str,
    /// The title.
    pub title: &'static str,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// When it is reported, in Markdown.
    pub explanation: &'static str,
    /// Code that violates it.
    pub bad: &'static str,
    /// The same code, corrected.
    pub good: &'static str,
    /// The weaknesses of the Common Weakness Enumeration that it finds, the closest first.
    pub cwe: &'static [u32],
}

/// All rules. Each is on by default, and a violation is an error.
pub const RULES: [Manual; 4] = [
    Manual {
        id: "double-lock",
        title: "Double lock",
        summary: "A lock is acquired while it is already held.",
        explanation: "\
Whatever state the lock is in when the function is called, an execution with the same arguments acquires it twice, in
the function itself or in a function that it calls. The report shows where it was acquired first, and which summaries
of callees it rests on (`indict summaries`).

Property files declare which functions acquire and release locks. Those of Linux and POSIX are bundled;
docs/properties.md explains how to write others.",
        bad: "\
pthread_mutex_lock(&m);
if (is_full())
    pthread_mutex_lock(&m);",
        good: "\
pthread_mutex_lock(&m);
if (is_full())
    pthread_mutex_unlock(&m);",
        cwe: &[764],
    },
    Manual {
        id: "double-unlock",
        title: "Double unlock",
        summary: "A lock is released while it is not held.",
        explanation: "\
Whatever state the lock is in when the function is called, an execution with the same arguments releases it twice, or
releases a lock that it has not acquired.",
        bad: "\
pthread_mutex_unlock(&m);
if (error)
    pthread_mutex_unlock(&m);",
        good: "\
pthread_mutex_unlock(&m);
if (error)
    return -1;",
        cwe: &[765],
    },
    Manual {
        id: "lock-imbalance",
        title: "Lock imbalance",
        summary: "A function leaves a lock in different states that its caller cannot distinguish.",
        explanation: "\
Two executions have the same arguments, both use the lock, and both return the same kind of value (zero, a negative
number, null and so on). But one leaves the lock held and the other does not. Often an error path lacks an
unlock. The report shows both executions.",
        bad: "\
pthread_mutex_lock(&m);
if (queue_is_empty())
    return 0;
pthread_mutex_unlock(&m);
return 0;",
        good: "\
pthread_mutex_lock(&m);
if (queue_is_empty()) {
    pthread_mutex_unlock(&m);
    return 0;
}
pthread_mutex_unlock(&m);
return 0;",
        cwe: &[667],
    },
    Manual {
        id: "memory-leak",
        title: "Memory leak",
        summary: "Allocated memory is lost.",
        explanation: "\
There is an execution in which memory is allocated, by an allocator or by a function whose summary says that it returns
new memory, and at the end nothing outside the function refers to it: it is neither freed nor returned nor stored, nor
passed to a function that may keep it.",
        bad: "\
char *p = malloc(10);
if (n == 3)
    return -2;
free(p);",
        good: "\
char *p = malloc(10);
if (n == 3) {
    free(p);
    return -2;
}
free(p);",
        cwe: &[401],
    },
];
