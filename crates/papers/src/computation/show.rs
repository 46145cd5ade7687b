//! The extract as text: the graph, the labels, declarations, and the formula.

use std::fmt;

use java::subset::{NUMBERS, RESULT};

use crate::computation::extract::Extract;
use crate::computation::nulls::{NULL_DEREFS, Nulls};
use crate::computation::print;

impl fmt::Display for Extract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.procedure.name;
        let times = if self.unroll == 1 { "unrolling" } else { "unrollings" };
        writeln!(f, "{name}, {} {times}\n", self.unroll)?;
        self.show_graph(f)?;
        self.show_labels(f)?;
        self.show_declarations(f)?;
        writeln!(f, "\nCode formula:")?;
        for formula in &self.code {
            writeln!(f, "  {}", print::formula(formula))?;
        }
        if !self.pre.is_empty() {
            writeln!(f, "\nPrecondition:")?;
        }
        for formula in &self.pre {
            writeln!(f, "  {}", print::formula(formula))?;
        }
        writeln!(f, "\nPostcondition, of which the negation is added:")?;
        for formula in &self.post {
            writeln!(f, "  {}", print::formula(formula))?;
        }
        if self.post.is_empty() {
            writeln!(f, "  true")?;
        }
        Ok(())
    }
}

impl Extract {
    fn show_graph(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Computation graph, from node 0 to node {}:", self.graph.exit)?;
        let actions: Vec<String> =
            self.graph.edges.iter().map(|edge| print::action(&edge.action)).collect();
        let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let name = widest(&mut self.graph.edges.iter().map(|edge| edge.name.len()));
        let action = widest(&mut actions.iter().map(|action| action.chars().count()));
        let node = self.graph.nodes.saturating_sub(1).to_string().len();
        for (edge, text) in self.graph.edges.iter().zip(&actions) {
            write!(f, "  {:name$}  {:>node$} → {:<node$}", edge.name, edge.from, edge.to)?;
            match edge.line {
                0 => writeln!(f, "  {text}")?,
                line => writeln!(f, "  {text:action$}  line {line}")?,
            }
        }
        Ok(())
    }

    /// A table of the variables at each node.
    fn show_labels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nLabels:")?;
        let components = &self.labels.components;
        let widths: Vec<usize> = components
            .iter()
            .map(|component| component.variables().map(|name| name.len()).max().unwrap_or(0))
            .collect();
        for node in 0..self.graph.nodes {
            write!(f, "  {node:>3}")?;
            let mut line = String::new();
            for (component, width) in components.iter().zip(&widths) {
                line.push_str(&format!("  {:width$}", component.at(node)));
            }
            writeln!(f, ":{}", line.trim_end())?;
        }
        Ok(())
    }

    fn show_declarations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nDeclarations:")?;
        let procedure = &self.procedure;
        let names = |component: &str| {
            let mut all = self.labels.components.iter();
            let found = all.find(|known| known.name == component);
            found.map_or(Vec::new(), |component| component.variables().collect())
        };
        let edges: Vec<&str> = self.graph.edges.iter().map(|edge| edge.name.as_str()).collect();
        writeln!(f, "  {} : bool", edges.join(", "))?;
        for variable in &procedure.variables {
            let is_parameter = procedure.variables[..procedure.parameters].contains(variable);
            let one = is_parameter && variable.domain == NUMBERS;
            let mark = if one { '!' } else { '?' };
            writeln!(f, "  {} : {} {mark}", names(&variable.name).join(", "), variable.domain)?;
        }
        if let Some(domain) = &procedure.result {
            writeln!(f, "  {RESULT} : {domain} ?")?;
        }
        for field in &procedure.fields {
            let mut names = names(&field.name);
            names.push(crate::computation::extract::primed(&field.name));
            let mark = if field.to == NUMBERS { '!' } else { '?' };
            writeln!(f, "  {} : {} → {} {mark}", names.join(", "), field.from, field.to)?;
        }
        if self.nulls == Nulls::Recorded {
            let names = names(NULL_DEREFS).join(", ");
            writeln!(f, "  {names} : Obj; @v is the variable v itself")?;
        }
        Ok(())
    }
}
