//! Random modules for tests: valid, the same for the same seed, and made of whatever constructs are
//! asked for.
//!
//! Tests of the text form take everything. Tests that run programs leave out what their subject does not do,
//! keep sizes small and ask for variables to be set before they are read ([`Shape::runnable`]).

mod access;
mod body;
mod expression;
mod leaf;
mod procedure;

use fastrand::Rng;

use crate::expr::Exprs;
use crate::module::{Axiom, Function, Global, Module};
use crate::span::{FileId, SourceFile, Span};
use crate::types::{RecordId, RecordType, Type, VariantId, VariantType};
use expression::{Builder, Reads};

/// What a random module is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many procedures there are at most, at least one.
    pub procedures: usize,
    /// How many blocks a body has at most, at least one.
    pub blocks: usize,
    /// How many statements a block has at most.
    pub statements: usize,
    /// How many variables of each kind there are at most.
    pub variables: usize,
    /// How deep expressions are nested at most.
    pub depth: usize,
    /// The widths of words; none if this is empty.
    pub widths: Vec<u32>,
    /// Floating-point numbers, made from words.
    pub floats: bool,
    /// Mathematical integers.
    pub integers: bool,
    /// Uninterpreted sorts and the allocation of atoms.
    pub sorts: bool,
    /// Maps.
    pub maps: bool,
    /// Sequences. They bring integers with them, as positions.
    pub sequences: bool,
    /// Records.
    pub records: bool,
    /// Tagged unions.
    pub variants: bool,
    /// Pointers, byte memory, allocation and freeing of objects. They bring words of 64 bits.
    pub memory: bool,
    /// Functions, constants and axioms.
    pub functions: bool,
    /// Contracts, invariants, and quantifiers, lambdas and `old` in them and in assertions.
    pub specifications: bool,
    /// Operators on relations, in specifications.
    pub relations: bool,
    /// Ghost variables.
    pub ghosts: bool,
    /// Calls.
    pub calls: bool,
    /// Procedures without a body.
    pub bodiless: bool,
    /// Exceptional exits and their being caught.
    pub exceptions: bool,
    /// Edges that lead back.
    pub loops: bool,
    /// `havoc` and `goto` with several targets.
    pub choices: bool,
    /// `unsupported`, cuts and intended exits.
    pub cuts: bool,
    /// Whether bodies begin by giving each variable of the procedure a value.
    pub initialised: bool,
    /// Whether bound variables, and the keys of maps that are compared, related or hold what is no
    /// word, have types whose values can be listed: truth values, small words, atoms.
    pub listed: bool,
    /// Whether memory is accessed only by statements that do nothing else, behind a condition that
    /// says that there is something to access; whether pointers move, and objects grow, by small
    /// words only; and whether nothing depends on the numbers that addresses are.
    pub guarded: bool,
    /// Whether expressions are shared.
    pub sharing: bool,
    /// Whether spans, points, origins, messages, displays and names are strange.
    pub strange: bool,
}

impl Shape {
    /// Everything.
    pub fn everything() -> Shape {
        Shape {
            procedures: 3,
            blocks: 5,
            statements: 4,
            variables: 3,
            depth: 4,
            widths: vec![1, 8, 13, 32],
            floats: true,
            integers: true,
            sorts: true,
            maps: true,
            sequences: true,
            records: true,
            variants: true,
            memory: true,
            functions: true,
            specifications: true,
            relations: true,
            ghosts: true,
            calls: true,
            bodiless: true,
            exceptions: true,
            loops: true,
            choices: true,
            cuts: true,
            initialised: false,
            listed: false,
            guarded: false,
            sharing: true,
            strange: true,
        }
    }

    /// What can be run without meeting an undefined value: words, integers, sorts, maps, records
    /// and variants, no memory, no uninterpreted functions, no specifications, no loops.
    pub fn runnable() -> Shape {
        Shape {
            procedures: 2,
            blocks: 4,
            statements: 3,
            variables: 2,
            depth: 3,
            widths: vec![1, 3, 8],
            floats: false,
            sequences: false,
            memory: false,
            functions: false,
            specifications: false,
            relations: false,
            ghosts: false,
            bodiless: false,
            exceptions: false,
            loops: false,
            cuts: false,
            initialised: true,
            strange: false,
            ..Shape::everything()
        }
    }
}

/// The random module of a shape that belongs to a seed.
pub fn module(seed: u64, shape: &Shape) -> Module {
    let mut generator = Generator {
        rng: Rng::with_seed(seed),
        shape,
        module: Module::default(),
        exception: None,
        stores_pointers: seed.is_multiple_of(2),
    };
    generator.files();
    generator.types();
    generator.globals();
    generator.functions();
    generator.conditions();
    procedure::declare(&mut generator);
    procedure::define(&mut generator);
    generator.module
}

