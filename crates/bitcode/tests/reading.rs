//! What a consumer asks of a module, area by area, on the fixtures of both compilers.

use bitcode::{
    AttributeKind, CallKind, ConstantKind, DebugNode, DebugRecordKind, Endianness, Error, Function,
    Instruction, InstructionKind, Linkage, Module, Ordering, ThreadLocal, Type, Value, Visibility,
    decode, decode_all,
};

const CONTROL: [&[u8]; 2] =
    [include_bytes!("inputs/control-15.bc"), include_bytes!("inputs/control-19.bc")];
const DATA: [&[u8]; 2] = [include_bytes!("inputs/data-15.bc"), include_bytes!("inputs/data-19.bc")];

fn each(files: [&[u8]; 2], check: impl Fn(&Module)) {
    for file in files {
        check(&decode(file).expect("a sound fixture"));
    }
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    &module[module.function_named(name).expect("the function")]
}

fn find<T>(function: &Function, pick: impl Fn(&Instruction) -> Option<T>) -> T {
    function.instructions.iter().find_map(pick).expect("the instruction")
}

#[test]
fn identification() {
    let [old, new] = CONTROL.map(|file| decode(file).expect("a sound fixture"));
    assert!(old.producer.starts_with("LLVM15"), "{}", old.producer);
    assert!(new.producer.starts_with("LLVM19"), "{}", new.producer);
    for module in [old, new] {
        assert_eq!(module.triple, "x86_64-pc-linux-gnu");
        assert_eq!(module.source_file, "control.c");
        assert_eq!(module.data_layout.endianness, Endianness::Little);
        assert_eq!(module.data_layout.pointer_bits(0), 64);
    }
}

#[test]
fn structures_are_laid_out_as_in_c() {
    each(DATA, |module| {
        let named = |name: &str| {
            let find =
                |ty: &&Type| ty.as_struct().is_some_and(|body| body.name.as_deref() == Some(name));
            module.types.iter().find(find).and_then(Type::as_struct).expect("the structure")
        };
        assert_eq!(module.field_offsets(named("struct.node")), [0, 8, 16, 24, 40, 44]);
        assert_eq!(module.field_offsets(named("struct.header")), [0, 1, 9]);
        let sizes: Vec<(u64, u64)> = ["struct.node", "struct.header"]
            .iter()
            .map(|name| module.types.iter().position(|ty| ty.as_struct() == Some(named(name))))
            .map(|index| bitcode::TypeId(index.expect("the structure") as u32))
            .map(|id| (module.size_of(id), module.align_of(id)))
            .collect();
        assert_eq!(sizes, [(80, 8), (11, 1)]);
        let extended =
            module.types.iter().position(|ty| *ty == Type::X86Fp80).expect("long double");
        let layout = module.layout(bitcode::TypeId(extended as u32));
        assert_eq!((layout.bits, layout.store_size(), layout.alloc_size()), (80, 10, 16));
    });
}

#[test]
fn globals_and_their_initial_values() {
    each(DATA, |module| {
        let global =
            |name: &str| module.globals.iter().find(|g| &*g.name == name).expect("the global");
        let constant = |name: &str| match global(name).initializer {
            Some(Value::Constant(id)) => &module[id].kind,
            other => panic!("{name} has {other:?}"),
        };
        assert_eq!(
            *constant("text"),
            ConstantKind::String(b"no terminator after this\0".as_slice().into())
        );
        assert_eq!(*constant("primes"), ConstantKind::Data([2, 3, 5, 0xfff9].into()));
        assert_eq!(*constant("wide"), ConstantKind::WideInteger([0, 1 << 36].into()));
        assert_eq!(*constant("tentative"), ConstantKind::Null);
        assert_eq!(*constant("extended"), ConstantKind::Float(0x4000_d000_0000_0000_0000));
        assert_eq!(module.integer(global("per_thread").initializer.expect("a value")), Some(9));
        assert_eq!(global("per_thread").thread_local, ThreadLocal::GeneralDynamic);
        let placed = global("placed");
        assert_eq!(placed.section.as_deref(), Some(".special"));
        assert_eq!(placed.align.map(bitcode::Align::bytes), Some(64));
        assert_eq!(placed.visibility, Visibility::Hidden);
        assert_eq!(global("second").linkage, Linkage::Internal);
        assert!(global(".str").is_constant);

        let ConstantKind::Aggregate(fields) = constant("first") else { panic!("a structure") };
        let Value::Global(second) = fields[0] else { panic!("the address of a global") };
        assert_eq!(&*module[second].name, "second");
        let ConstantKind::Cast { operand: Value::Constant(address), .. } = constant("difference")
        else {
            panic!("an address as a number")
        };
        assert!(matches!(module[*address].kind, ConstantKind::GetElementPtr { .. }));
        assert_eq!(&*module.aliases[0].name, "alias_name");
        assert_eq!(
            Some(module.aliases[0].aliasee),
            module.function_named("alias_target").map(Value::Function)
        );
        assert_eq!(&*module.ifuncs[0].name, "chosen");
    });
}

