//! Class files: the signatures in them, as Java (*The Java Virtual Machine Specification*, chapter 4). What
//! methods do is not read.

use crate::limits::NESTED_CLASSES;

/// The declarations in a class file as a source with bodies left out. Classes within it are asked for by
/// their full names, with slashes and dollars; nothing if the bytes are no class file.
pub fn signatures(bytes: &[u8], inner: &dyn Fn(&str) -> Option<Vec<u8>>) -> Option<String> {
    let class = Class::read(bytes)?;
    let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
    let mut text = String::new();
    if !package.is_empty() {
        text.push_str(&format!("package {};\n", package.replace('/', ".")));
    }
    class.write(&mut text, inner, 0);
    Some(text)
}

const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const VARIADIC: u16 = 0x0080;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;
const SYNTHETIC: u16 = 0x1000;
const ENUM: u16 = 0x4000;

/// The declarations of a class file.
struct Class {
    flags: u16,
    name: String,
    above: Option<String>,
    interfaces: Vec<String>,
    fields: Vec<Declared>,
    methods: Vec<Declared>,
    /// Classes that are declared right in this one: their full names, their simple names, their flags.
    inner: Vec<(String, String, u16)>,
}

/// A field or method.
struct Declared {
    flags: u16,
    name: String,
    descriptor: String,
}

/// A constant that names are made of.
enum Constant {
    Text(String),
    Class(u16),
    Other,
}

/// The bytes that are still to be read.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn long(&mut self) -> Option<u32> {
        self.take(4).map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// An attribute: the number of its name, and its content.
    fn attribute(&mut self) -> Option<(u16, &'b [u8])> {
        let name = self.short()?;
        let length = self.long()?;
        Some((name, self.take(length as usize)?))
    }
}

struct Pool(Vec<Constant>);

impl Pool {
    fn read(bytes: &mut Bytes<'_>) -> Option<Pool> {
        let count = bytes.short()?;
        let mut pool = vec![Constant::Other];
        while pool.len() < count as usize {
            match bytes.byte()? {
                1 => {
                    let length = bytes.short()?;
                    let text = bytes.take(length as usize)?;
                    pool.push(Constant::Text(String::from_utf8_lossy(text).into_owned()));
                }
                7 => pool.push(Constant::Class(bytes.short()?)),
                // Numbers of eight bytes take two places.
                5 | 6 => {
                    bytes.take(8)?;
                    pool.extend([Constant::Other, Constant::Other]);
                }
                tag => {
                    let length = match tag {
                        8 | 16 | 19 | 20 => 2,
                        15 => 3,
                        3 | 4 | 9..=12 | 17 | 18 => 4,
                        _ => return None,
                    };
                    bytes.take(length)?;
                    pool.push(Constant::Other);
                }
            }
        }
        Some(Pool(pool))
    }

    fn text(&self, number: u16) -> Option<&str> {
        match self.0.get(number as usize)? {
            Constant::Text(text) => Some(text),
            Constant::Class(_) | Constant::Other => None,
        }
    }

    fn class(&self, number: u16) -> Option<&str> {
        match self.0.get(number as usize)? {
            Constant::Class(name) => self.text(*name),
            Constant::Text(_) | Constant::Other => None,
        }
    }
}

impl Class {
    fn read(bytes: &[u8]) -> Option<Class> {
        let mut bytes = Bytes(bytes);
        if bytes.long()? != 0xcafe_babe {
            return None;
        }
        bytes.take(4)?;
        let pool = Pool::read(&mut bytes)?;
        let flags = bytes.short()?;
        let name = pool.class(bytes.short()?)?.to_owned();
        let above = pool.class(bytes.short()?).map(str::to_owned);
        let mut interfaces = Vec::new();
        for _ in 0..bytes.short()? {
            interfaces.push(pool.class(bytes.short()?)?.to_owned());
        }
        let fields = Declared::list(&mut bytes, &pool)?;
        let methods = Declared::list(&mut bytes, &pool)?;
        let mut inner = Vec::new();
        for _ in 0..bytes.short()? {
            let (attribute, content) = bytes.attribute()?;
            if pool.text(attribute) == Some("InnerClasses") {
                let mut content = Bytes(content);
                for _ in 0..content.short()? {
                    let (own, outer) = (content.short()?, content.short()?);
                    let (simple, flags) = (content.short()?, content.short()?);
                    if pool.class(outer) == Some(&name)
                        && let (Some(own), Some(simple)) = (pool.class(own), pool.text(simple))
                    {
                        inner.push((own.to_owned(), simple.to_owned(), flags));
                    }
                }
            }
        }
        Some(Class { flags, name, above, interfaces, fields, methods, inner })
    }

    fn simple(&self) -> &str {
        let name = self.name.rsplit('/').next().unwrap_or(&self.name);
        name.rsplit('$').next().unwrap_or(name)
    }

