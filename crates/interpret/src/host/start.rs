//! The start state of a program: standard streams, and the arguments of `main`.

use ir::address::{ENVIRONMENT, address};
use ir::{Mode, Module, ProcedureId, Storage, Type};

use crate::limits::PROGRAM_ARGUMENTS;
use crate::{Bytes, Inputs, NewObject, Pointer, Value, Word};

/// The objects of the streams.
pub(crate) const OUTPUT: u64 = ENVIRONMENT;
pub(crate) const ERROR: u64 = ENVIRONMENT + 1;
const INPUT: u64 = ENVIRONMENT + 2;

/// The list of arguments; they come behind it.
const LIST: u64 = ENVIRONMENT + 3;

/// The inputs of an execution of `main`: its arguments, of which the first is the program's name, and the
/// streams. None if there are too many arguments.
pub fn start(module: &Module, main: ProcedureId, arguments: &[Vec<u8>]) -> Option<Inputs> {
    let mut inputs = Inputs::default();
    let mut memory = Bytes::default();
    let strings = arguments.iter().map(|argument| argument.len() as u64 + 1);
    let list = 8 * (arguments.len() as u64 + 1);
    if arguments.len() > PROGRAM_ARGUMENTS {
        return None;
    }
    for (number, size) in (OUTPUT..).zip([1, 1, 1, list].into_iter().chain(strings)) {
        let object = NewObject::new(size, Storage::Environment);
        inputs.objects.push(object.numbered(number));
    }
    for (number, argument) in (0..).zip(arguments) {
        let string = LIST + 1 + number;
        memory.write(LIST, 8 * number, &address(string, 0).to_le_bytes());
        memory.write(string, 0, argument);
        memory.write(string, argument.len() as u64, &[0]);
    }
    memory.write(LIST, 8 * arguments.len() as u64, &[0; 8]);
    for (number, object) in (1..).zip(&module.objects) {
        let stream = match &*module.function(object.address).name {
            "stdout" => OUTPUT,
            "stderr" => ERROR,
            "stdin" => INPUT,
            _ => continue,
        };
        if object.contents.is_none() {
            memory.write(number, 0, &address(stream, 0).to_le_bytes());
        }
    }
    let procedure = module.procedure(main);
    for (position, id) in procedure.locals_with(Mode::Parameter).enumerate() {
        inputs.parameters.push(match (&procedure.local(id).ty, position) {
            (Type::Bv(width), 0) => Some(Value::Bv(Word::new(*width, arguments.len() as u64))),
            (Type::Ptr, 1) => Some(Value::Ptr(Pointer::to(LIST))),
            _ => None,
        });
    }
    if let Some(id) = module.globals.iter().position(|global| global.ty == Type::Bytes) {
        inputs.globals.insert(ir::GlobalId(id as u32), Value::Bytes(memory));
    }
    Some(inputs)
}
