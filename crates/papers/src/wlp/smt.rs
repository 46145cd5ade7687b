//! Formulas in SMT-LIB 2.
//!
//! F_Bdef is asserted once; then there is one query for each condition, for a counterexample: `unsat` means
//! that it is valid, and its points are doomed (§6, *Faster Theorem Prover Interaction*). Maps are arrays,
//! from the first key to an array from the second.
//!
//! Symbols are made so that no two are the same: incarnations end with `#` and a number, everything
//! else with a dot and what it is.

mod operators;

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write as _};

use ir::{
    Binder, Expr, ExprId, Exprs, FunctionId, Local, LocalId, Module, Op, Quantifier, SortId, Type,
    Variable,
};
use num_bigint::BigInt;

use crate::wlp::formulas::Formulas;
use crate::wlp::shared::Shared;

/// Something that SMT-LIB has no simple word for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inexpressible {
    what: String,
}

impl Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SMT-LIB cannot say this simply: the procedure uses {}", self.what)
    }
}

impl std::error::Error for Inexpressible {}

fn unsayable<T>(what: impl Into<String>) -> Result<T, Inexpressible> {
    Err(Inexpressible { what: what.into() })
}

impl Formulas<'_> {
    /// These formulas as a script; a function prints source locations.
    ///
    /// # Errors
    /// If they use something that the theories of SMT-LIB lack: sequences, records, unions, pointers, memory,
    /// relations, comprehensions.
    pub fn smt(&self, place: &dyn Fn(ir::Span) -> String) -> Result<String, Inexpressible> {
        let mut script = Script {
            module: self.module,
            locals: &self.passive.locals,
            declared: String::new(),
            body: String::new(),
        };
        let roots = self.definitions.iter().flat_map(|definition| &definition.hypotheses);
        let roots: Vec<ExprId> = roots.copied().collect();
        let mentioned = Symbols::of(self, &roots);
        script.declare(self, &mentioned)?;
        for &id in &mentioned.functions {
            script.function(id)?;
        }
        for (number, axiom) in self.module.axioms.iter().enumerate() {
            let shared = Shared::new(&axiom.exprs, [axiom.condition]);
            let arena =
                Arena { exprs: &axiom.exprs, shared: &shared, prefix: format!("a{number}.") };
            script.names(&arena)?;
            let condition = script.expr(&arena, axiom.condition)?;
            let _ = writeln!(script.body, "(assert {condition})");
        }
        let exprs = &self.passive.exprs;
        let shared = Shared::new(exprs, roots);
        let arena = Arena { exprs, shared: &shared, prefix: String::new() };
        script.names(&arena)?;
        script.definitions(self, &arena)?;
        script.conditions(self, place);
        let name = self.passive.display.as_deref().unwrap_or(&self.passive.name);
        let name = name.replace(['\n', '\r'], " ");
        let Script { declared, body, .. } = script;
        Ok(format!("; error verification conditions of {name}\n(set-logic ALL)\n{declared}{body}"))
    }
}

/// The symbols of formulas.
struct Symbols {
    locals: BTreeSet<LocalId>,
    /// Each after those that its definition uses.
    functions: Vec<FunctionId>,
}

impl Symbols {
    fn of(formulas: &Formulas<'_>, roots: &[ExprId]) -> Symbols {
        let mut locals: BTreeSet<LocalId> =
            formulas.conditions.iter().map(|condition| condition.reached).collect();
        let mut functions = Vec::new();
        let mut used = BTreeSet::new();
        for_each(&formulas.passive.exprs, roots, |expr| {
            if let Expr::Read(Variable::Local(id)) = expr {
                locals.insert(*id);
            }
            if let Expr::Apply(function, _) = expr {
                used.insert(*function);
            }
        });
        for axiom in &formulas.module.axioms {
            used.extend(applied(&axiom.exprs, axiom.condition));
        }
        // Definitions are not recursive, so going below each function ends.
        let mut pending: Vec<(FunctionId, bool)> = used.into_iter().map(|id| (id, false)).collect();
        while let Some((id, is_below)) = pending.pop() {
            if functions.contains(&id) {
                continue;
            }
            match &formulas.module.function(id).definition {
                Some((exprs, body)) if !is_below => {
                    pending.push((id, true));
                    pending.extend(applied(exprs, *body).into_iter().map(|id| (id, false)));
                }
                Some(_) | None => functions.push(id),
            }
        }
        Symbols { locals, functions }
    }
}

