//! Setups: the start state and the decisions of an execution on memory, so that it can be replayed on a machine.

/// The inputs of an execution. Offsets count from the start of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The file that is compiled: that of the function, or one that includes it.
    pub file: String,
    /// The function that is run, by its symbol.
    pub function: String,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The objects of memory that are there, besides variables.
    pub blocks: Vec<Block>,
    /// The variables that have values of their own.
    pub variables: Vec<Variable>,
    /// The calls of functions that are not part of the program, in order.
    pub calls: Vec<StubCall>,
    /// The allocations that fail, counted from zero.
    pub failing: Vec<usize>,
    /// The states of objects at the start, as far as they are known.
    pub states: Vec<State>,
    /// The rule that the execution breaks by an operation which the state of an object does not allow, if that is
    /// what goes wrong.
    pub violates: Option<String>,
    /// Whether the execution depends on values that nothing in memory and no callee has: those of volatile
    /// variables, and of inline assembly.
    pub chosen: bool,
    /// The part that cannot be set up, if there is one.
    pub missing: Option<String>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The value.
    pub datum: Datum,
    /// How it is passed.
    pub passing: Passing,
}

/// How an argument reaches the callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passing {
    /// As a word of this width.
    Word(u32),
    /// As a pointer.
    Pointer,
    /// As a floating-point number of this width.
    Floating(u32),
    /// As a copy of the record of this type that it points to.
    Record(String),
}

/// A word or an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    /// A word.
    Word(u64),
    /// An address.
    Address(Address),
}

/// An address: an offset from the start of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Of what.
    pub of: Target,
    /// How many bytes behind.
    pub offset: i64,
}

/// The base of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A block, by number.
    Block(u64),
    /// A variable or function, by its symbol.
    Symbol(String),
    /// A function that nothing is known of.
    Code,
    /// The target of a pointer argument of a callee, by position.
    Argument(usize),
}

/// An object of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its number.
    pub number: u64,
    /// The first of its bytes that is needed.
    pub start: u64,
    /// How many are needed from there.
    pub size: u64,
    /// Their contents; the others are zero.
    pub content: Vec<Piece>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its symbol.
    pub name: String,
    /// Whether the program only declares it.
    pub is_extern: bool,
    /// The contents of its bytes; the others are zero.
    pub content: Vec<Piece>,
}

/// The state of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The property that has the states, by name.
    pub property: String,
    /// The object: its address, or the number that stands for it.
    pub object: Datum,
    /// The state, by number.
    pub state: u32,
}

/// A part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its start.
    pub offset: i64,
    /// Its content.
    pub content: Content,
}

/// The content of a part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Bytes.
    Bytes(Vec<u8>),
    /// An address.
    Address(Address),
}

/// A call of a stub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubCall {
    /// Its symbol; none if it is called through a pointer.
    pub callee: Option<String>,
    /// The result, if any.
    pub result: Option<Datum>,
    /// The pointers that it follows, before anything else.
    pub follows: Vec<Address>,
    /// The writes, with their addresses.
    pub writes: Vec<(Address, Content)>,
    /// The addresses that it frees.
    pub frees: Vec<Address>,
}
