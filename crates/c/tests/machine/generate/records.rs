//! Structures and unions: their fields, how one is made of two words, and how one becomes a word.

use super::scope::{SCALARS, Scalar};
use super::{Feature, Writer};

/// A structure or a union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// How C writes the type.
    pub(super) name: String,
    pub(super) is_union: bool,
    pub(super) fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Plain(Scalar),
    Bits(Scalar, u32),
    Array(Scalar, u32),
    Record(usize),
}

/// The bytes of a union, all of which are its first field.
const UNION: u32 = 16;

impl Writer {
    pub(super) fn declare_records(&mut self) {
        for number in 0..5 {
            let is_union = number == 1;
            let mut fields = Vec::new();
            if is_union {
                let byte = Scalar { name: "unsigned char", bits: 8, packs: false };
                fields.push(Field { name: "all".to_owned(), kind: Kind::Array(byte, UNION) });
            }
            for field in 0..self.rng.u32(1..6) {
                let kind = self.field_kind(number, is_union);
                fields.push(Field { name: format!("m{field}"), kind });
            }
            let word = if is_union { "union" } else { "struct" };
            let record = Record { name: format!("{word} s{number}"), is_union, fields };
            self.write_record(number, &record);
            self.records.push(record);
        }
    }

    fn field_kind(&mut self, number: usize, is_union: bool) -> Kind {
        // Not every byte of a union is a truth value.
        let ty = self.scalar();
        let ty = if is_union && ty.bits == 1 { SCALARS[1] } else { ty };
        match self.rng.u32(..10) {
            0..=3 if ty.packs => Kind::Bits(ty, self.rng.u32(1..=ty.bits)),
            // A union has room for sixteen bytes.
            4 | 5 => Kind::Array(ty, if is_union { 2 } else { 4 }),
            6 if number > 1 && !is_union => Kind::Record(self.rng.usize(..2)),
            _ => Kind::Plain(ty),
        }
    }

    fn write_record(&mut self, number: usize, record: &Record) {
        let name = &record.name;
        let mut declared = String::new();
        let mut made = String::new();
        let mut folded = String::new();
        let fold = "h = h * 31 + (unsigned long)";
        for (position, field) in record.fields.iter().enumerate() {
            let Field { name, kind } = field;
            let word = ["a", "b", "a ^ b", "a + b", "a - b"][position % 5];
            match kind {
                Kind::Plain(ty) => {
                    declared += &format!("  {} {name};\n", ty.name);
                    made += &format!("  s.{name} = {word};\n");
                    folded += &format!("  {fold}s.{name};\n");
                }
                Kind::Bits(ty, width) => {
                    declared += &format!("  {} {name} : {width};\n", ty.name);
                    made += &format!("  s.{name} = {word};\n");
                    folded += &format!("  {fold}s.{name};\n");
                }
                Kind::Array(ty, count) => {
                    declared += &format!("  {} {name}[{count}];\n", ty.name);
                    let each = format!("  for (int i = 0; i < {count}; i++)");
                    made += &format!("{each} s.{name}[i] = ({word}) >> i * 3;\n");
                    folded += &format!("{each} {fold}s.{name}[i];\n");
                }
                Kind::Record(inner) => {
                    declared += &format!("  {} {name};\n", self.records[*inner].name);
                    made += &format!("  s.{name} = make_{inner}(b, a);\n");
                    folded += &format!("  {fold}fold_{inner}(s.{name});\n");
                }
            }
            if record.is_union {
                // All of it is in the first field.
                made = made.lines().next().unwrap_or_default().to_owned() + "\n";
                folded = folded.lines().next().unwrap_or_default().to_owned() + "\n";
            }
        }
        self.text += &format!("{name} {{\n{declared}}};\n");
        self.text += &format!("static {name} make_{number}(unsigned long a, unsigned long b)\n");
        self.text += &format!("{{\n  {name} s;\n{made}  return s;\n}}\n");
        self.text += &format!("static unsigned long fold_{number}({name} s)\n");
        self.text += &format!("{{\n  unsigned long h = 1;\n{folded}  return h;\n}}\n");
    }

    /// An integer within a structure or union.
    pub(super) fn field_of(&mut self, whole: &str, number: usize, depth: u32) -> String {
        let record = &self.records[number];
        let is_union = record.is_union;
        let field = record.fields[self.rng.usize(..record.fields.len())].clone();
        if is_union {
            self.uses(Feature::Union);
        }
        let place = format!("{whole}.{}", field.name);
        match field.kind {
            Kind::Plain(_) => place,
            Kind::Bits(..) => {
                self.uses(Feature::BitField);
                place
            }
            Kind::Array(_, count) => {
                self.uses(Feature::Array);
                let index = self.value(depth.saturating_sub(1));
                format!("{place}[({index}) & {}]", count - 1)
            }
            Kind::Record(inner) => self.field_of(&place, inner, depth),
        }
    }
}