fn applied(exprs: &Exprs, root: ExprId) -> BTreeSet<FunctionId> {
    let mut functions = BTreeSet::new();
    for_each(exprs, &[root], |expr| {
        if let Expr::Apply(function, _) = expr {
            functions.insert(*function);
        }
    });
    functions
}

fn for_each(exprs: &Exprs, roots: &[ExprId], mut visit: impl FnMut(&Expr)) {
    let mut seen = vec![false; exprs.len()];
    let mut pending = roots.to_vec();
    while let Some(id) = pending.pop() {
        if !std::mem::replace(&mut seen[id.0 as usize], true) {
            visit(exprs.get(id));
            pending.extend(exprs.get(id).operands());
        }
    }
}

/// Expressions while they are printed.
struct Arena<'a> {
    exprs: &'a Exprs,
    shared: &'a Shared,
    /// The prefix that distinguishes names of its expressions from those of other arenas.
    prefix: String,
}

impl Arena<'_> {
    fn bound(&self, binder: Binder) -> String {
        format!("|{}{}.bound|", self.prefix, binder.0)
    }

    fn named(&self, number: u32) -> String {
        format!("|{}{number}.e|", self.prefix)
    }
}

/// A pending printing task, last first.
enum PrintTask {
    Text(String),
    Expr(ExprId),
}

struct Script<'m> {
    module: &'m Module,
    locals: &'m [Local],
    declared: String,
    body: String,
}

