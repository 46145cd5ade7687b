//! Prints tables.
struct Beside(std::path::PathBuf);
impl resolve::Library for Beside {
    fn find(&self, name: &str) -> Option<resolve::Text> {
        ["co", "en", "rb", "fa"].iter().find_map(|extension| {
            let path = self.0.join(format!("{name}.{extension}"));
            let text = std::fs::read_to_string(&path).ok()?;
            Some(resolve::Text { path: path.display().to_string(), text })
        })
    }
}
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let beside = Beside(std::path::Path::new(&path).parent().unwrap().to_owned());
        let lesson = resolve::read(&path, &text, &beside);
        for d in &lesson.diagnostics {
            let (l, c) = ir::line_and_column(&text, d.span.start);
            println!("{:?} file {} {l}:{c}: {d}", d.severity, d.span.file.0);
        }
        if std::env::var_os("VIR").is_some() { println!("{}", ir::print(&lesson.module)); }
        for table in &lesson.tables {
            println!("{}\n{}", table.name, resolve::text(table));
            for h in resolve::hypotheses(table) { println!("{}", h.text()); if std::env::var_os("FORMULA").is_some() { match resolve::formula(&h, resolve::Scope{entries:1,length:1}) { Ok(f) => println!("{f}{} variables", f.variables().len()), Err(e) => println!("{e}") } } }
        }
    }
}
