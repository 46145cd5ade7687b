//! Compare our reading of bitcode files with that of `llvm-dis`.
//!
//! `compare LLVM-DIS FILE…` prints both as text, brings the texts into one form (numbers of
//! metadata and attribute groups replaced by what they stand for) and compares them line by line:
//! types, globals, functions, blocks, every instruction with its operands, flags and attributes,
//! source locations, and the metadata as a multiset. `compare --print FILE…` prints our text,
//! `compare --time FILE…` only decodes, for measuring, and `compare --layout FILE…` compares our
//! sizes of structures with those in the debug information, which clang computed.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, ExitCode};

use bitcode::{DebugNode, TypeId};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(tool) = arguments.next() else {
        eprintln!("usage: compare LLVM-DIS|--print|--time|--layout FILE...");
        return ExitCode::from(2);
    };
    let mut totals = Totals::default();
    let mut sizes = (0, 0);
    for path in arguments {
        match tool.as_str() {
            "--print" => print(&path),
            "--time" => time(&path),
            "--layout" => layout(&path, &mut sizes),
            _ => totals.add(&path, compare(&tool, &path)),
        }
    }
    match tool.as_str() {
        "--layout" => println!("{} of {} structures have the size clang says", sizes.0, sizes.1),
        "--print" | "--time" => {}
        _ => return totals.report(),
    }
    ExitCode::SUCCESS
}

fn print(path: &str) {
    match fs::read(path).map(|bytes| bitcode::decode(&bytes)) {
        Ok(Ok(module)) => print!("{module}"),
        Ok(Err(error)) => eprintln!("{path}: {error}"),
        Err(error) => eprintln!("{path}: {error}"),
    }
}

fn time(path: &str) {
    let bytes = fs::read(path).expect("a readable file");
    if let Err(error) = bitcode::decode(&bytes) {
        eprintln!("{path}: {error}");
    }
}

/// Count the structures whose name is unique in the debug information, and those of equal size.
fn layout(path: &str, (equal, all): &mut (usize, usize)) {
    let bytes = fs::read(path).expect("a readable file");
    let Ok(module) = bitcode::decode(&bytes) else { return };
    let mut sizes: HashMap<&str, Vec<u64>> = HashMap::new();
    for (_, node) in module.metadata.iter() {
        if let DebugNode::CompositeType(ty) = node
            && ty.elements.is_some()
        {
            sizes.entry(module.metadata.text(ty.name)).or_default().push(ty.size);
        }
    }
    for (id, ty) in (0..).map(TypeId).zip(&module.types) {
        let name = ty.as_struct().and_then(|body| body.name.as_deref()?.strip_prefix("struct."));
        if let Some(&[bits]) = name.and_then(|name| sizes.get(name)).map(Vec::as_slice) {
            *all += 1;
            if module.size_of(id) * 8 == bits {
                *equal += 1;
            } else {
                println!(
                    "{path}: {name:?} has {} bytes, clang says {bits} bits",
                    module.size_of(id)
                );
            }
        }
    }
}

#[derive(Default)]
struct Totals {
    files: usize,
    equal: usize,
    counts: Counts,
}

/// What was found equal in a file.
#[derive(Default)]
struct Counts {
    bytes: usize,
    defined: usize,
    declared: usize,
    blocks: usize,
    instructions: usize,
    locations: usize,
    globals: usize,
    types: usize,
    nodes: usize,
}

impl Totals {
    fn add(&mut self, path: &str, result: Result<Counts, Vec<String>>) {
        self.files += 1;
        match result {
            Ok(counts) => {
                self.equal += 1;
                let all = &mut self.counts;
                all.bytes += counts.bytes;
                all.defined += counts.defined;
                all.declared += counts.declared;
                all.blocks += counts.blocks;
                all.instructions += counts.instructions;
                all.locations += counts.locations;
                all.globals += counts.globals;
                all.types += counts.types;
                all.nodes += counts.nodes;
            }
            Err(differences) => {
                println!("{path}: {} differences", differences.len());
                for difference in differences.iter().take(6) {
                    println!("  {difference}");
                }
            }
        }
    }