impl Script<'_> {
    /// Declares sorts and variables.
    fn declare(
        &mut self,
        formulas: &Formulas<'_>,
        mentioned: &Symbols,
    ) -> Result<(), Inexpressible> {
        for number in 0..self.module.sorts.len() as u32 {
            let sort = self.sort_name(SortId(number));
            let null = self.null(SortId(number));
            let _ =
                writeln!(self.declared, "(declare-sort {sort} 0)\n(declare-const {null} {sort})");
        }
        for &id in &mentioned.locals {
            let local = formulas.passive.local(id);
            let sort = self.sort(&local.ty)?;
            let _ = writeln!(self.declared, "(declare-const {} {sort})", self.local(id));
        }
        Ok(())
    }

    fn local(&self, id: LocalId) -> String {
        symbol(&self.locals[id.0 as usize].name, "").unwrap_or_else(|| format!("|{}.v|", id.0))
    }

    fn function(&mut self, id: FunctionId) -> Result<(), Inexpressible> {
        let function = self.module.function(id);
        let name = self.function_name(id);
        let result = self.sort(&function.result)?;
        let Some((exprs, body)) = &function.definition else {
            let sorts: Result<Vec<String>, _> =
                function.parameters.iter().map(|(_, ty)| self.sort(ty)).collect();
            let sorts = sorts?.join(" ");
            let _ = writeln!(self.body, "(declare-fun {name} ({sorts}) {result})");
            return Ok(());
        };
        let shared = Shared::new(exprs, [*body]);
        let arena = Arena { exprs, shared: &shared, prefix: format!("f{}.", id.0) };
        self.names(&arena)?;
        let parameters: Vec<Binder> = (0..function.parameters.len() as u32).map(Binder).collect();
        let parameters = self.binders(&arena, &parameters)?;
        let body = self.expr(&arena, *body)?;
        let _ = writeln!(self.body, "(define-fun {name} ({parameters}) {result} {body})");
        Ok(())
    }

    /// Defines the expressions that have names.
    fn names(&mut self, arena: &Arena<'_>) -> Result<(), Inexpressible> {
        for (number, &id) in (1..).zip(arena.shared.named()) {
            let parameters = self.binders(arena, arena.shared.free(id))?;
            let sort = self.sort(arena.exprs.ty(id))?;
            let value = self.written(arena, self.parts(arena, id)?)?;
            let name = arena.named(number);
            let _ = writeln!(self.body, "(define-fun {name} ({parameters}) {sort} {value})");
        }
        Ok(())
    }

    fn definitions(
        &mut self,
        formulas: &Formulas<'_>,
        arena: &Arena<'_>,
    ) -> Result<(), Inexpressible> {
        for definition in &formulas.definitions {
            let name = block(formulas, definition.block);
            let _ = writeln!(self.body, "(declare-const {name} Bool)");
        }
        for definition in &formulas.definitions {
            let name = block(formulas, definition.block);
            let _ = write!(self.body, "(assert (= {name} (=>");
            for &hypothesis in &definition.hypotheses {
                let hypothesis = self.expr(arena, hypothesis)?;
                let _ = write!(self.body, " {hypothesis}");
            }
            let then = definition.then.iter().map(|&id| block(formulas, id));
            let then: Vec<String> = then.collect();
            let then = match &then[..] {
                [] => "false".to_owned(),
                [one] => one.clone(),
                many => format!("(and {})", many.join(" ")),
            };
            // An implication has two sides at least.
            let nothing = if definition.hypotheses.is_empty() { " true" } else { "" };
            let _ = writeln!(self.body, "{nothing} {then})))");
        }
        Ok(())
    }

    fn conditions(&mut self, formulas: &Formulas<'_>, place: &dyn Fn(ir::Span) -> String) {
        let start = block(formulas, formulas.definitions[0].block);
        for condition in &formulas.conditions {
            let reached = self.local(condition.reached);
            let sites = condition.sites.iter().map(|site| {
                let side = match site.side {
                    None => "",
                    Some(true) => " true",
                    Some(false) => " false",
                };
                format!("{}{side}", place(site.span))
            });
            let sites = sites.collect::<Vec<_>>().join(", ").replace(['\n', '\r'], " ");
            let _ = writeln!(
                self.body,
                "; {sites}\n(push 1)\n(assert (not (=> (not {reached}) {start})))\n(check-sat)\n(pop 1)"
            );
        }
    }

    fn sort(&self, ty: &Type) -> Result<String, Inexpressible> {
        Ok(match ty {
            Type::Bool => "Bool".to_owned(),
            Type::Int => "Int".to_owned(),
            Type::Bv(width) => format!("(_ BitVec {width})"),
            Type::Sort(id) => self.sort_name(*id),
            Type::Map(keys, value) => {
                let mut sort = self.sort(value)?;
                for key in keys.iter().rev() {
                    sort = format!("(Array {} {sort})", self.sort(key)?);
                }
                sort
            }
            Type::Ptr => return unsayable("pointers"),
            Type::Seq(_) => return unsayable("sequences"),
            Type::Record(_) => return unsayable("records"),
            Type::Variant(_) => return unsayable("tagged unions"),
            Type::Bytes => return unsayable("byte memory"),
        })
    }

    fn sort_name(&self, id: SortId) -> String {
        let name = &self.module.sorts[id.0 as usize];
        symbol(name, ".sort").unwrap_or_else(|| format!("|{}.sort.number|", id.0))
    }

    fn null(&self, id: SortId) -> String {
        let name = &self.module.sorts[id.0 as usize];
        symbol(name, ".null").unwrap_or_else(|| format!("|{}.null.number|", id.0))
    }

    fn function_name(&self, id: FunctionId) -> String {
        let name = &self.module.function(id).name;
        symbol(name, ".fn").unwrap_or_else(|| format!("|{}.fn.number|", id.0))
    }

    fn binders(&self, arena: &Arena<'_>, binders: &[Binder]) -> Result<String, Inexpressible> {
        let declared: Result<Vec<String>, _> = binders
            .iter()
            .map(|&binder| {
                let sort = self.sort(arena.exprs.binder(binder).1)?;
                Ok(format!("({} {sort})", arena.bound(binder)))
            })
            .collect();
        Ok(declared?.join(" "))
    }

    fn expr(&self, arena: &Arena<'_>, id: ExprId) -> Result<String, Inexpressible> {
        self.written(arena, vec![PrintTask::Expr(id)])
    }

    fn written(&self, arena: &Arena<'_>, parts: Vec<PrintTask>) -> Result<String, Inexpressible> {
        let mut out = String::new();
        let mut work = parts;
        work.reverse();
        while let Some(next) = work.pop() {
            match next {
                PrintTask::Text(text) => out.push_str(&text),
                PrintTask::Expr(id) => match arena.shared.name(id) {
                    Some(number) => out.push_str(&self.reference(arena, id, number)),
                    None => work.extend(self.parts(arena, id)?.into_iter().rev()),
                },
            }
        }
        Ok(out)
    }

    fn reference(&self, arena: &Arena<'_>, id: ExprId, number: u32) -> String {
        let name = arena.named(number);
        let free = arena.shared.free(id).iter().map(|&binder| format!(" {}", arena.bound(binder)));
        match free.collect::<String>() {
            arguments if arguments.is_empty() => name,
            arguments => format!("({name}{arguments})"),
        }
    }

    /// The parts of an expression.
    fn parts(&self, arena: &Arena<'_>, id: ExprId) -> Result<Vec<PrintTask>, Inexpressible> {
        let one = |text: String| Ok(vec![PrintTask::Text(text)]);
        match arena.exprs.get(id) {
            Expr::Bool(value) => one(value.to_string()),
            Expr::Int(value) if *value < BigInt::from(0) => one(format!("(- {})", -value)),
            Expr::Int(value) => one(value.to_string()),
            Expr::Bv(width, value) => one(operators::word(value, *width)),
            Expr::Null(Type::Sort(sort)) => one(self.null(*sort)),
            Expr::Null(_) => unsayable("pointers"),
            Expr::Read(Variable::Local(local)) => one(self.local(*local)),
            Expr::Read(Variable::Global(_)) | Expr::Old(_) => {
                unreachable!("a passive form has neither global variables nor `old`")
            }
            Expr::Bound(binder) => one(arena.bound(*binder)),
            Expr::Op(op, operands) => self.op(arena, op, operands, arena.exprs.ty(id)),
            Expr::Apply(function, arguments) => {
                let name = self.function_name(*function);
                Ok(match arguments.is_empty() {
                    true => vec![PrintTask::Text(name)],
                    false => operators::call(&name, arguments),
                })
            }
            Expr::Quantified(quantifier, binders, body) => {
                let word = match quantifier {
                    Quantifier::All => "forall",
                    Quantifier::Some => "exists",
                };
                let binders = self.binders(arena, binders)?;
                let close = PrintTask::Text(")".to_owned());
                Ok(vec![
                    PrintTask::Text(format!("({word} ({binders}) ")),
                    PrintTask::Expr(*body),
                    close,
                ])
            }
            Expr::Lambda(..) => unsayable("comprehensions"),
        }
    }

    fn op(
        &self,
        arena: &Arena<'_>,
        op: &Op,
        operands: &[ExprId],
        ty: &Type,
    ) -> Result<Vec<PrintTask>, Inexpressible> {
        match op {
            Op::Select => Ok(selected(operands[0], &operands[1..])),
            Op::Store => {
                let last = operands.len() - 1;
                Ok(store(operands[0], &operands[1..last], operands[last]))
            }
            Op::ConstMap(_) => {
                let Type::Map(keys, value) = ty else { return unsayable("maps of no map type") };
                let (mut open, mut sort) = (String::new(), self.sort(value)?);
                for key in keys.iter().rev() {
                    sort = format!("(Array {} {sort})", self.sort(key)?);
                    open.insert_str(0, &format!("((as const {sort}) "));
                }
                Ok(vec![
                    PrintTask::Text(open),
                    PrintTask::Expr(operands[0]),
                    PrintTask::Text(")".repeat(keys.len())),
                ])
            }
            _ => operators::parts(op, operands, arena.exprs.ty(operands[0])),
        }
    }
}