    fn write(&self, text: &mut String, inner: &dyn Fn(&str) -> Option<Vec<u8>>, depth: usize) {
        let is_interface = self.flags & INTERFACE != 0;
        if self.flags & ABSTRACT != 0 && !is_interface {
            text.push_str("abstract ");
        }
        let above = self.above.as_deref().filter(|above| *above != "java/lang/Object");
        let above = above.filter(|_| !is_interface).map(dotted);
        let kind = if is_interface { "interface" } else { "class" };
        text.push_str(&format!("{kind} {}", self.simple()));
        text.push_str(&above.map_or(String::new(), |above| format!(" extends {above}")));
        let interfaces: Vec<String> = self.interfaces.iter().map(|name| dotted(name)).collect();
        if !interfaces.is_empty() {
            let word = if is_interface { "extends" } else { "implements" };
            text.push_str(&format!(" {word} {}", interfaces.join(", ")));
        }
        text.push_str(" {\n");
        for field in self.fields.iter().filter(|field| field.is_written()) {
            if let Some((ty, _)) = written(&field.descriptor) {
                text.push_str(&format!("{}{ty} {};\n", field.words(), field.name));
            }
        }
        for method in self.methods.iter().filter(|method| method.is_written()) {
            text.push_str(&method.signature(self).unwrap_or_default());
        }
        for (name, simple, flags) in self.inner.iter().filter(|_| depth < NESTED_CLASSES) {
            let is_named = simple.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if let (Some(class), true) =
                (inner(name).and_then(|bytes| Class::read(&bytes)), is_named)
            {
                if flags & (STATIC | INTERFACE | ENUM) != 0 {
                    text.push_str("static ");
                }
                class.write(text, inner, depth + 1);
            }
        }
        text.push_str("}\n");
    }
}

impl Declared {
    fn list(bytes: &mut Bytes<'_>, pool: &Pool) -> Option<Vec<Declared>> {
        let mut all = Vec::new();
        for _ in 0..bytes.short()? {
            let flags = bytes.short()?;
            let name = pool.text(bytes.short()?)?.to_owned();
            let descriptor = pool.text(bytes.short()?)?.to_owned();
            for _ in 0..bytes.short()? {
                bytes.attribute()?;
            }
            all.push(Declared { flags, name, descriptor });
        }
        Some(all)
    }

    /// Whether it is something that a source has.
    fn is_written(&self) -> bool {
        self.flags & SYNTHETIC == 0 && self.name != "<clinit>"
    }

    fn words(&self) -> String {
        let words = [(STATIC, "static "), (FINAL, "final ")];
        words.iter().filter(|(flag, _)| self.flags & flag != 0).map(|(_, word)| *word).collect()
    }

    fn signature(&self, class: &Class) -> Option<String> {
        let mut rest = self.descriptor.strip_prefix('(')?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let (ty, behind) = written(rest)?;
            parameters.push(format!("{ty} p{}", parameters.len()));
            rest = behind;
        }
        if let (true, Some(last)) = (self.flags & VARIADIC != 0, parameters.last_mut()) {
            *last = last.replacen("[] ", "... ", 1);
        }
        let (result, _) = written(&rest[1..])?;
        let parameters = parameters.join(", ");
        Some(match self.name.as_str() {
            "<init>" => format!("{}({parameters}) {{ }}\n", class.simple()),
            name => format!("{}native {result} {name}({parameters});\n", self.words()),
        })
    }
}

/// The type at the start of a descriptor as a source writes it, and what is behind it.
fn written(descriptor: &str) -> Option<(String, &str)> {
    let elements = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - elements.len());
    let (ty, rest) = match elements.chars().next()? {
        'L' => {
            let (name, rest) = elements[1..].split_once(';')?;
            (dotted(name), rest)
        }
        letter => {
            let word = match letter {
                'Z' => "boolean",
                'B' => "byte",
                'C' => "char",
                'S' => "short",
                'I' => "int",
                'J' => "long",
                'F' => "float",
                'D' => "double",
                'V' => "void",
                _ => return None,
            };
            (word.to_owned(), &elements[1..])
        }
    };
    Some((format!("{ty}{dimensions}"), rest))
}

/// A full name as a source writes it.
fn dotted(name: &str) -> String {
    name.replace(['/', '$'], ".")
}

#[cfg(test)]
mod tests {
    use super::{signatures, written};

    #[test]
    fn descriptors_are_types_of_java() {
        assert_eq!(written("[[I").unwrap().0, "int[][]");
        assert_eq!(
            written("Ljava/util/Map$Entry;J"),
            Some(("java.util.Map.Entry".to_owned(), "J"))
        );
        assert_eq!(written("["), None);
        assert_eq!(written(""), None);
    }

    #[test]
    fn what_is_no_class_file_has_no_signatures() {
        let nothing = |_: &str| None;
        assert_eq!(signatures(b"", &nothing), None);
        assert_eq!(signatures(b"\xca\xfe\xba\xbe\0\0\0\x34\0", &nothing), None);
        assert_eq!(
            signatures(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0xff, 0xff, 99], &nothing),
            None
        );
    }
}
