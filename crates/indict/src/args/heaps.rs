//! Initial heaps: the techniques that reduce them, and the commands that print or use them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as Arguments, ValueEnum, ValueHint, value_parser};
use driver::{Strategy, range};

use super::bounds::PerSort;
use crate::cache::CacheArguments;

/// The techniques that reduce the initial heaps.
#[derive(Arguments, Debug)]
#[command(next_help_heading = "Java")]
pub(crate) struct Heaps {
    /// Use exactly these techniques to reduce the initial heaps
    ///
    /// `symmetry`: one canonical heap per isomorphism class; the other techniques imply it. `order`: small
    /// domains for numbers that are only compared. `links`: lemmas on back links, as in doubly linked lists.
    /// `shapes`: enumerate the shapes if there are few. `bounds`: tight field bounds if there are many.
    /// `none`: no technique. Separate several by commas. Findings are the same with any of them, apart from
    /// the heaps that show them. By default the techniques are chosen by method and contract; -v lists them.
    #[arg(
        long, value_name = "LIST", value_delimiter = ',', value_enum, hide_possible_values = true,
        conflicts_with_all = ["no_symmetry", "no_shapes", "no_order", "no_links", "no_bounds"]
    )]
    strategy: Vec<Means>,

    /// Disable symmetry breaking, and the techniques that rest on it
    #[arg(long)]
    no_symmetry: bool,

    /// Disable the enumeration of shapes
    #[arg(long)]
    no_shapes: bool,

    /// Disable tight field bounds
    #[arg(long)]
    no_bounds: bool,

    /// Disable order abstraction
    #[arg(long)]
    no_order: bool,

    /// Disable lemmas on back links
    #[arg(long)]
    no_links: bool,
}

/// A technique that reduces the initial heaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Means {
    /// No technique
    None,
    /// Canonical heaps
    Symmetry,
    /// Small domains for numbers that are only compared
    Order,
    /// Lemmas on back links
    Links,
    /// Enumeration of shapes if there are few
    Shapes,
    /// Tight field bounds if there are many shapes
    Bounds,
}

impl Heaps {
    /// The techniques that are named, if any are.
    pub(crate) fn named(&self) -> Option<Strategy> {
        if self.strategy.is_empty() {
            return None;
        }
        let named = self.strategy.iter().filter_map(|means| match means {
            Means::None => None,
            Means::Symmetry => Some("symmetry"),
            Means::Order => Some("order"),
            Means::Links => Some("links"),
            Means::Shapes => Some("shapes"),
            Means::Bounds => Some("bounds"),
        });
        Some(Strategy::named(&named.collect::<Vec<_>>()))
    }

    /// Takes away the techniques that are disabled.
    pub(crate) fn disable(&self, strategy: &mut Strategy) {
        if self.no_symmetry {
            *strategy = Strategy::default();
        }
        strategy.shapes &= !self.no_shapes;
        strategy.bounds &= !self.no_bounds;
        strategy.order &= !self.no_order;
        strategy.links &= !self.no_links;
    }
}

/// The arguments of `indict bounds`.
#[derive(Arguments, Debug)]
pub(crate) struct Charted {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The class [default: the first with an invariant]
    pub(crate) class: Option<String>,

    /// Number of objects per class; with exceptions: 5,Node=7
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "5", value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Drawn::Text, value_name = "FORMAT")]
    pub(crate) format: Drawn,

    /// Write the output to a file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cache: CacheArguments,
}

/// The arguments of `indict instances`.
#[derive(Arguments, Debug)]
pub(crate) struct InstancesOf {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The class [default: the first with an invariant]
    pub(crate) class: Option<String>,

    /// Maximum number of objects per class; with exceptions: 3,Node=5
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "3", value_parser = PerSort::parse)]
    pub(crate) scope: Vec<PerSort>,

    /// Maximum number of heaps to print
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = value_parser!(u32).range(1..=100_000))]
    pub(crate) most: u32,

    /// Output format
    ///
    /// It has no effect with --emit-test.
    #[arg(long, value_enum, default_value_t = Drawn::Text, value_name = "FORMAT")]
    pub(crate) format: Drawn,

    /// Write the output to a file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write Instances.java, whose method `all` builds the heaps as test inputs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) emit_test: Option<PathBuf>,
}

/// The arguments of `indict mutate`.
#[derive(Arguments, Debug)]
pub(crate) struct Mutate {
    /// The Java file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// The method, as Class.method
    pub(crate) method: String,

    /// Maximum objects per class; smaller scopes are tried first
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(range::SCOPE))]
    pub(crate) scope: u32,

    /// Unroll each loop at most K times
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = value_parser!(u32).range(range::UNROLL))]
    pub(crate) unroll: u32,

    /// Inline calls at most D levels deep
    #[arg(long, value_name = "D", default_value_t = 8, value_parser = value_parser!(u32).range(range::INLINE))]
    pub(crate) inline: u32,

    /// Solver conflicts per mutant before giving up
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
    pub(crate) budget: u64,

    /// Only these operators: AOR, ROR, COR, LOR, UOI, SDL, RVR, FRR
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Also list killed mutants
    #[arg(long, short)]
    pub(crate) verbose: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = Listed::Text, value_name = "FORMAT")]
    pub(crate) format: Listed,

    /// Number of threads [default: one per processor]
    #[arg(long, short, value_name = "N", value_parser = super::jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// The format of bounds and instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Drawn {
    /// Plain text
    Text,
    /// An HTML page
    Html,
    /// JSON
    Json,
}

/// The format of mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Listed {
    /// Plain text
    Text,
    /// JSON
    Json,
}