#[test]
fn branches_and_jumps() {
    each(CONTROL, |module| {
        let cases = find(function(module, "classify"), |i| match &i.kind {
            InstructionKind::Switch { cases, .. } => Some(cases.clone()),
            _ => None,
        });
        let values: Vec<_> =
            cases.iter().map(|&(value, _)| module.integer(value).expect("a number")).collect();
        assert_eq!(values, [0, -5, 7, 8, 9]);

        let sum = function(module, "sum_to");
        assert_eq!(sum.blocks[0].name.as_deref(), Some("entry"));
        assert_eq!(sum.parameters[0].name.as_deref(), Some("n"));
        for (index, block) in (0..).zip(&sum.blocks) {
            let (last, rest) =
                sum.block(bitcode::BlockId(index)).split_last().expect("a terminator");
            assert!(
                last.kind.is_terminator() && !rest.iter().any(|i| i.kind.is_terminator()),
                "{block:?}"
            );
        }
        let targets = find(function(module, "interpret"), |i| match &i.kind {
            InstructionKind::IndirectBranch { targets, .. } => Some(targets.len()),
            _ => None,
        });
        assert_eq!(targets, 3);
        let table =
            module.globals.iter().find(|g| &*g.name == "interpret.table").expect("the table");
        let Some(Value::Constant(id)) = table.initializer else { panic!("an array") };
        let Value::Constant(first) = module[id].kind.operands()[0] else { panic!("an address") };
        assert!(matches!(module[first].kind, ConstantKind::BlockAddress { .. }));
    });
}

