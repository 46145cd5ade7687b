//! What a program starts with: standard streams, and the arguments of `main`.

use interpret::{Bytes, Inputs, NewObject, Value, Word};
use ir::{Mode, Module, ProcedureId, Storage, Type};

/// The objects that stand for the streams, which are numbered as Unix numbers its files.
pub(crate) const OUTPUT: u64 = 1;
pub(crate) const ERROR: u64 = 2;
const INPUT: u64 = 3;

/// Objects made here are so many bytes apart, from the first on. Those of the program lie above.
const FIRST: u64 = 0x1_0000;
const ROOM: u64 = 0x1_0000;

fn address(object: u64) -> u64 {
    FIRST + object * ROOM
}

/// The inputs of a run of `main`: its arguments, of which the first is the program's name, and the
/// streams. None if there are too many arguments.
pub fn start(module: &Module, main: ProcedureId, arguments: &[Vec<u8>]) -> Option<Inputs> {
    let mut inputs = Inputs::default();
    let mut memory = Bytes::default();
    let strings = arguments.iter().map(|argument| argument.len() as u64 + 1);
    let list = 8 * (arguments.len() as u64 + 1);
    for (number, size) in (1..).zip([1, 1, 1, list].into_iter().chain(strings)) {
        if size >= ROOM || number > 4_000 {
            return None;
        }
        let object = NewObject::new(size, Storage::Environment);
        inputs.objects.push(NewObject { address: Some(address(number)), ..object });
    }
    let list = 4;
    for (number, argument) in (0u64..).zip(arguments) {
        memory.write(list, 8 * number, &address(list + 1 + number).to_le_bytes());
        memory.write(list + 1 + number, 0, argument);
        memory.write(list + 1 + number, argument.len() as u64, &[0]);
    }
    memory.write(list, 8 * arguments.len() as u64, &[0; 8]);
    // Static objects are numbered behind those that the run is given.
    for (number, object) in (inputs.objects.len() as u64 + 1..).zip(&module.objects) {
        let stream = match &*module.function(object.address).name {
            "stdout" => OUTPUT,
            "stderr" => ERROR,
            "stdin" => INPUT,
            _ => continue,
        };
        if object.contents.is_none() {
            memory.write(number, 0, &address(stream).to_le_bytes());
        }
    }
    let procedure = module.procedure(main);
    for (position, id) in procedure.locals_with(Mode::Parameter).enumerate() {
        inputs.parameters.push(match (&procedure.local(id).ty, position) {
            (Type::Bv(width), 0) => Some(Value::Bv(Word::new(*width, arguments.len() as u64))),
            (Type::Ptr, 1) => Some(Value::Ptr(interpret::Pointer::to(list))),
            _ => None,
        });
    }
    if let Some(id) = module.globals.iter().position(|global| global.ty == Type::Bytes) {
        inputs.globals.insert(ir::GlobalId(id as u32), Value::Bytes(memory));
    }
    Some(inputs)
}
