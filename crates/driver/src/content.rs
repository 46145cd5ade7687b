//! Keys of procedures by content, whatever file they were lowered from.
//!
//! A header function is in every file that includes the header and calls it. Two procedures are the same if their
//! texts, their places and everything that they may call or refer to are the same. One of them is checked.
//!
//! The summary of a procedure depends on less, apart from the summaries of its callees: its own text, places relative
//! to its start, and the variables that it refers to ([`bodies`]).

use std::collections::BTreeSet;

use ir::{Content, Expr, ExprId, FunctionId, Module, Origin, Procedure, ProcedureId, Span};

/// The key of a procedure: equal for those that are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key([u8; 32]);

/// The keys of the procedures of a valid module that have a body.
pub(crate) fn keys(module: &mut Module) -> Vec<Option<Key>> {
    let names = name_by_content(module);
    let keys = keys_of_named(module);
    for (number, name) in names {
        module.functions[number].name = name;
    }
    keys
}

/// Renames constants that a compiler numbers, such as string literals, by their content. Returns their old names.
fn name_by_content(module: &mut Module) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for object in module.objects.iter().filter(|object| object.constant) {
        let number = object.address.0 as usize;
        // C has no such names.
        if module.functions[number].name.contains('.') {
            let contents = format!("{:?}", object.contents);
            let name = blake3::hash(contents.as_bytes()).to_hex().to_string();
            names.push((number, std::mem::replace(&mut module.functions[number].name, name)));
        }
    }
    names
}

/// The digests of the bodies of a valid module's procedures, without their callees.
pub(crate) fn bodies(module: &Module) -> Vec<Option<[u8; 32]>> {
    let text = ir::print_brief(module);
    let texts = split(&text);
    if texts.len() != module.procedures.len() {
        return vec![None; module.procedures.len()];
    }
    let functions: Vec<Node> =
        (0..module.functions.len()).map(|number| function_node(module, number)).collect();
    let body = |(procedure, text): (&Procedure, &str)| {
        procedure.blocks.as_ref()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&procedure_key(module, procedure, text, procedure.span.start));
        let mut reached = BTreeSet::new();
        let mut ahead: Vec<Used> = procedure_uses(procedure).into_iter().collect();
        while let Some(used) = ahead.pop() {
            match used {
                Used::Procedure(id) => {
                    let callee = module.procedure(id);
                    let locals = callee.locals.iter().map(|local| (&local.ty, local.mode));
                    let named: Vec<_> =
                        locals.filter(|(_, mode)| *mode != ir::Mode::Local).collect();
                    let signature = (&callee.name, named, &callee.contract.modifies);
                    hasher.update(format!("{signature:?}").as_bytes());
                }
                Used::Function(id) => {
                    let number = id.0 as usize;
                    if number < functions.len() && reached.insert(number) {
                        ahead.extend(functions[number].uses.iter().copied());
                    }
                }
            }
        }
        let mut all: Vec<[u8; 32]> = reached.iter().map(|&number| functions[number].key).collect();
        all.sort_unstable();
        for key in &all {
            hasher.update(key);
        }
        Some(*hasher.finalize().as_bytes())
    };
    module.procedures.iter().zip(texts).map(body).collect()
}

fn keys_of_named(module: &Module) -> Vec<Option<Key>> {
    let text = ir::print_brief(module);
    let texts = split(&text);
    if texts.len() != module.procedures.len() {
        return vec![None; module.procedures.len()];
    }
    let procedures = module.procedures.iter().zip(texts).map(|(procedure, text)| Node {
        key: procedure_key(module, procedure, text, 0),
        uses: procedure_uses(procedure),
    });
    let functions = (0..module.functions.len()).map(|number| function_node(module, number));
    let nodes: Vec<Node> = procedures.chain(functions).collect();
    let first_function = module.procedures.len();
    let number = |used: &Used| match used {
        Used::Procedure(id) => id.0 as usize,
        Used::Function(id) => first_function + id.0 as usize,
    };
    let key = |(start, procedure): (usize, &Procedure)| {
        procedure.blocks.as_ref()?;
        let mut reached = BTreeSet::from([start]);
        let mut ahead = vec![start];
        while let Some(next) = ahead.pop() {
            let used = nodes[next].uses.iter().map(number);
            ahead.extend(used.filter(|&used| used < nodes.len() && reached.insert(used)));
        }
        let mut all: Vec<[u8; 32]> = reached.iter().map(|&number| nodes[number].key).collect();
        all.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&nodes[start].key);
        for key in &all {
            hasher.update(key);
        }
        Some(Key(*hasher.finalize().as_bytes()))
    };
    module.procedures.iter().enumerate().map(key).collect()
}

