//! Functions and constants: instances, definitions, and what is applied to what.

use ir::{Expr, ExprId, FunctionId, Op, Quantifier};

use super::Lowering;
use super::frame::{Bound, Frame, Use};
use super::names::Names;
use crate::diagnostics::TextRange;
use crate::limits::{FUNCTION_INSTANCES, PAIRWISE_CONSTANTS};
use crate::program::FunctionKind;
use crate::types::{Ty, TypeId};

impl Lowering<'_, '_, '_> {
    /// The functions without type parameters, in the order of the text.
    pub(super) fn declare_functions(&mut self) {
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            match function.kind {
                FunctionKind::Plain | FunctionKind::Constant => {}
                FunctionKind::Constructor(..)
                | FunctionKind::Selector(..)
                | FunctionKind::Tester(..) => continue,
            }
            let types = function.parameters.iter().map(|(_, ty)| *ty);
            let is_broken = types.chain([function.result]).any(|ty| self.types.is_broken(ty));
            if function.rigid.is_empty() && !is_broken {
                self.instance(index, &[]);
            }
        }
    }

    /// The VIR function for a function at some types. Nothing if there are too many or too large
    /// ones.
    fn instance(&mut self, index: usize, arguments: &[TypeId]) -> Option<FunctionId> {
        let key = (index, Box::from(arguments));
        if let Some(id) = self.functions.get(&key) {
            return Some(*id);
        }
        let program = self.program;
        let function = &program.functions[index];
        let new = function.rigid.iter().copied().zip(arguments.iter().copied()).collect();
        let types: Vec<TypeId> = function
            .parameters
            .iter()
            .map(|(_, ty)| *ty)
            .chain([function.result])
            .map(|ty| self.types.substitute(ty, &new))
            .collect();
        let count = self.instance_counts.entry(index).or_default();
        *count += 1;
        if *count > FUNCTION_INSTANCES || types.iter().any(|ty| self.types.is_too_large(*ty)) {
            return None;
        }
        self.found.function(index, arguments);
        let mut types: Vec<ir::Type> = types.iter().map(|ty| self.ty(*ty)).collect();
        let result = types.pop()?;
        let id = FunctionId(self.module.functions.len() as u32);
        let mut name = function.name.clone();
        if !arguments.is_empty() {
            let shown: Vec<String> = arguments.iter().map(|ty| self.types.show(*ty)).collect();
            name = format!("{name}<{}>", shown.join(", "));
        }
        let name = self.distinct(&name);
        let mut names = Names::default();
        let mut parameters: Vec<(String, ir::Type)> = Vec::new();
        for (number, ((written, _), ty)) in function.parameters.iter().zip(types).enumerate() {
            let name = written.map_or_else(|| format!("x {number}"), str::to_owned);
            parameters.push((names.distinct(&name), ty));
        }
        let definition = None;
        let span = function.at.span();
        self.module.functions.push(ir::Function { name, parameters, result, definition, span });
        self.functions.insert(key, id);
        if let Some(builtin) = function.builtin {
            self.define_builtin(id, builtin);
        } else if function.body.is_some() {
            self.open_functions.push((index, arguments.into(), id));
        }
        Some(id)
    }

    /// A function applied to operands, at the type arguments that a node has.
    pub(super) fn apply(
        &mut self,
        frame: &mut Frame,
        index: usize,
        arguments: &[TypeId],
        operands: Vec<ExprId>,
        at: TextRange,
    ) -> ExprId {
        let program = self.program;
        let function = &program.functions[index];
        match function.kind {
            FunctionKind::Plain | FunctionKind::Constant => {}
            FunctionKind::Constructor(declared, number) => {
                let ty = self.types.intern(Ty::Constructed(declared, arguments.into()));
                return self.construct(frame, ty, number, operands, at);
            }
            FunctionKind::Tester(declared, number) => {
                let ty = self.types.intern(Ty::Constructed(declared, arguments.into()));
                return self.test(frame, ty, number, operands[0], at);
            }
            FunctionKind::Selector(declared, number, field) => {
                let ty = self.types.intern(Ty::Constructed(declared, arguments.into()));
                return self.select_field(frame, ty, (number, field), operands[0], at);
            }
        }
        let Some(id) = self.instance(index, arguments) else {
            frame.fail(format!("`{}` at ever more types", function.name));
            return frame.bool(false);
        };
        if let Some(trouble) = self.function_trouble.get(&id) {
            frame.trouble(trouble.clone());
        }
        let specification = self.specifications[index] || frame.any_specification(&operands);
        let result = self.module.function(id).result.clone();
        frame.push(Expr::Apply(id, operands), result, specification)
    }

    /// The bodies of all instances that are known by now.
    pub(super) fn lower_functions(&mut self) {
        let mut next = 0;
        while next < self.open_functions.len() {
            let (index, arguments, id) = self.open_functions[next].clone();
            self.define(index, &arguments, id);
            next += 1;
        }
        self.open_functions.clear();
    }

    fn define(&mut self, index: usize, arguments: &[TypeId], id: FunctionId) {
        let program = self.program;
        let function = &program.functions[index];
        let Some(body) = function.body else { return };
        let mut frame = Frame {
            types: function.rigid.iter().copied().zip(arguments.iter().copied()).collect(),
            ..Frame::default()
        };
        let mut binders = Vec::new();
        for (number, (name, ty)) in
            self.module.function(id).parameters.clone().into_iter().enumerate()
        {
            let binder = frame.exprs.bind(name, ty);
            frame.bound.insert((body.root, number as u32), Bound::Binder(binder));
            binders.push(binder);
        }
        let value = self.expression(&mut frame, body, Use::Specification);
        if let Some(trouble) = frame.failure.take().or(frame.trouble.take()) {
            self.note(function.at, &trouble);
            self.tainted.insert(id, format!("the definition of `{}`", function.name));
            return;
        }
        if !self.recursive_functions[index] {
            self.module.functions[id.0 as usize].definition = Some((frame.exprs, value));
            return;
        }
        let operands: Vec<ExprId> = binders
            .iter()
            .map(|binder| {
                let ty = frame.exprs.binder(*binder).1.clone();
                frame.push(Expr::Bound(*binder), ty, false)
            })
            .collect();
        let ty = frame.ty(value);
        let applied = frame.push(Expr::Apply(id, operands), ty, false);
        let mut condition = frame.relation(Op::Eq, applied, value);
        if !binders.is_empty() {
            let all = Expr::Quantified(Quantifier::All, binders, condition);
            condition = frame.push(all, ir::Type::Bool, true);
        }
        self.add_axiom(frame.exprs, condition, function.at.span());
    }

    /// The constants that are declared to differ from each other.
    pub(super) fn unique_constants(&mut self) {
        let program = self.program;
        let mut groups: Vec<(TypeId, Vec<FunctionId>)> = Vec::new();
        let mut places = rustc_hash::FxHashMap::default();
        for (index, function) in program.functions.iter().enumerate() {
            if !function.unique {
                continue;
            }
            let Some(id) = self.functions.get(&(index, Box::from([]))).copied() else { continue };
            let place = *places.entry(function.result).or_insert_with(|| {
                groups.push((function.result, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(id);
        }
        for (ty, constants) in groups {
            let shown = self.types.show(ty);
            let ty = self.ty(ty);
            self.make_distinct(&shown, &ty, &constants);
        }
        let literals = std::mem::take(&mut self.real_literals);
        if let Some(first) = literals.first() {
            let ty = self.module.function(*first).result.clone();
            self.make_distinct("real", &ty, &literals);
        }
    }

    /// Says that constants of a type differ: pair by pair, or by numbering them.
    fn make_distinct(&mut self, shown: &str, ty: &ir::Type, constants: &[FunctionId]) {
        if constants.len() <= PAIRWISE_CONSTANTS {
            for (index, a) in constants.iter().enumerate() {
                for b in &constants[..index] {
                    let mut frame = Frame::default();
                    let [a, b] =
                        [*b, *a].map(|id| frame.push(Expr::Apply(id, vec![]), ty.clone(), false));
                    let equal = frame.relation(Op::Eq, a, b);
                    let differ = frame.not(equal);
                    let span = self.module.function(constants[index]).span;
                    self.add_axiom(frame.exprs, differ, span);
                }
            }
            return;
        }
        let word = ir::Type::Bv(32);
        let span = self.module.function(constants[0]).span;
        let name = format!("unique {shown}");
        let number = self.make(&name, std::slice::from_ref(ty), word.clone(), span);
        for (index, constant) in constants.iter().enumerate() {
            let mut frame = Frame::default();
            let constant_value = frame.push(Expr::Apply(*constant, vec![]), ty.clone(), false);
            let found = frame.push(Expr::Apply(number, vec![constant_value]), word.clone(), false);
            let own = frame.push(Expr::Bv(32, index.into()), word.clone(), false);
            let equal = frame.relation(Op::Eq, found, own);
            let span = self.module.function(*constant).span;
            self.add_axiom(frame.exprs, equal, span);
        }
    }
}