#[test]
fn inline_assembly() {
    each(CONTROL, |module| {
        let call = find(function(module, "assembly"), |i| match &i.kind {
            InstructionKind::Call(call) => match call.callee {
                Value::InlineAsm(id) => Some(&module[id]),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(&*call.text, "lea 1($1), $0 # \"quoted\"");
        assert!(call.constraints.starts_with("=r,r,~{memory},~{cc}"), "{}", call.constraints);
        assert!(call.side_effects && !call.intel);
        let targets = find(function(module, "jump_label"), |i| match &i.kind {
            InstructionKind::Call(call) => match &call.kind {
                CallKind::Branch { targets, .. } => Some(targets.len()),
                CallKind::Call { .. } | CallKind::Invoke { .. } => None,
            },
            _ => None,
        });
        assert_eq!(targets, 1);
    });
}

#[test]
fn attributes() {
    each(CONTROL, |module| {
        let of = |name: &str| &module[function(module, name).attributes.expect("attributes")];
        let abort = of("abort").function(module).expect("its own attributes");
        assert!(abort.has(AttributeKind::NoReturn));
        let malloc = of("my_malloc");
        let size = malloc.function(module).and_then(|group| group.alloc_size()).expect("allocsize");
        assert_eq!((size.element_size, size.count), (0, None));
        assert!(malloc.result(module).is_some_and(|group| group.has(AttributeKind::NoAlias)));
        let pure = of("pure");
        let effects = pure.function(module).expect("its own attributes").memory_effects();
        assert!(effects.other.reads && !effects.other.writes && !effects.arguments.writes);
        assert!(pure.parameter(module, 0).is_some_and(|group| group.has(AttributeKind::NoUndef)));
        assert!(pure.parameter(module, 1).is_none());
        let dereference = of("dereference").parameter(module, 0).expect("attributes");
        assert!(dereference.has(AttributeKind::NonNull));
    });
}

#[test]
fn memory_accesses() {
    each(DATA, |module| {
        let atomic = function(module, "atomic");
        let exchange = find(atomic, |i| match &i.kind {
            InstructionKind::CompareExchange { success, failure, weak, .. } => {
                Some((success.ordering, *failure, *weak))
            }
            _ => None,
        });
        assert_eq!(exchange, (Ordering::AcqRel, Ordering::Monotonic, true));
        let scope = find(atomic, |i| match &i.kind {
            InstructionKind::Fence(atomic) => Some(atomic.scope),
            _ => None,
        });
        assert_eq!(module.sync_scope(scope), "singlethread");
        let volatile = |i: &&Instruction| {
            matches!(
                i.kind,
                InstructionKind::Load { volatile: true, .. }
                    | InstructionKind::Store { volatile: true, .. }
            )
        };
        assert_eq!(atomic.instructions.iter().filter(volatile).count(), 2);
    });
}

#[test]
fn operands_know_their_types() {
    each(DATA, |module| {
        for function in &module.functions {
            for instruction in &function.instructions {
                if let InstructionKind::Binary { left, right, .. } = instruction.kind {
                    for operand in [left, right] {
                        assert_eq!(module.type_of(operand, Some(function)), Some(instruction.ty));
                    }
                }
            }
        }
    });
}

#[test]
fn variables_in_both_debug_forms() {
    each(DATA, |module| {
        let walk = function(module, "walk");
        let metadata = &module.metadata;
        let mut seen = Vec::new();
        for (_, record) in walk.variable_records(module) {
            let variable = metadata.local_variable(record.variable).expect("a variable");
            let DebugRecordKind::Declare { address, .. } = record.kind else {
                panic!("a declaration")
            };
            let Some(Value::Instruction(alloca)) = metadata.value(address) else {
                panic!("an address")
            };
            assert!(matches!(
                walk.instructions[alloca.index()].kind,
                InstructionKind::Alloca { .. }
            ));
            seen.push((metadata.text(variable.name), variable.argument, variable.line));
        }
        assert_eq!(seen, [("list", 1, 40), ("count", 0, 41), ("n", 0, 42)]);
    });
}

#[test]
fn source_locations() {
    each(DATA, |module| {
        let walk = function(module, "walk");
        let subprogram = walk.subprogram(module).expect("a subprogram");
        assert_eq!(module.metadata.subprogram(subprogram).map(|s| s.line), Some(40));
        let location = walk.instructions.last().and_then(|i| i.location).expect("a location");
        let scope = location.scope.expect("a scope");
        assert_eq!((location.line, location.column), (47, 5));
        assert_eq!(module.metadata.subprogram_of(scope), Some(subprogram));
        let file = module.metadata.file_of(scope).expect("a file");
        assert_eq!(module.metadata.path(file), "/inputs/data.c");
    });
}

#[test]
fn types_of_the_source() {
    each(DATA, |module| {
        let metadata = &module.metadata;
        let named = |name: &str| {
            let found = metadata.iter().find_map(|(_, node)| match node {
                DebugNode::CompositeType(ty) if metadata.text(ty.name) == name => Some(ty),
                _ => None,
            });
            found.expect("the type")
        };
        let node = named("node");
        assert_eq!(node.size, 80 * 8);
        let members: Vec<(&str, u64, u64, bool)> = metadata
            .tuple(node.elements)
            .iter()
            .filter_map(|id| match metadata.get((*id)?)? {
                DebugNode::DerivedType(m) => {
                    Some((metadata.text(m.name), m.offset, m.size, m.is_bit_field()))
                }
                _ => None,
            })
            .collect();
        assert_eq!(
            members[2..5],
            [("flag", 128, 1, true), ("kind", 129, 6, true), ("rest", 135, 25, true)]
        );
        let colours = metadata.tuple(named("colour").elements);
        let values: Vec<(&str, i64)> = colours
            .iter()
            .filter_map(|id| match metadata.get((*id)?)? {
                DebugNode::Enumerator(e) => Some((metadata.text(e.name), e.value)),
                _ => None,
            })
            .collect();
        assert_eq!(values, [("RED", 0), ("GREEN", -3), ("BLUE", 1 << 20)]);
        let list = metadata.iter().find_map(|(_, node)| match node {
            DebugNode::LocalVariable(v) if metadata.text(v.name) == "list" => v.ty,
            _ => None,
        });
        let Some(DebugNode::DerivedType(pointer)) = list.and_then(|id| metadata.get(id)) else {
            panic!("a pointer")
        };
        let pointee =
            metadata.unqualified(pointer.base.expect("a pointee")).and_then(|id| metadata.get(id));
        assert!(matches!(pointee, Some(DebugNode::CompositeType(ty)) if ty == node));
    });
}

#[test]
fn macros() {
    each(DATA, |module| {
        let metadata = &module.metadata;
        let found = metadata.iter().any(|(_, node)| match node {
            DebugNode::Macro(m) => {
                metadata.text(m.name) == "SQUARE(x)"
                    && metadata.text(m.value) == "((x) * (x))"
                    && m.line == 5
            }
            _ => false,
        });
        assert!(found);
    });
}

#[test]
fn a_wrapper_is_removed() {
    let plain = decode(CONTROL[1]).expect("a sound fixture");
    let words = [0x0b17_c0de, 0, 20, CONTROL[1].len() as u32, 0x0100_0007];
    let mut wrapped: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    wrapped.extend_from_slice(CONTROL[1]);
    wrapped.extend_from_slice(&[0; 12]);
    assert_eq!(decode(&wrapped), Ok(plain));
    assert_eq!(decode(&wrapped[..200]), Err(Error::Truncated { byte: 200 }));
}

#[test]
fn several_modules() {
    let joined = [CONTROL[1], &DATA[0][4..]].concat();
    let modules = decode_all(&joined).expect("two sound modules");
    let names: Vec<&str> = modules.iter().map(|module| module.source_file.as_str()).collect();
    assert_eq!(names, ["control.c", "data.c"]);
    assert_eq!(decode(&joined), Err(Error::SeveralModules { count: 2 }));
}

#[test]
fn errors_are_sentences() {
    let error =
        Error::Unsupported { byte: 9, block: "function", code: 99, producer: "LLVM99".into() };
    assert_eq!(
        error.to_string(),
        "unsupported record 99 in a function block near byte 9 (written by LLVM99; clang 15 to 19 are supported)"
    );
}