/// A map changed at several keys: the map within at the first key, changed at the others.
fn store(map: ExprId, keys: &[ExprId], value: ExprId) -> Vec<PrintTask> {
    if let [key] = keys {
        return operators::call("store", &[map, *key, value]);
    }
    let mut parts = vec![text("(let ((?m "), PrintTask::Expr(map), text(")")];
    for (number, &key) in keys.iter().enumerate() {
        parts.extend([PrintTask::Text(format!(" (?k{number} ")), PrintTask::Expr(key), text(")")]);
    }
    parts.extend([text(" (?v "), PrintTask::Expr(value), text(")) ")]);
    let mut within = "?m".to_owned();
    for number in 0..keys.len() {
        parts.push(PrintTask::Text(format!("(store {within} ?k{number} ")));
        within = format!("(select {within} ?k{number})");
    }
    parts.push(PrintTask::Text(format!("?v{})", ")".repeat(keys.len()))));
    parts
}

fn selected(map: ExprId, keys: &[ExprId]) -> Vec<PrintTask> {
    let mut parts = vec![PrintTask::Text("(select ".repeat(keys.len())), PrintTask::Expr(map)];
    for &key in keys {
        parts.extend([text(" "), PrintTask::Expr(key), text(")")]);
    }
    parts
}

fn text(text: &str) -> PrintTask {
    PrintTask::Text(text.to_owned())
}

fn block(formulas: &Formulas<'_>, id: ir::BlockId) -> String {
    symbol(formulas.label(id), ".B").unwrap_or_else(|| format!("|{}.B.number|", id.0))
}

/// A symbol of SMT-LIB that ends like this, if a name can be one.
fn symbol(name: &str, end: &str) -> Option<String> {
    let can_be = |c: char| c != '|' && c != '\\' && !c.is_control();
    name.chars().all(can_be).then(|| format!("|{name}{end}|"))
}
