//! The types that property files are read into, and the index by function name.

use std::collections::BTreeMap;

/// A finite-state property of objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The name of such an object in messages: "lock".
    pub object: String,
    /// The states but the error; at least one. An object that a procedure makes itself is in the first.
    pub states: Vec<String>,
    /// The states, by number, that an object has only while a procedure is at work.
    pub inner: Vec<u32>,
    /// The rule that is broken by a procedure that leaves an object in different states without telling
    /// its caller, if that is wrong.
    pub imbalance: Option<String>,
    /// The operations of functions on objects.
    pub operations: Vec<Operation>,
}

/// The operation of some functions on an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The functions.
    pub functions: Vec<String>,
    /// Which object is moved.
    pub object: OperationTarget,
    /// The moves; from a state and result without a move the object stays as it is.
    pub moves: Vec<StateTransition>,
    /// The possible results of the functions, if only these.
    pub results: Vec<i64>,
}

/// Which object an operation moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OperationTarget {
    /// The object that an argument points to.
    Argument(u32),
    /// The object that the result points to.
    Result,
}

/// A move of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateTransition {
    /// The state before, by number.
    pub from: u32,
    /// The state after.
    pub to: NextState,
    /// For which results.
    pub when: Option<ResultTest>,
}

/// Where a move leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextState {
    /// To a state, by number.
    State(u32),
    /// To the error, by which this rule is broken.
    Error(String),
    /// Nowhere: the function has no such result in this state.
    Impossible,
}

impl Property {
    /// Whether all operations change an object that an argument points to, so that the calls alone determine
    /// every state.
    pub fn moves_arguments(&self) -> bool {
        self.operations
            .iter()
            .all(|operation| matches!(operation.object, OperationTarget::Argument(_)))
    }

    /// The rule that is broken by an operation which this state does not allow.
    pub fn error_from(&self, from: u32) -> Option<String> {
        let moves = self.operations.iter().flat_map(|operation| &operation.moves);
        moves.filter(|step| step.from == from).find_map(|step| match &step.to {
            NextState::Error(rule) => Some(rule.clone()),
            NextState::State(_) | NextState::Impossible => None,
        })
    }
}

/// A comparison of a result with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ResultTest {
    /// It is zero or null.
    Zero,
    /// It is not zero.
    NonZero,
    /// It is less than zero.
    Negative,
    /// It is zero or more.
    NotNegative,
}

impl ResultTest {
    /// Whether a result is such a one.
    pub fn fits(self, is_zero: bool, is_negative: bool) -> bool {
        match self {
            ResultTest::Zero => is_zero,
            ResultTest::NonZero => !is_zero,
            ResultTest::Negative => is_negative,
            ResultTest::NotNegative => !is_negative,
        }
    }
}

/// A rule that properties report under, as a file declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleDeclaration {
    /// Its name in reports.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// What the rule finds: the first paragraph is one sentence, the rest describes when it is reported.
    pub explanation: Option<String>,
    /// Whether to break it is an error, rather than a warning.
    pub is_error: bool,
    /// The weaknesses of the Common Weakness Enumeration that it finds.
    pub cwe: Vec<u32>,
    /// The line of the declaration, from one.
    pub line: usize,
}

/// Functions that allocate memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocator {
    /// The functions.
    pub functions: Vec<String>,
    /// Whether they never fail.
    pub never_fails: bool,
    /// The argument through which the memory is returned, if it is not the result.
    pub through: Option<u32>,
    /// The argument that the memory replaces, as for `realloc`.
    pub replaces: Option<u32>,
    /// The arguments that determine the size. An allocation of size zero is no leak.
    pub sizes: Vec<u32>,
    /// The argument that keeps the memory and frees it with itself, unless it is null.
    pub owner: Option<u32>,
}

/// Functions of which it matters what they do with the memory that an argument points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Consumer {
    /// The functions.
    pub functions: Vec<String>,
    /// The argument, by position.
    pub argument: u32,
}

