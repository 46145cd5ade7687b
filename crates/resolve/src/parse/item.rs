//! Declarations of modules other than operations.

use super::{ParseResult, Parser};
use crate::syntax::{
    Body, Definition, Exp, FacilityItem, Item, Model, Name, Representation, TypeExp, TypeKind,
    UnitKind,
};

impl Parser<'_> {
    /// One declaration, which may declare several things.
    pub(super) fn items(&mut self, unit: UnitKind, items: &mut Vec<Item>) -> ParseResult<()> {
        let start = self.span();
        match self.word().as_str() {
            "operation" | "oper" => {
                self.advance();
                let operation = self.operation()?;
                let follows = match self.word().as_str() {
                    "procedure" => !self.has_head(0) || self.names_again(0, &operation.name),
                    "recursive" => !self.has_head(1) || self.names_again(1, &operation.name),
                    _ => false,
                };
                let procedure = if follows && !self.has_head(usize::from(self.is("recursive"))) {
                    Some(self.procedure(Some(&operation.name))?.1)
                } else {
                    None
                };
                items.push(Item::Operation(operation, procedure));
            }
            "procedure" | "recursive" => {
                if let (Some(head), procedure) = self.procedure(None)? {
                    items.push(Item::Procedure(head, procedure));
                }
            }
            "type" | "family" => {
                self.accept("type");
                items.push(self.type_item()?);
            }
            "definition" | "def" | "implicit" | "inductive" | "categorical" => {
                items.push(Item::Definition(self.definition()?));
            }
            "facility" => {
                self.advance();
                let name = self.name()?;
                let facility = self.facility_instance(name)?;
                items.push(Item::Facility(facility));
            }
            "math_var" => {
                self.advance();
                let names = self.names()?;
                self.expect(":")?;
                let ty = self.ty()?;
                self.expect(";")?;
                items.push(Item::Unknowns(names, ty));
            }
            "var" | "variable" | "variables" | "conceptual" => {
                self.advance();
                self.accept("var");
                let names = self.names()?;
                self.expect(":")?;
                let ty = self.ty()?;
                self.expect(";")?;
                items.push(Item::Variables(names, ty));
            }
            "constraint" | "constraints" => {
                self.advance();
                let condition = self.clause()?;
                items.push(Item::Constraint(condition));
            }
            "shared" if self.word_at(1) == "variables" => self.shared(items)?,
            "defines" => {
                self.advance();
                let names = self.names()?;
                self.expect(":")?;
                let ty = self.ty()?;
                self.expect(";")?;
                items.push(Item::Unknowns(names, ty));
            }
            // The abstraction of a module as a whole.
            "convention" | "conventions" | "correspondence" => {
                items.push(Item::Skipped(Name { text: self.word(), span: start }));
                self.skip_clause();
            }
            "shared" | "facility_initialization" | "facility_finalization" | "performance" => {
                let name = Name { text: self.word(), span: start };
                self.skip_block();
                items.push(Item::Skipped(name));
            }
            _ if unit == UnitKind::Code => {
                let statements = self.statements(&["end"]);
                items.push(Item::Code(statements));
            }
            _ => return self.expected("a declaration"),
        }
        Ok(())
    }

    /// Variables that all operations share, with what holds of them.
    fn shared(&mut self, items: &mut Vec<Item>) -> ParseResult<()> {
        let start = self.span();
        self.accept_all(&["shared", "variables"]);
        while !self.accept("end") {
            match self.word().as_str() {
                "abstract_var" | "var" => {
                    self.advance();
                    let names = self.names()?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    self.expect(";")?;
                    items.push(Item::Variables(names, ty));
                }
                "constraint" | "constraints" => {
                    self.advance();
                    let condition = self.clause()?;
                    items.push(Item::Constraint(condition));
                }
                // Their initial values are ignored: operations begin with any values.
                "initialization" => self.skip_clause(),
                "correspondence" | "convention" | "finalization" => {
                    items.push(Item::Skipped(Name { text: self.word(), span: start }));
                    self.skip_clause();
                }
                "depending_on" | "affects" | "ensures" | "conc" => self.skip_clause(),
                _ => return self.expected("`Abstract_Var`, `constraint` or `end`"),
            }
        }
        self.skip_clause();
        Ok(())
    }

    fn names_again(&self, ahead: usize, name: &Name) -> bool {
        self.word_at(ahead + 1) == name.text.to_lowercase()
    }

    /// Skips a declaration that ends with `end … ;`, or with its semicolon if it has no `end`.
    fn skip_block(&mut self) {
        let is_block = self.is("shared") || self.word_at(1) != "ensures";
        if !is_block {
            return self.skip_clause();
        }
        while !self.at_end() && !self.is("end") {
            self.advance();
        }
        self.skip_clause();
    }

    fn type_item(&mut self) -> ParseResult<Item> {
        let is_family = self.accept("family");
        let name = self.name()?;
        let is_model = is_family || self.word_at(1) == "modeled";
        if self.accept("is") {
            if !self.accept("modeled") && !self.accept("represented") {
                return self.expected("`modeled by` or `represented by`");
            }
            self.expect("by")?;
        } else if !self.accept("=") {
            return self.expected("`is modeled by`, `is represented by` or `=`");
        }
        let ty = self.ty()?;
        self.expect(";")?;
        if is_model { self.model(name, ty) } else { self.representation(name, ty) }
    }

    fn model(&mut self, name: Name, model: TypeExp) -> ParseResult<Item> {
        let mut item = Model {
            name,
            model,
            exemplar: None,
            constraint: None,
            initialization: None,
            finalization: None,
        };
        loop {
            match self.word().as_str() {
                "exemplar" => {
                    self.advance();
                    item.exemplar = Some(self.name()?);
                    self.expect(";")?;
                }
                "constraint" | "constraints" => {
                    self.advance();
                    item.constraint = Some(self.clause()?);
                }
                "initialization" => {
                    self.advance();
                    self.model_initialization(&mut item)?;
                }
                "finalization" => {
                    self.advance();
                    self.model_finalization(&mut item)?;
                }
                // Values that follow from the state.
                "def" if self.word_at(1) == "var" => self.skip_clause(),
                "end" if self.ends(&item.name) => {
                    self.end_item(&item.name)?;
                    break;
                }
                _ => break,
            }
        }
        Ok(Item::Model(item))
    }

    /// Whether the `end` at hand is that of the item with this name.
    fn ends(&self, name: &Name) -> bool {
        self.word_at(1) == ";" || self.word_at(1) == name.text.to_lowercase()
    }

    fn end_item(&mut self, name: &Name) -> ParseResult<()> {
        self.advance();
        self.end_name(name);
        self.expect(";")?;
        Ok(())
    }

    fn model_initialization(&mut self, item: &mut Model) -> ParseResult<()> {
        loop {
            match self.word().as_str() {
                "ensures" => {
                    self.advance();
                    item.initialization = Some(self.clause()?);
                    return Ok(());
                }
                "affects" | "updates" | "requires" | "duration" => self.skip_clause(),
                _ => return self.expected("`ensures`"),
            }
        }
    }

    fn model_finalization(&mut self, item: &mut Model) -> ParseResult<()> {
        loop {
            match self.word().as_str() {
                "ensures" => {
                    self.advance();
                    item.finalization = Some(self.clause()?);
                }
                "affects" | "updates" | "requires" | "duration" => self.skip_clause(),
                _ => return Ok(()),
            }
        }
    }

    fn representation(&mut self, name: Name, ty: TypeExp) -> ParseResult<Item> {
        let mut item = Representation {
            name,
            ty,
            convention: None,
            correspondence: None,
            initialization: None,
            finalization: None,
        };
        loop {
            match self.word().as_str() {
                "exemplar" => self.skip_clause(),
                "convention" | "conventions" => {
                    self.advance();
                    item.convention = Some(self.clause()?);
                }
                "correspondence" => {
                    self.advance();
                    while self.accept("depending_on") {
                        self.skip_clause();
                    }
                    item.correspondence = Some(self.clause()?);
                }
                "initialization" => {
                    self.advance();
                    let name = Name { text: "initialization".to_owned(), span: self.span() };
                    let code = self.procedure_body(&name)?;
                    item.initialization = Some(code);
                }
                "finalization" => {
                    self.advance();
                    let name = Name { text: "finalization".to_owned(), span: self.span() };
                    let code = self.procedure_body(&name)?;
                    item.finalization = Some(code);
                }
                "end" if self.ends(&item.name) => {
                    self.end_item(&item.name)?;
                    break;
                }
                _ => break,
            }
        }
        Ok(Item::Representation(Box::new(item)))
    }

    fn definition(&mut self) -> ParseResult<Definition> {
        let is_implicit = self.accept("implicit");
        self.accept("categorical");
        if self.accept("inductive") {
            self.accept("definition");
            return self.inductive();
        }
        if !self.accept("definition") {
            self.expect("def")?;
        }
        self.accept("const");
        let mut definition = self.definition_head()?;
        if is_implicit || self.is("is") {
            self.expect("is")?;
            definition.body = Body::Implicit(self.clause()?);
            return Ok(definition);
        }
        if self.accept("=") {
            definition.body = Body::Is(self.exp()?);
        }
        self.expect(";")?;
        Ok(definition)
    }

    /// The name, parameters and type of a definition, up to its body.
    pub(super) fn definition_head(&mut self) -> ParseResult<Definition> {
        let name = self.name()?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                let names = self.names()?;
                let ty = if self.accept(":") { self.ty()? } else { self.unknown_type(&names[0]) };
                parameters.extend(names.into_iter().map(|name| (name, ty.clone())));
                if !self.accept(";") && !self.accept(",") && !self.is(")") {
                    return self.expected("`,` or `)`");
                }
            }
        }
        self.expect(":")?;
        let result = self.ty()?;
        Ok(Definition { name, parameters, result, body: Body::Open })
    }

    fn unknown_type(&self, name: &Name) -> TypeExp {
        let name = Name { text: "?".to_owned(), span: name.span };
        TypeExp { span: name.span, kind: TypeKind::Name(None, name) }
    }

    /// `Inductive Definition on i: N of f(x: Z, (i): N): Z is (i) …; (ii) …;`.
    fn inductive(&mut self) -> ParseResult<Definition> {
        let mut on = None;
        if self.accept("on") {
            let name = self.name()?;
            self.expect(":")?;
            on = Some((name, self.ty()?));
            self.expect("of")?;
        }
        let mut definition = self.definition_head()?;
        if let Some((name, ty)) = on {
            // The parameter that is named again has the type that was given before.
            for parameter in &mut definition.parameters {
                if parameter.0.text == name.text {
                    parameter.1 = ty.clone();
                }
            }
        }
        self.expect("is")?;
        let mut cases: Vec<Exp> = Vec::new();
        while self.is("(")
            && matches!(self.word_at(1).as_str(), "i" | "ii" | "iii" | "iv")
            && self.word_at(2) == ")"
        {
            (0..3).for_each(|_| self.advance());
            cases.push(self.clause()?);
        }
        if cases.is_empty() {
            return self.expected("`(i)`, the first case");
        }
        definition.body = Body::Inductive(cases);
        Ok(definition)
    }

    /// `is Concept(arguments) realized by …`, with enhancements.
    pub(super) fn facility_instance(&mut self, name: Name) -> ParseResult<FacilityItem> {
        self.expect("is")?;
        let concept = self.name()?;
        let arguments = self.arguments()?;
        let mut facility = FacilityItem { name, concept, arguments, enhancements: Vec::new() };
        loop {
            self.accept("externally");
            if self.accept("realized") || self.accept("implemented") {
                self.expect("by")?;
                self.name()?;
                self.accept_all(&["with_profile"]);
                self.arguments()?;
            } else if self.accept("enhanced") {
                self.expect("by")?;
                let name = self.name()?;
                let arguments = self.arguments()?;
                facility.enhancements.push((name, arguments));
            } else if self.accept("with_profile") {
                self.name()?;
            } else {
                break;
            }
        }
        self.expect(";")?;
        Ok(facility)
    }

    /// Arguments of modules: types, values and operations look alike.
    fn arguments(&mut self) -> ParseResult<Vec<Exp>> {
        let mut arguments = Vec::new();
        if self.accept("(") {
            while !self.accept(")") {
                arguments.push(self.exp()?);
                if !self.accept(",") && !self.is(")") {
                    return self.expected("`,` or `)`");
                }
            }
        }
        Ok(arguments)
    }
}