struct Generator<'s> {
    rng: Rng,
    shape: &'s Shape,
    module: Module,
    /// The type of exceptions.
    exception: Option<Type>,
    /// Whether memory holds pointers, if it must not hold words as well.
    stores_pointers: bool,
}

/// Names that the text form has to quote or to tell apart.
const STRANGE: [&str; 16] = [
    "loop",
    "file",
    "proc",
    "where",
    "record",
    "x y",
    "",
    "len",
    "bv32",
    "a`b\\",
    "ünï",
    "1st",
    "null",
    "int",
    "shift",
    "\n\"\u{7f}",
];

impl Generator<'_> {
    fn files(&mut self) {
        let paths: &[&str] = if self.shape.strange { &["a.c", "dir/\"b\".h"] } else { &["a.vir"] };
        self.module.files =
            paths.iter().map(|path| SourceFile { path: (*path).to_owned() }).collect();
    }

    fn types(&mut self) {
        if self.shape.sorts {
            self.module.sorts = vec![self.name("Ref", 0), self.name("Val", 1)];
        }
        // A record holds simple types, a variant may hold the record too.
        if self.shape.records {
            let fields = (0..self.rng.u32(1..=3)).map(|index| {
                let name = self.name("field", index);
                (name, self.simple_type())
            });
            let fields = fields.collect();
            let record = RecordType { name: self.name("Record", 2), fields };
            self.module.records.push(record);
        }
        if self.shape.variants {
            let mut constructors = Vec::new();
            for index in 0..self.rng.u32(1..=3) {
                let types = (0..self.rng.usize(0..=2)).map(|_| self.ty(1)).collect();
                constructors.push((self.name("Constructor", index), types));
            }
            let variant = VariantType { name: self.name("Variant", 3), constructors };
            self.module.variants.push(variant);
        }
    }

    fn globals(&mut self) {
        for index in 0..self.count() {
            let ghost = self.shape.ghosts && self.rng.u8(..) < 64;
            let ty = self.ty(2);
            let (name, display) = (self.name("g", index), self.display());
            let span = self.span();
            self.module.globals.push(Global { name, ty, ghost, display, span });
        }
        if self.shape.memory {
            let (name, display, span) = ("mem".to_owned(), self.display(), self.span());
            let global = Global { name, ty: Type::Bytes, ghost: false, display, span };
            self.module.globals.push(global);
        }
    }

    fn functions(&mut self) {
        if !self.shape.functions {
            return;
        }
        for index in 0..self.rng.u32(1..=4) {
            let parameters: Vec<(String, Type)> = (0..self.rng.u32(0..=2))
                .map(|index| (self.name("x", index), self.key_type()))
                .collect();
            let keys: Vec<Type> = parameters.iter().map(|(_, ty)| ty.clone()).collect();
            let result = self.held_by(&keys, 1);
            let mut definition = None;
            // Only functions that exist already are applied, so that no definition is recursive.
            if self.rng.bool() {
                let mut exprs = Exprs::default();
                let bound =
                    parameters.iter().map(|(name, ty)| exprs.bind(name, ty.clone())).collect();
                let reads = self.specification(Reads::NOTHING);
                let mut builder = Builder::new(self, exprs, &[], reads);
                builder.scope = bound;
                let root = builder.expr(&result);
                definition = Some((builder.exprs, root));
            }
            let name = self.name("f", index + 10);
            let span = self.span();
            self.module.functions.push(Function { name, parameters, result, definition, span });
        }
    }

    fn conditions(&mut self) {
        if !self.shape.specifications {
            return;
        }
        if self.shape.functions {
            let reads = self.specification(Reads::NOTHING);
            let axiom = self.condition(reads);
            self.module.axioms.push(axiom);
        }
        let reads = self.specification(Reads { globals: true, ghosts: true, ..Reads::NOTHING });
        let invariant = self.condition(reads);
        self.module.invariants.push(invariant);
    }

    fn condition(&mut self, reads: Reads) -> Axiom {
        let mut builder = Builder::new(self, Exprs::default(), &[], reads);
        let condition = builder.expr(&Type::Bool);
        let exprs = builder.exprs;
        Axiom { exprs, condition, span: self.span() }
    }

    /// These reads with specifications, if there are any.
    fn specification(&self, reads: Reads) -> Reads {
        Reads { specification: self.shape.specifications, ..reads }
    }

    fn count(&mut self) -> u32 {
        self.rng.u32(0..=self.shape.variables as u32)
    }

    /// A type without parts.
    fn simple_type(&mut self) -> Type {
        let mut types = vec![Type::Bool];
        types.extend(self.shape.widths.iter().map(|width| Type::Bv(*width)));
        if self.shape.integers {
            types.push(Type::Int);
        }
        for index in 0..self.module.sorts.len() as u32 {
            types.push(Type::Sort(crate::SortId(index)));
        }
        if self.shape.memory {
            types.push(Type::Ptr);
        }
        if self.shape.memory && !self.shape.guarded {
            types.push(Type::Bv(64));
        }
        let index = self.rng.usize(..types.len());
        types.swap_remove(index)
    }

    /// A type that nests at most this deep.
    fn ty(&mut self, depth: usize) -> Type {
        let shape = self.shape;
        if depth > 0 {
            match self.rng.u8(..10) {
                0 | 1 if shape.maps => {
                    let keys: Vec<Type> =
                        (0..self.rng.usize(1..=2)).map(|_| self.simple_type()).collect();
                    let value = self.held_by(&keys, depth - 1);
                    return Type::Map(keys, Box::new(value));
                }
                2 if shape.maps && shape.relations => {
                    let key = self.listed_type();
                    return Type::set(vec![key.clone(), key]);
                }
                3 | 4 if shape.sequences => return Type::Seq(Box::new(self.ty(depth - 1))),
                5 if !self.module.records.is_empty() => return Type::Record(RecordId(0)),
                6 if !self.module.variants.is_empty() => return Type::Variant(VariantId(0)),
                _ => {}
            }
        }
        self.simple_type()
    }

    /// A type of values that a map with these keys may hold, which nests at most this deep.
    fn held_by(&mut self, keys: &[Type], depth: usize) -> Type {
        let ty = self.ty(depth);
        if self.can_hold(keys, &ty) { ty } else { self.simple_type() }
    }

    /// Whether a map with these keys may hold values of this type.
    fn can_hold(&self, keys: &[Type], value: &Type) -> bool {
        !self.shape.listed || keys.iter().all(is_listed) || self.is_word(value)
    }

    /// The type of a parameter of a function, which is looked up like a map.
    fn key_type(&mut self) -> Type {
        let ty = self.ty(1);
        if self.shape.listed && !self.is_word(&ty) { self.simple_type() } else { ty }
    }

    /// A type without parts that a variable may be bound to.
    fn listed_type(&mut self) -> Type {
        let ty = self.simple_type();
        if self.shape.listed && !is_listed(&ty) { Type::Bool } else { ty }
    }

    /// A type that nests at most this deep and whose values may be compared.
    fn compared_type(&mut self, depth: usize) -> Type {
        let ty = self.ty(depth);
        if self.shape.listed && !self.is_compared(&ty) { self.simple_type() } else { ty }
    }

    /// Whether values of a type have a fixed number of bits, once integers have.
    fn is_word(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr => true,
            Type::Map(..) | Type::Seq(_) | Type::Bytes => false,
            Type::Record(_) | Type::Variant(_) => self.parts(ty).all(|part| self.is_word(part)),
        }
    }

    /// Whether comparing values of a type looks at listed keys only.
    fn is_compared(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Bv(_) | Type::Int | Type::Sort(_) | Type::Ptr => true,
            Type::Map(keys, value) => keys.iter().all(is_listed) && self.is_compared(value),
            Type::Seq(element) => self.is_compared(element),
            Type::Bytes => false,
            Type::Record(_) | Type::Variant(_) => self.parts(ty).all(|part| self.is_compared(part)),
        }
    }

    /// The types of a record's fields or of the arguments of a union.
    fn parts(&self, ty: &Type) -> impl Iterator<Item = &Type> {
        let record = match ty {
            Type::Record(id) => self.module.records.get(id.0 as usize),
            _ => None,
        };
        let variant = match ty {
            Type::Variant(id) => self.module.variants.get(id.0 as usize),
            _ => None,
        };
        let fields = record.into_iter().flat_map(|record| &record.fields).map(|field| &field.1);
        let constructors = variant.into_iter().flat_map(|variant| &variant.constructors);
        fields.chain(constructors.flat_map(|constructor| &constructor.1))
    }

    fn name(&mut self, base: &str, index: u32) -> String {
        if self.shape.strange && self.rng.u8(..) < 64 {
            let strange = STRANGE[self.rng.usize(..STRANGE.len())];
            return format!(
                "{strange}{}",
                if index > 0 { index.to_string() } else { String::new() }
            );
        }
        format!("{base}{index}")
    }

    fn display(&mut self) -> Option<String> {
        (self.shape.strange && self.rng.bool()).then(|| "p->\"next\"\t\\".to_owned())
    }

    fn message(&mut self) -> String {
        if self.shape.strange && self.rng.bool() {
            "it\u{0} \"holds\"".to_owned()
        } else {
            String::new()
        }
    }

    fn span(&mut self) -> Span {
        let file = FileId(self.rng.u32(..self.module.files.len() as u32));
        let start = self.rng.u32(..1000);
        Span { file, start, end: start + self.rng.u32(..100) }
    }
}

/// Whether the values of a type without parts can be listed.
fn is_listed(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Sort(_) => true,
        Type::Bv(width) => *width <= 4,
        Type::Int
        | Type::Ptr
        | Type::Map(..)
        | Type::Seq(_)
        | Type::Record(_)
        | Type::Variant(_)
        | Type::Bytes => false,
    }
}
