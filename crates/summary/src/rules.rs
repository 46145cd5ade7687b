//! The rules that this crate looks for, with their manual pages.

/// A rule: its name, for ever, and its manual page, whose first line is the rule in one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manual {
    /// The name.
    pub id: &'static str,
    /// The page, in Markdown.
    pub text: &'static str,
}

/// All rules.
pub const RULES: [Manual; 4] = [
    Manual {
        id: "double-lock",
        text: "A lock is taken that is held already.\n\n\
               Whatever state the lock is in when the function is called, a run that passes the same arguments\n\
               takes it twice, by itself or through a function that it calls. The report shows where it was taken\n\
               first, and which summaries of callees it rests on (`indict summaries`).\n\n\
               Which functions take and release locks is declared in files of properties; those of Linux and POSIX\n\
               come with the program, others can be written (docs/properties.md).\n",
    },
    Manual {
        id: "double-unlock",
        text: "A lock is released that is not held.\n\n\
               Whatever state the lock is in when the function is called, a run that passes the same arguments\n\
               releases it twice, or releases what it has not taken.\n",
    },
    Manual {
        id: "lock-imbalance",
        text: "A function leaves a lock in different states without telling its caller.\n\n\
               Two runs get the same from the caller, both use the lock, and both return the same as far as the\n\
               caller can see (zero, a negative number, null and so on); but one leaves the lock held and the other\n\
               does not. Often an error path lacks an unlock. The report shows both runs.\n",
    },
    Manual {
        id: "memory-leak",
        text: "Memory is lost that the function allocated.\n\n\
               There is a run in which memory is allocated, by an allocator or by a function whose summary says that\n\
               it returns new memory, and at the end nothing outside the function refers to it: it is neither freed\n\
               nor returned nor stored, nor given to a function that may keep it.\n",
    },
];