/// A procedure or function: its own text, and its references.
struct Node {
    key: [u8; 32],
    uses: BTreeSet<Used>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    Procedure(ProcedureId),
    Function(FunctionId),
}

/// The texts of procedures in that of a module. Only what declares begins at the start of a line.
fn split(text: &str) -> Vec<&str> {
    const START: &str = "proc ";
    let within = text.match_indices("\nproc ").map(|(at, _)| at + 1);
    let starts: Vec<usize> =
        text.starts_with(START).then_some(0).into_iter().chain(within).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| text[start..end].trim_end()).collect()
}

/// The text of a procedure with the places of its parts; those in its own file are relative to `origin`.
fn procedure_key(module: &Module, procedure: &Procedure, text: &str, origin: u32) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    for (point, written) in &procedure.places {
        hasher.update(&point.0.to_le_bytes()).update(written.text.as_bytes()).update(&[0]);
    }
    let mut place = |span: Span| {
        let path = module.files.get(span.file.0 as usize).map_or("", |file| &file.path);
        hasher.update(&[0]).update(path.as_bytes()).update(&[0]);
        let origin = if span.file == procedure.span.file { origin } else { 0 };
        for at in [span.start, span.end] {
            hasher.update(&at.wrapping_sub(origin).to_le_bytes());
        }
    };
    place(procedure.span);
    let contract = &procedure.contract;
    let ensures = contract.ensures.iter().map(|ensures| &ensures.clause);
    contract.requires.iter().chain(ensures).for_each(|clause| place(clause.span));
    for block in procedure.blocks.iter().flatten() {
        let statements = block.statements.iter().map(|one| (one.span, one.origin));
        for (span, origin) in statements.chain([(block.terminator.span, block.terminator.origin)]) {
            place(span);
            match origin {
                Origin::Macro(span) => place(span),
                Origin::Source | Origin::Inlined(_) | Origin::Synthetic => {}
            }
        }
    }
    *hasher.finalize().as_bytes()
}

fn procedure_uses(procedure: &Procedure) -> BTreeSet<Used> {
    let mut uses: BTreeSet<Used> = procedure.callees().map(Used::Procedure).collect();
    for number in 0..procedure.exprs.len() {
        if let Expr::Apply(function, ..) = procedure.exprs.get(ExprId(number as u32)) {
            uses.insert(Used::Function(*function));
        }
    }
    uses
}

/// A function, which is a static object of C if it is the address of one.
fn function_node(module: &Module, number: usize) -> Node {
    let function = &module.functions[number];
    let mut hasher = blake3::Hasher::new();
    let mut uses = BTreeSet::new();
    hasher.update(function.name.as_bytes());
    hasher.update(format!("{:?} {:?}", function.result, function.definition).as_bytes());
    if let Some(position) = module.object_at(FunctionId(number as u32)) {
        let object = &module.objects[position];
        hasher.update(&object.size.to_le_bytes()).update(&[u8::from(object.constant)]);
        for (offset, content) in object.contents.iter().flatten() {
            hasher.update(&offset.to_le_bytes());
            match content {
                Content::Bytes(bytes) => {
                    hasher.update(bytes);
                }
                Content::Address(to, distance) => {
                    hasher.update(&distance.to_le_bytes());
                    uses.insert(Used::Function(*to));
                }
            }
        }
    }
    Node { key: *hasher.finalize().as_bytes(), uses }
}