    fn report(&self) -> ExitCode {
        let c = &self.counts;
        println!(
            "{} of {} files equal: {:.1} MB, {} functions defined, {} declared, {} blocks, {} instructions, \
             {} locations, {} globals, {} named types, {} metadata nodes",
            self.equal,
            self.files,
            c.bytes as f64 / 1e6,
            c.defined,
            c.declared,
            c.blocks,
            c.instructions,
            c.locations,
            c.globals,
            c.types,
            c.nodes
        );
        if self.equal == self.files { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn compare(tool: &str, path: &str) -> Result<Counts, Vec<String>> {
    let bytes = fs::read(path).map_err(|error| vec![error.to_string()])?;
    let module = bitcode::decode(&bytes).map_err(|error| vec![error.to_string()])?;
    let ours = normalize(&module.to_string());
    let output = Command::new(tool).args(["-o", "-", path]).output();
    let output = output.map_err(|error| vec![format!("{tool}: {error}")])?;
    if !output.status.success() {
        return Err(vec![String::from_utf8_lossy(&output.stderr).into_owned()]);
    }
    let theirs = normalize(&String::from_utf8_lossy(&output.stdout));

    let mut differences = Vec::new();
    differ_in_order(&ours.lines, &theirs.lines, &mut differences);
    differ_as_sets("type", &ours.types, &theirs.types, &mut differences);
    differ_as_sets("node", &ours.nodes, &theirs.nodes, &mut differences);
    if !differences.is_empty() {
        return Err(differences);
    }
    let defined = module.functions.iter().filter(|function| !function.is_declaration);
    Ok(Counts {
        bytes: bytes.len(),
        defined: defined.clone().count(),
        declared: module.functions.len() - defined.clone().count(),
        blocks: defined.clone().map(|function| function.blocks.len()).sum(),
        instructions: defined.clone().map(|function| function.instructions.len()).sum(),
        locations: defined
            .flat_map(|function| &function.instructions)
            .filter(|i| i.location.is_some())
            .count(),
        globals: module.globals.len(),
        types: ours.types.len(),
        nodes: ours.nodes.len(),
    })
}

fn differ_in_order(ours: &[String], theirs: &[String], differences: &mut Vec<String>) {
    for (ours, theirs) in ours.iter().zip(theirs) {
        if ours != theirs {
            differences.push(format!("ours   {ours}\n  theirs {theirs}"));
        }
    }
    if ours.len() != theirs.len() {
        differences.push(format!("{} lines against {}", ours.len(), theirs.len()));
    }
}

fn differ_as_sets(what: &str, ours: &[String], theirs: &[String], differences: &mut Vec<String>) {
    let (mut left, mut right) = (ours.iter().peekable(), theirs.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return,
            (Some(a), Some(b)) if a == b => {
                left.next();
                right.next();
            }
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                differences.push(format!("{what} ours only   {a}"));
                left.next();
            }
            (_, Some(b)) => {
                differences.push(format!("{what} theirs only {b}"));
                right.next();
            }
            (Some(_), None) => unreachable!("the guard above holds when the right side is empty"),
        }
    }
}

/// A module's text in a form that does not depend on numbering.
struct Normal {
    lines: Vec<String>,
    types: Vec<String>,
    nodes: Vec<String>,
}

fn normalize(text: &str) -> Normal {
    let mut groups = HashMap::new();
    let mut nodes = HashMap::new();
    for line in text.lines() {
        if let Some((number, group)) =
            line.strip_prefix("attributes #").and_then(|rest| rest.split_once(" = "))
        {
            groups.insert(number, group.split_whitespace().collect::<Vec<_>>().join(" "));
        } else if let Some((number, node)) = numbered_node(line) {
            nodes.insert(number, node);
        }
    }
    let expand = |line: &str| {
        rewrite(line, &groups, |number| nodes.get(number).map_or("?".into(), |n| erase(n)))
    };
    let mut normal = Normal { lines: Vec::new(), types: Vec::new(), nodes: Vec::new() };
    for line in text.lines() {
        let line = line.split_once("; preds = ").map_or(line, |(label, _)| label).trim_end();
        let line = line.strip_suffix("; No predecessors!").map_or(line, str::trim_end);
        if line.is_empty() || line.starts_with(';') || line.starts_with("attributes #") {
            continue;
        }
        if let Some((_, node)) = numbered_node(line) {
            // Locations are nodes for LLVM but mostly not in the file.
            if !node.contains("!DILocation(") {
                normal.nodes.push(expand(node));
            }
        // LLVM prints comdats in the order of a hash table.
        } else if line.starts_with(['%', '$']) {
            normal.types.push(line.to_owned());
        } else {
            normal.lines.push(expand(&inline_location(line, &nodes)));
        }
    }
    normal.types.sort_unstable();
    normal.nodes.sort_unstable();
    normal
}

/// `!5 = node`.
fn numbered_node(line: &str) -> Option<(&str, &str)> {
    let (number, node) = line.strip_prefix('!')?.split_once(" = ")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((number, node))
}

/// Turn `!dbg !5` into `!dbg line:column scope !n inlined !m`, as we print it.
fn inline_location(line: &str, nodes: &HashMap<&str, &str>) -> String {
    const MARK: &str = ", !dbg !";
    let Some(at) = line.rfind(MARK) else { return line.to_owned() };
    let rest = &line[at + MARK.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let Some((_, location)) =
        nodes.get(&rest[..end]).and_then(|node| node.split_once("!DILocation("))
    else {
        return line.to_owned();
    };
    let field = |key: &str| {
        let value = location.split_once(&format!("{key}: "))?.1;
        value.split([',', ')']).next()
    };
    let mut text = format!("{}:{}", field("line").unwrap_or("0"), field("column").unwrap_or("0"));
    for (key, word) in [("scope", "scope"), ("inlinedAt", "inlined")] {
        if let Some(value) = field(key) {
            text += &format!(" {word} {value}");
        }
    }
    format!("{}, !dbg {text}{}", &line[..at], &rest[end..])
}

/// The line with numbers of nodes removed.
fn erase(line: &str) -> String {
    rewrite(line, &HashMap::new(), |_| String::new())
}

/// The line with `!5` and ` #5` outside quotes replaced by what they stand for.
fn rewrite(line: &str, groups: &HashMap<&str, String>, node: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(line.len() * 2);
    let mut quoted = false;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        match c {
            '!' if !quoted && digits > 0 => {
                out.push('!');
                out += &node(&after[..digits]);
                rest = &after[digits..];
            }
            '#' if !quoted && digits > 0 && groups.contains_key(&after[..digits]) => {
                out += &groups[&after[..digits]];
                rest = &after[digits..];
            }
            _ => {
                quoted ^= c == '"';
                out.push(c);
                rest = after;
            }
        }
    }
    out
}
