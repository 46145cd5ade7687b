//! Types of mathematics as types of VIR.

use ir::{RecordId, RecordType, SortId};

use super::{Lowerer, Unsupported};
use crate::types::Type;

impl Lowerer {
    pub(crate) fn ty(&mut self, ty: &Type) -> Result<ir::Type, Unsupported> {
        Ok(match ty {
            Type::Bool => ir::Type::Bool,
            Type::Int | Type::Nat => ir::Type::Int,
            Type::Atom(name) => ir::Type::Sort(self.sort(name)),
            Type::Str(entry) => ir::Type::Seq(Box::new(self.ty(entry)?)),
            Type::Set(entry) => ir::Type::set(vec![self.ty(entry)?]),
            Type::Product(_) => ir::Type::Record(self.record(ty)?),
            Type::Function(from, to) => {
                let from: Result<Vec<ir::Type>, Unsupported> =
                    from.iter().map(|ty| self.ty(ty)).collect();
                ir::Type::Map(from?, Box::new(self.ty(to)?))
            }
            Type::Unknown => return Err("a value of unknown type".to_owned()),
        })
    }

    fn sort(&mut self, name: &str) -> SortId {
        let known = self.module.sorts.iter().position(|sort| sort == name);
        let position = known.unwrap_or_else(|| {
            self.module.sorts.push(name.to_owned());
            self.module.sorts.len() - 1
        });
        SortId(position as u32)
    }

    pub(crate) fn record(&mut self, ty: &Type) -> Result<RecordId, Unsupported> {
        if let Some(known) = self.records.get(ty) {
            return Ok(*known);
        }
        let Type::Product(parts) = ty else { return Err(format!("{ty} as a product")) };
        let mut fields = Vec::new();
        for (name, part) in parts {
            fields.push((name.clone(), self.ty(part)?));
        }
        let id = RecordId(self.module.records.len() as u32);
        self.module.records.push(RecordType { name: format!("Product#{}", id.0), fields });
        self.records.insert(ty.clone(), id);
        Ok(id)
    }
}
