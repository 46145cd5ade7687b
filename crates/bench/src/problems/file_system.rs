//! A file system in which a directory can be entered in two places.
//!
//! Directories have entries, an entry has a name and leads to a file or a directory. Each directory
//! but the root has one parent, yet nothing keeps a parent from having two entries for the same
//! directory. (In Alloy: `file_system.als` of its distribution.)
//!
//! ```text
//! abstract sig Object {}  sig Name {}  sig DirEntry {name: Name, contents: Object}
//! sig File extends Object {}  sig Dir extends Object {entries: set DirEntry, parent: lone Dir}
//! one sig Root extends Dir {}  lone sig Cur extends Dir {}
//! fact  all f: File | some d: Dir | f in d.entries.contents
//! fact  all d: Dir | d.parent = d.~contents.~entries
//! fact  all d: Dir, e, e': d.entries | e.name = e'.name => e = e'
//! fact  all d: Dir | d !in d.^parent and (d != Root => Root in d.^parent)
//! fact  no Root.parent  and  all e: DirEntry | one e.~entries  and  all d: Dir - Root | one d.parent
//! check all d: Dir | lone d.~contents
//! ```

use relational::{Error, Expr, Formula, Logic, all, some};

use super::vocabulary::Vocabulary;
use super::{Expected, Problem};

/// Can a directory have two entries? It can, with at least two objects, names and entries.
///
/// # Errors
/// If the scope is zero.
pub fn file_system(logic: &Logic, scope: usize) -> Result<Problem<'_>, Error> {
    let sorts = [("Object", scope), ("Name", scope), ("DirEntry", scope)];
    let (mut vocabulary, [objects, names, entries]) = Vocabulary::new(logic, sorts)?;
    let root = objects.universe().range(0..1)?;
    let system = FileSystem {
        object: vocabulary.at_most("Object", &objects)?,
        root: vocabulary.exactly("Root", &root)?,
        current: vocabulary.at_most("Cur", &objects)?,
        file: vocabulary.at_most("File", &objects)?,
        dir: vocabulary.at_most("Dir", &objects)?,
        names: vocabulary.at_most("Name", &names)?,
        entry: vocabulary.at_most("DirEntry", &entries)?,
        entries: vocabulary.at_most("entries", &objects.product(&entries)?)?,
        parent: vocabulary.at_most("parent", &objects.product(&objects)?)?,
        name: vocabulary.at_most("name", &entries.product(&names)?)?,
        contents: vocabulary.at_most("contents", &entries.product(&objects)?)?,
    };
    let mut facts = system.declarations();
    facts.extend(system.facts());
    let no_aliases = all([("o", system.dir)], |[o]| o.join(system.contents.transpose()).lone());
    Ok(Problem {
        name: format!("file system, {scope} objects"),
        bounds: vocabulary.bounds(),
        facts,
        goal: !no_aliases,
        expected: if scope < 2 { Expected::Unsat } else { Expected::Sat },
        symmetry: None,
    })
}

struct FileSystem<'a> {
    object: Expr<'a>,
    root: Expr<'a>,
    current: Expr<'a>,
    file: Expr<'a>,
    dir: Expr<'a>,
    names: Expr<'a>,
    entry: Expr<'a>,
    entries: Expr<'a>,
    parent: Expr<'a>,
    name: Expr<'a>,
    contents: Expr<'a>,
}

impl<'a> FileSystem<'a> {
    fn declarations(&self) -> Vec<Formula<'a>> {
        vec![
            self.object.equals(self.file + self.dir) & (self.file & self.dir).no(),
            self.root.is_in(self.dir) & self.current.is_in(self.dir),
            (self.root & self.current).no(),
            self.entries.is_in(self.dir.product(self.entry)),
            self.parent.is_partial_function(self.dir, self.dir),
            self.name.is_function(self.entry, self.names),
            self.contents.is_function(self.entry, self.object),
        ]
    }

    fn facts(&self) -> Vec<Formula<'a>> {
        let (dir, root, parent) = (self.dir, self.root, self.parent);
        let has_place = all([("this", self.file)], |[file]| {
            some([("d", dir)], |[d]| file.is_in(d.join(self.entries).join(self.contents)))
        });
        vec![
            has_place,
            all([("this", dir)], |[this]| self.directory(this)),
            root.join(parent).no(),
            all([("this", self.entry)], |[e]| e.join(self.entries.transpose()).one()),
            all([("d", dir - root)], |[d]| d.join(parent).one()),
        ]
    }

    /// What holds of each directory: its parent has an entry for it, its own entries have
    /// different names, and the way up ends at the root.
    fn directory(&self, this: Expr<'a>) -> Formula<'a> {
        let above = this.join(self.parent.closure());
        let entered = this.join(self.contents.transpose()).join(self.entries.transpose());
        let mine = this.join(self.entries);
        let named_apart = all([("e1", mine), ("e2", mine)], |[e1, e2]| {
            e1.join(self.name).equals(e2.join(self.name)).implies(e1.equals(e2))
        });
        this.join(self.parent).equals(entered)
            & named_apart
            & !this.is_in(above)
            & (!this.equals(self.root)).implies(self.root.is_in(above))
    }
}
