//! Reading a data-layout string such as `e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128`.

use super::{DataLayout, Endianness};

impl Default for DataLayout {
    /// The defaults of a layout string.
    fn default() -> DataLayout {
        DataLayout {
            text: String::new(),
            endianness: Endianness::Little,
            pointers: vec![(0, 64, 64, 64)],
            integers: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate_align: 0,
            stack_align: 0,
            native_integers: Vec::new(),
            alloca_space: 0,
            globals_space: 0,
            program_space: 0,
        }
    }
}

impl DataLayout {
    /// Read the string. Parts that are not understood are left at their defaults, as is a part with
    /// an alignment that is not a power of two: no clang writes one.
    pub fn parse(text: &str) -> DataLayout {
        let mut layout = DataLayout { text: text.to_owned(), ..DataLayout::default() };
        for part in text.split('-') {
            layout.read(part);
        }
        layout
    }

    fn read(&mut self, part: &str) {
        let Some(letter) = part.chars().next() else { return };
        let mut fields = part[letter.len_utf8()..].split(':');
        let first = fields.next().unwrap_or("");
        let number = |text: &str| text.parse::<u32>().ok().filter(|&n| n < 1 << 24);
        let rest: Vec<u32> = fields.map_while(number).collect();
        let align = |n: usize| rest.get(n).copied().filter(|&a| a == 0 || a.is_power_of_two());
        match letter {
            'e' if first.is_empty() => self.endianness = Endianness::Little,
            'E' if first.is_empty() => self.endianness = Endianness::Big,
            'p' => {
                let space = if first.is_empty() { Some(0) } else { number(first) };
                if let (Some(space), Some(&size), Some(align)) = (space, rest.first(), align(1)) {
                    let index = rest.get(3).copied().unwrap_or(size);
                    self.pointers.retain(|pointer| pointer.0 != space);
                    self.pointers.push((space, size, align, index));
                    self.pointers.sort_unstable();
                }
            }
            'i' => set(&mut self.integers, number(first), align(0)),
            'f' => set(&mut self.floats, number(first), align(0)),
            'v' => set(&mut self.vectors, number(first), align(0)),
            'a' => self.aggregate_align = align(0).unwrap_or(self.aggregate_align),
            'S' => self.stack_align = number(first).unwrap_or(0),
            'A' => self.alloca_space = number(first).unwrap_or(0),
            'G' => self.globals_space = number(first).unwrap_or(0),
            'P' => self.program_space = number(first).unwrap_or(0),
            'n' if !first.starts_with('i') => {
                self.native_integers = number(first).into_iter().chain(rest).collect();
            }
            _ => {}
        }
    }
}

fn set(table: &mut Vec<(u32, u32)>, width: Option<u32>, align: Option<u32>) {
    if let (Some(width), Some(align)) = (width, align) {
        table.retain(|entry| entry.0 != width);
        table.push((width, align));
        table.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::{DataLayout, Endianness};

    #[test]
    fn x86_64() {
        let layout = DataLayout::parse(
            "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
        );
        assert_eq!(layout.endianness, Endianness::Little);
        assert_eq!((layout.pointer_bits(0), layout.pointer_bits(270)), (64, 32));
        assert_eq!(layout.integers.last(), Some(&(128, 128)));
        assert_eq!(layout.native_integers, [8, 16, 32, 64]);
        assert_eq!(layout.stack_align, 128);
    }

    #[test]
    fn nonsense_is_ignored() {
        let layout = DataLayout::parse("p:-i64:3-é:::-v:-p0:4294967296:1-E1-nope-a:");
        assert_eq!(layout, DataLayout { text: layout.text.clone(), ..DataLayout::default() });
    }
}
