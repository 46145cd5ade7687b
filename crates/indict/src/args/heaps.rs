//! Initial heaps: how they are looked for, and the commands that show them or count on them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueEnum, ValueHint, value_parser};
use driver::{Strategy, range};

use super::bounds::PerSort;

/// How initial heaps are looked for.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "Java")]
pub(crate) struct Heaps {
    /// Look for initial heaps by these means only: symmetry, order, links, shapes, bounds, or none
    ///
    /// To compare: what is found is the same, but for the heaps in which it is shown. `symmetry`: each heap
    /// in one numbering, on which the others rest. `order`: numbers that are only compared are few.
    /// `links`: what follows from links that lead back, as in doubly linked lists, is told to the solver.
    /// `shapes`: where there are few shapes, one by one. `bounds`: where there are many, only what fields
    /// can hold. Without this flag the means are chosen by what a method and its contract say, and -v
    /// lists them.
    #[arg(
        long, value_name = "MEANS", value_delimiter = ',', value_enum,
        conflicts_with_all = ["no_symmetry", "no_shapes", "no_order", "no_links", "no_bounds"]
    )]
    strategy: Vec<Means>,

    /// Look at initial heaps that differ only in numbering several times, as many as there are
    #[arg(long)]
    no_symmetry: bool,

    /// Do not look at shapes of initial heaps one by one, however few there are
    #[arg(long)]
    no_shapes: bool,

    /// Do not find out beforehand what fields can hold
    #[arg(long)]
    no_bounds: bool,

    /// Do not make numbers few that are only compared
    #[arg(long)]
    no_order: bool,

    /// Do not use what follows from links that lead back
    #[arg(long)]
    no_links: bool,
}

/// A means by which initial heaps are made fewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Means {
    /// None of them
    None,
    /// Each heap in one numbering
    Symmetry,
    /// Few numbers where they are only compared
    Order,
    /// What follows from links that lead back
    Links,
    /// Shapes one by one where there are few
    Shapes,
    /// Tight bounds of fields where there are many
    Bounds,
}

impl Heaps {
    /// What the flags mean.
    pub(crate) fn strategy(&self) -> Strategy {
        if !self.strategy.is_empty() {
            let named = self.strategy.iter().filter_map(|means| match means {
                Means::None => None,
                Means::Symmetry => Some("symmetry"),
                Means::Order => Some("order"),
                Means::Links => Some("links"),
                Means::Shapes => Some("shapes"),
                Means::Bounds => Some("bounds"),
            });
            return Strategy::named(&named.collect::<Vec<_>>());
        }
        if self.no_symmetry {
            return Strategy::default();
        }
        Strategy {
            shapes: !self.no_shapes,
            bounds: !self.no_bounds,
            order: !self.no_order,
            links: !self.no_links,
            ..Strategy::ALL
        }
    }
}

/// What `indict bounds` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Charted {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The class [default: the first that has an invariant]
    pub(crate) class: Option<String>,

    /// Give each class so many objects; classes may have bounds of their own: 5,Node=7
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "5", value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// How the bounds are written
    #[arg(long, value_enum, default_value_t = Drawn::Text, value_name = "FORMAT")]
    pub(crate) format: Drawn,

    /// Write them to a file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Do not use or keep bounds in ~/.cache/indict
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// What `indict instances` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct InstancesOf {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The class [default: the first that has an invariant]
    pub(crate) class: Option<String>,

    /// Give each class at most so many objects; classes may have bounds of their own: 3,Node=5
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "3", value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) most: u32,

    /// How they are written; without --emit-test
    #[arg(long, value_enum, default_value_t = Drawn::Text, value_name = "FORMAT")]
    pub(crate) format: Drawn,

    /// Write them to a file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a class Instances.java into a directory, whose method `all` makes them as test inputs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) emit_test: Option<PathBuf>,
}

/// What `indict mutate` is asked to do.
#[derive(Arguments, Debug)]
pub(crate) struct Mutate {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The method, as reports name it: Class.method
    pub(crate) method: String,

    /// Give each class up to so many objects, one after the other
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(range::SCOPE))]
    pub(crate) scope: u32,

    /// Follow each loop for so many iterations
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = value_parser!(u32).range(range::UNROLL))]
    pub(crate) unroll: u32,

    /// Follow calls so many bodies deep
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = value_parser!(u32).range(range::INLINE))]
    pub(crate) inline: u32,

    /// Give up a mutant after so many conflicts of the solver
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) budget: u64,

    /// Only mistakes of this kind: AOR, ROR, COR, LOR, UOI, SDL, RVR or FRR; may be given several times
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Also list the mutants that are killed
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// How the result is written
    #[arg(long, value_enum, default_value_t = Listed::Text, value_name = "FORMAT")]
    pub(crate) format: Listed,

    /// How many threads to use [default: as many as there are processors]
    #[arg(long, short, value_name = "N", value_parser = super::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// How bounds and instances are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Drawn {
    /// For the terminal
    Text,
    /// A page
    Html,
    /// For programs
    Json,
}

/// How mutants are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Listed {
    /// For people
    Text,
    /// For programs
    Json,
}
