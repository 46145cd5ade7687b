//! The shared state of a module's functions during lowering.

use bitcode::TypeId;
use ir::{FunctionId, ProcedureId, RecordId, Span, Type};
use rustc_hash::FxHashMap;

use crate::form::Forms;
use crate::names::Names;
use crate::source::Files;
use crate::types::MappedType;

/// The VIR variable that is the memory of C.
pub(crate) const MEMORY: ir::GlobalId = ir::GlobalId(0);

/// A module during lowering from bitcode to VIR.
pub(crate) struct Context<'m> {
    pub(crate) source: &'m bitcode::Module,
    pub(crate) module: ir::Module,
    pub(crate) files: Files<'m>,
    /// By bitcode's number of the type.
    pub(crate) types: Vec<Option<MappedType>>,
    pub(crate) opaque: Option<RecordId>,
    pub(crate) record_names: Names,
    /// Names of functions and state variables of VIR, which share a name space.
    pub(crate) names: Names,
    /// The addresses of global variables, by bitcode's number.
    pub(crate) globals: Vec<FunctionId>,
    /// The addresses of functions whose address is taken, by bitcode's number.
    pub(crate) functions: Vec<Option<FunctionId>>,
    /// The addresses of indirect functions, by bitcode's number.
    pub(crate) ifuncs: Vec<FunctionId>,
    /// The procedures that functions became; intrinsics have none.
    pub(crate) procedures: Vec<Option<ProcedureId>>,
    /// The names of procedures.
    pub(crate) procedure_names: Names,
    /// Procedures that take more arguments than the declared function names, by those they take.
    pub(crate) extended: FxHashMap<(ProcedureId, Vec<Type>), ProcedureId>,
    /// Procedures for functions of which only the type is known.
    pub(crate) unknown_callees: FxHashMap<TypeId, ProcedureId>,
    /// Static objects of models, by where these are and their number there.
    pub(crate) imported: FxHashMap<(usize, FunctionId), FunctionId>,
    /// Functions whose address is taken, by signature, in order.
    pub(crate) takers: FxHashMap<TypeId, Vec<bitcode::FunctionId>>,
    /// How the source writes a global variable, and its type there.
    pub(crate) variables: FxHashMap<bitcode::GlobalId, bitcode::MetadataId>,
    /// Operations that VIR only knows by name, as on floating-point numbers.
    pub(crate) operations: FxHashMap<String, FunctionId>,
    /// The forms of values.
    pub(crate) forms: Forms,
    /// How many bytes of static objects may still be written down.
    pub(crate) room: u64,
}

impl Context<'_> {
    /// Where things are that have no place in the source.
    pub(crate) fn nowhere(&self) -> Span {
        Span { file: ir::FileId(0), start: 0, end: 0 }
    }

    /// A function without definition; the same for the same name and types.
    pub(crate) fn operation(
        &mut self,
        name: &str,
        parameters: &[Type],
        result: &Type,
    ) -> FunctionId {
        if let Some(id) = self.operations.get(name) {
            let known = self.module.function(*id);
            let is_same =
                known.result == *result && known.parameters.iter().map(|(_, ty)| ty).eq(parameters);
            // Only a corrupt file uses an intrinsic at other types than those in its name.
            return if is_same {
                *id
            } else {
                self.operation(&format!("{name}_"), parameters, result)
            };
        }
        let parameters = parameters.iter().zip('a'..).map(|(ty, n)| (n.to_string(), ty.clone()));
        let function = ir::Function {
            name: self.names.plain(name),
            parameters: parameters.collect(),
            result: result.clone(),
            definition: None,
            span: self.nowhere(),
        };
        self.module.functions.push(function);
        let id = FunctionId(self.module.functions.len() as u32 - 1);
        self.operations.insert(name.to_owned(), id);
        id
    }
}
