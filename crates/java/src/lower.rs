//! From a program to VIR.
//!
//! | Java | VIR |
//! | --- | --- |
//! | reference types between which values flow | a sort ([`sorts`]) |
//! | `boolean`, `byte` … `long`, `char` | `bool`, words |
//! | a field | a map from objects to values; a static one is a variable |
//! | an array | maps from arrays to their lengths, and from arrays and indices to elements |
//! | the class of an object | a map to numbers, if there are several or objects are made |
//! | a method | a procedure; a constructor makes its object itself |
//! | a call | a call of the one method, or of those that the classes have for it |
//! | an exception | an exceptional exit; what the language itself throws is an `assert` unless a caller may catch it |
//!
//! A method that is called where the exceptions of the language are caught is lowered once more, with
//! these as exits.

mod array;
mod assign;
mod block;
mod body;
mod call;
mod condition;
mod contract;
mod convert;
mod create;
mod entry;
mod enumeration;
mod exception;
mod expression;
mod frame;
mod ghost;
mod heap;
mod initial;
mod intrinsic;
mod literal;
mod loops;
mod name;
mod operator;
mod overload;
mod procedure;
mod relational;
mod sorts;
mod spec;
mod statement;
mod switch;
mod text;
mod text_call;
mod unknown;

use std::collections::VecDeque;

use ir::{GlobalId, Module, ProcedureId, SourceFile, Type};
use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostics;
use crate::limits::LOWERING_ROUNDS;
use crate::program::{FieldId, MethodId, Program};
use crate::types::Ty;

use sorts::{Group, Kind, Sorts};

/// Lowers a program whose files have these paths.
pub(crate) fn lower(
    program: &Program<'_>,
    paths: &[&str],
    sources: &[&str],
    diagnostics: &mut Diagnostics,
) -> Module {
    let mut sorts = Sorts::new(program);
    for round in 0..LOWERING_ROUNDS {
        let size = sorts.size();
        let mut own = Diagnostics::default();
        let mut lowering = Lowering::new(program, sorts, sources, &mut own);
        lowering.all();
        let module = lowering.module;
        sorts = lowering.sorts;
        if sorts.size() == size || round + 1 == LOWERING_ROUNDS {
            diagnostics.append(own);
            let files = paths.iter().map(|path| SourceFile { path: (*path).to_owned() }).collect();
            return Module { files, ..module };
        }
    }
    unreachable!("the last round returns")
}

/// A procedure that a method is lowered to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ProcedureKey {
    method: MethodId,
    form: ConstructorPart,
    /// Whether the exceptions of the language are exits.
    throwing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum ConstructorPart {
    /// A method, or a constructor that makes its object.
    Whole,
    /// A constructor that is given its object by that of another class.
    Part,
    /// The same, after the constructor of the class above has been called.
    Rest,
}

struct Lowering<'p> {
    program: &'p Program<'p>,
    module: Module,
    /// The sorts found so far; those that this round uses are in `groups`.
    sorts: Sorts,
    groups: Vec<Group>,
    positions: FxHashMap<Kind, usize>,
    fields: FxHashMap<FieldId, GlobalId>,
    /// Other state variables, by what they are for.
    maps: FxHashMap<heap::HeapMap, GlobalId>,
    /// The constants for string literals.
    texts: FxHashMap<String, ir::FunctionId>,
    /// The constants for what they say.
    reported: FxHashMap<String, ir::FunctionId>,
    /// The texts of the files.
    sources: &'p [&'p str],
    procedures: FxHashMap<ProcedureKey, ProcedureId>,
    open: VecDeque<ProcedureKey>,
    diagnostics: &'p mut Diagnostics,
}

impl<'p> Lowering<'p> {
    fn new(
        program: &'p Program<'p>,
        sorts: Sorts,
        sources: &'p [&'p str],
        diagnostics: &'p mut Diagnostics,
    ) -> Lowering<'p> {
        let groups = sorts.groups(program);
        let mut module = Module::default();
        for group in &groups {
            let name = heap::sort_name(program, group, &module.sorts);
            module.sorts.push(name);
        }
        Lowering {
            program,
            module,
            positions: sorts.positions(),
            sorts,
            groups,
            fields: FxHashMap::default(),
            maps: FxHashMap::default(),
            texts: FxHashMap::default(),
            reported: FxHashMap::default(),
            sources,
            procedures: FxHashMap::default(),
            open: VecDeque::new(),
            diagnostics,
        }
    }

    /// Lowers every method that is written in the files, and what these call.
    fn all(&mut self) {
        for (number, method) in self.program.methods.iter().enumerate() {
            let class = self.program.class(method.class);
            let is_written = method.body.is_some() && method.at.end > method.at.start;
            if !class.is_library && is_written && !(method.is_constructor && class.is_abstract) {
                let method = MethodId(number as u32);
                self.procedure(ProcedureKey {
                    method,
                    form: ConstructorPart::Whole,
                    throwing: false,
                });
            }
        }
        while let Some(key) = self.open.pop_front() {
            self.fill(key);
        }
        self.constrain_entries();
        self.module.least = self.least();
    }

    /// The group of a reference type. A new type gets its group in the next round, and until then is an
    /// object of any class.
    fn group(&mut self, ty: &Ty) -> &Group {
        let kind = Sorts::kind(self.program, ty);
        let position = kind.as_ref().and_then(|kind| self.positions.get(kind)).copied();
        if let (Some(kind), None) = (kind, position) {
            self.sorts.number(self.program, kind);
        }
        &self.groups[position.unwrap_or(0)]
    }

    /// The type that values of a type have.
    fn vir(&mut self, ty: &Ty) -> Type {
        match ty {
            Ty::Boolean => Type::Bool,
            Ty::Byte | Ty::Short | Ty::Char | Ty::Int | Ty::Long | Ty::Float | Ty::Double => {
                Type::Bv(ty.width().expect("numbers have a width"))
            }
            Ty::Void => Type::Bool,
            Ty::Null | Ty::Class(..) | Ty::Var(_) | Ty::Array(_) | Ty::Unknown => {
                Type::Sort(self.group(ty).sort)
            }
        }
    }

    /// Values of one type are used as the other.
    fn unify(&mut self, a: &Ty, b: &Ty) {
        let is_object = |ty: &Ty| *ty == Ty::Unknown || (ty.is_reference() && *ty != Ty::Null);
        if is_object(a) && is_object(b) {
            self.sorts.unify(self.program, a, b);
        }
    }
}
