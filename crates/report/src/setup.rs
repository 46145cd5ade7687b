//! Setups: all that a run over memory begins with and is told on the way, so that it can be made to
//! happen on a machine.

/// What a run is given. Offsets count from the start of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The file that is compiled: that of the function, or one that includes it.
    pub file: String,
    /// The function that is run, by its symbol.
    pub function: String,
    /// What it is called with.
    pub arguments: Vec<Argument>,
    /// The objects of memory that are there, besides variables.
    pub blocks: Vec<Block>,
    /// The variables that have values of their own.
    pub variables: Vec<Variable>,
    /// What callees do that are not part of the program, in order.
    pub answers: Vec<Answer>,
    /// Which allocations fail, counted from zero.
    pub failing: Vec<usize>,
    /// The states of objects at the start, as far as they are known.
    pub states: Vec<State>,
    /// The rule that the run breaks by an operation which the state of an object does not allow, if that is what goes
    /// wrong.
    pub violates: Option<String>,
    /// Whether the run depends on values that nothing in memory and no callee has: those of volatile variables, and of
    /// inline assembly.
    pub chosen: bool,
    /// What cannot be made to happen, if something cannot.
    pub missing: Option<String>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// What is passed.
    pub datum: Datum,
    /// Which kind of value it is.
    pub passing: Passing,
}

/// How an argument reaches the callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passing {
    /// As a word of so many bits.
    Word(u32),
    /// As a pointer.
    Pointer,
    /// As a floating-point number of so many bits.
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

/// An address: so many bytes behind the start of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Of what.
    pub of: Target,
    /// How many bytes behind.
    pub offset: i64,
}

/// What an address is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A block, by number.
    Block(u64),
    /// A variable or function, by its symbol.
    Symbol(String),
    /// A function that nothing is known of.
    Code,
    /// Where an argument of a callee points, by position.
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
    /// What they hold; the others are zero.
    pub content: Vec<Piece>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its symbol.
    pub name: String,
    /// Whether the program only declares it.
    pub is_extern: bool,
    /// What its bytes hold; the others are zero.
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
    /// Where it begins.
    pub offset: i64,
    /// What it holds.
    pub content: Content,
}

/// What a part of memory holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Bytes.
    Bytes(Vec<u8>),
    /// An address.
    Address(Address),
}

/// What a callee does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Its symbol; none if it is called through a pointer.
    pub callee: Option<String>,
    /// What it returns, if anything.
    pub result: Option<Datum>,
    /// The pointers that it follows, before anything else.
    pub follows: Vec<Address>,
    /// What it writes, and where.
    pub writes: Vec<(Address, Content)>,
    /// What it frees.
    pub frees: Vec<Address>,
}