/// Functions that take memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// The functions.
    pub functions: Vec<String>,
    /// The argument, by position.
    pub argument: u32,
    /// Whether the memory is freed, so that no later access is valid.
    pub frees: bool,
}

/// All properties of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    /// The rules that are declared.
    pub rules: Vec<RuleDeclaration>,
    /// The rules that moves and imbalances name, each with the line and the name of the property.
    pub reported: Vec<(String, usize, String)>,
    /// The finite-state properties.
    pub machines: Vec<Property>,
    /// The allocators.
    pub allocators: Vec<Allocator>,
    /// Who takes memory: frees it, or keeps it where it is found again.
    pub releases: Vec<Release>,
    /// Functions that return their argument, possibly with another type.
    pub identities: Vec<Consumer>,
    /// The functions that only read their arguments.
    pub borrows: Vec<String>,
    /// How many of the last addresses are error codes and never those of objects.
    pub error_addresses: u32,
}

impl Properties {
    /// The first address that is an error code, if there are any; so are all that follow.
    pub fn first_error(&self) -> Option<u64> {
        (self.error_addresses > 0).then(|| u64::from(self.error_addresses).wrapping_neg())
    }
}

/// The declarations about a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionDeclaration {
    /// Property and operation, by position.
    pub operations: Vec<(usize, usize)>,
    /// How it allocates, by position among the allocators.
    pub allocator: Option<usize>,
    /// The arguments that it takes: frees, or keeps where they are found again.
    pub releases: Vec<u32>,
    /// The arguments that are gone afterwards.
    pub frees: Vec<u32>,
    /// The argument that it returns in another form.
    pub identity: Option<u32>,
    /// Whether it only reads its arguments.
    pub borrows: bool,
}

/// The declarations by the names of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index {
    properties: Properties,
    by_name: BTreeMap<String, FunctionDeclaration>,
}

impl Index {
    /// The same properties, to be found by name.
    pub fn new(properties: Properties) -> Index {
        let mut by_name: BTreeMap<String, FunctionDeclaration> = BTreeMap::new();
        for (number, property) in properties.machines.iter().enumerate() {
            for (position, operation) in property.operations.iter().enumerate() {
                for name in &operation.functions {
                    by_name.entry(name.clone()).or_default().operations.push((number, position));
                }
            }
        }
        for (number, allocator) in properties.allocators.iter().enumerate() {
            for name in &allocator.functions {
                by_name.entry(name.clone()).or_default().allocator = Some(number);
            }
        }
        for release in &properties.releases {
            for name in &release.functions {
                let declared = by_name.entry(name.clone()).or_default();
                declared.releases.push(release.argument);
                declared.frees.extend(release.frees.then_some(release.argument));
            }
        }
        for identity in &properties.identities {
            for name in &identity.functions {
                by_name.entry(name.clone()).or_default().identity = Some(identity.argument);
            }
        }
        for name in &properties.borrows {
            by_name.entry(name.clone()).or_default().borrows = true;
        }
        Index { properties, by_name }
    }

    /// The properties.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// The declarations about a function.
    pub fn declared(&self, function: &str) -> Option<&FunctionDeclaration> {
        self.by_name.get(function)
    }

    /// Whether a function makes such a move with its result, rather than with an argument.
    pub fn is_result(&self, function: &str, from: u32, to: u32) -> bool {
        self.declared(function).is_some_and(|declared| {
            declared.operations.iter().any(|&(property, number)| {
                let operation = &self.properties.machines[property].operations[number];
                operation.object == OperationTarget::Result
                    && operation
                        .moves
                        .iter()
                        .any(|step| step.from == from && step.to == NextState::State(to))
            })
        })
    }

    /// Whether anything is declared of a function.
    pub fn knows(&self, function: &str) -> bool {
        self.by_name.contains_key(function)
    }
}
