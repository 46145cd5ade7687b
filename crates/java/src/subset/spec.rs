//! Specifications: names are found, and variables that range over nothing in particular get a domain.

use super::names::Names;
use super::{Formula, OutsideSubset, Quantifier, RESULT, Set, beyond};
use crate::alloy::{self, Comparison, Multiplicity, Relation, RelationKind};
use crate::spec::{self, Condition};

pub(super) fn condition(
    names: &Names<'_, '_>,
    condition: &Condition,
    is_post: bool,
) -> Result<Formula, OutsideSubset> {
    match &condition.formula {
        spec::Formula::Alloy(formula) => {
            Reader { names, is_post, bound: Vec::new() }.formula(formula)
        }
        spec::Formula::Jml(_) => {
            beyond(condition.at, "the paper specifies with formulas over relations, not with JML")
        }
    }
}

struct Reader<'r, 'p, 's> {
    names: &'r Names<'p, 's>,
    is_post: bool,
    /// Bound variables with the domains of their values, if these are known.
    bound: Vec<(String, Option<String>)>,
}

impl Reader<'_, '_, '_> {
    fn formula(&mut self, formula: &alloy::Formula) -> Result<Formula, OutsideSubset> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.read(formula))
    }

    fn both(
        &mut self,
        a: &alloy::Formula,
        b: &alloy::Formula,
    ) -> Result<(Box<Formula>, Box<Formula>), OutsideSubset> {
        Ok((Box::new(self.formula(a)?), Box::new(self.formula(b)?)))
    }

    fn read(&mut self, formula: &alloy::Formula) -> Result<Formula, OutsideSubset> {
        use alloy::Formula as Alloy;
        Ok(match formula {
            Alloy::True => Formula::True,
            Alloy::Not(a) => not(self.formula(a)?),
            Alloy::And(a, b) => {
                let (a, b) = self.both(a, b)?;
                Formula::And(a, b)
            }
            Alloy::Or(a, b) => {
                let (a, b) = self.both(a, b)?;
                Formula::Or(a, b)
            }
            Alloy::Implies(a, b) => {
                let (a, b) = self.both(a, b)?;
                Formula::Implies(a, b)
            }
            Alloy::Iff(a, b) => {
                let (a, b) = self.both(a, b)?;
                Formula::And(
                    Box::new(Formula::Implies(a.clone(), b.clone())),
                    Box::new(Formula::Implies(b, a)),
                )
            }
            Alloy::Compare(comparison, a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                match comparison {
                    Comparison::In => Formula::In(a, b),
                    Comparison::NotIn => not(Formula::In(a, b)),
                    Comparison::Equal => Formula::Equal(a, b),
                    Comparison::Unequal => not(Formula::Equal(a, b)),
                    Comparison::Less => Formula::Less(a, b),
                    Comparison::Greater => Formula::Less(b, a),
                    Comparison::LessOrEqual => not(Formula::Less(b, a)),
                    Comparison::GreaterOrEqual => not(Formula::Less(a, b)),
                }
            }
            Alloy::Count(multiplicity, set) => {
                Formula::Count(quantifier(*multiplicity), self.set(set)?)
            }
            Alloy::Quantified(multiplicity, variables, body) => {
                self.quantified(*multiplicity, variables, body)?
            }
        })
    }

    fn quantified(
        &mut self,
        multiplicity: Multiplicity,
        variables: &[alloy::Variable],
        body: &alloy::Formula,
    ) -> Result<Formula, OutsideSubset> {
        let Some((first, rest)) = variables.split_first() else { return self.formula(body) };
        if !rest.is_empty() && matches!(multiplicity, Multiplicity::One | Multiplicity::Sole) {
            return beyond(first.at, "`one` and `sole` bind one variable in the paper's subset");
        }
        let within = self.bind(first, body)?;
        // That there is no pair is that of each first there is no second.
        let (outer, inner) = match multiplicity {
            Multiplicity::No if !rest.is_empty() => (Multiplicity::All, Multiplicity::No),
            other => (other, other),
        };
        let inner = self.quantified(inner, rest, body);
        self.bound.pop();
        let (quantifier, body) = (quantifier(outer), Box::new(inner?));
        Ok(Formula::Quantified(quantifier, first.name.clone(), within, body))
    }

    /// Opens the scope of a variable; what it ranges over.
    fn bind(
        &mut self,
        variable: &alloy::Variable,
        body: &alloy::Formula,
    ) -> Result<Option<Set>, OutsideSubset> {
        let within = variable.within.as_ref().map(|within| self.set(within)).transpose()?;
        let domain = match &within {
            Some(within) => self.domain(within),
            None => {
                self.bound.push((variable.name.clone(), None));
                let used = self.used(&variable.name, body);
                self.bound.pop();
                used
            }
        };
        let within = within.or_else(|| domain.clone().map(Set::Name));
        self.bound.push((variable.name.clone(), domain));
        Ok(within)
    }

    fn set(&mut self, relation: &Relation) -> Result<Set, OutsideSubset> {
        let boxed = |reader: &mut Self, inner: &Relation| reader.set(inner).map(Box::new);
        Ok(match &relation.kind {
            RelationKind::Empty => Set::Empty,
            RelationKind::Name(name, has_prime) => return self.name(relation, name, *has_prime),
            RelationKind::Union(a, b) => Set::Union(boxed(self, a)?, boxed(self, b)?),
            RelationKind::Difference(a, b) => Set::Difference(boxed(self, a)?, boxed(self, b)?),
            RelationKind::Intersection(a, b) => Set::Intersection(boxed(self, a)?, boxed(self, b)?),
            RelationKind::Join(a, b) => Set::Join(boxed(self, a)?, boxed(self, b)?),
            RelationKind::Transpose(a) => Set::Transpose(boxed(self, a)?),
            RelationKind::Closure(a) => Set::Closure(boxed(self, a)?),
            RelationKind::ReflexiveClosure(a) => Set::ReflexiveClosure(boxed(self, a)?),
            RelationKind::Comprehension(variables, body) => {
                let [variable] = &variables[..] else {
                    return beyond(relation.at, "a set has one variable");
                };
                let within = self.bind(variable, body)?.map(Box::new);
                let body = self.formula(body);
                self.bound.pop();
                Set::Comprehension(variable.name.clone(), within, Box::new(body?))
            }
            RelationKind::Number(_) | RelationKind::Size(_) => {
                return beyond(relation.at, "numbers are only compared in the paper's subset");
            }
        })
    }

    fn name(&self, relation: &Relation, name: &str, has_prime: bool) -> Result<Set, OutsideSubset> {
        let procedure = &self.names.procedure;
        if has_prime && !self.is_post {
            return beyond(relation.at, "there is no state after this one");
        }
        if self.bound.iter().any(|(known, _)| known == name) {
            return Ok(Set::name(name));
        }
        if name == "null" {
            return Ok(Set::Empty);
        }
        if matches!(name, "result" | "return" | "returned")
            && self.is_post
            && procedure.result.is_some()
        {
            return Ok(Set::name(RESULT));
        }
        if let Some((name, _)) = self.names.variable(name) {
            return Ok(Set::Name(name));
        }
        if procedure.fields.iter().any(|field| field.name == name) {
            return Ok(Set::Name(if has_prime { format!("{name}'") } else { name.to_owned() }));
        }
        if procedure.domains.iter().any(|domain| domain == name) {
            return Ok(Set::name(name));
        }
        beyond(relation.at, format!("`{name}` is no variable, field or class of the procedure"))
    }

    /// The domain that the members of a set, or of the last column of a relation, are of.
    fn domain(&self, set: &Set) -> Option<String> {
        let procedure = &self.names.procedure;
        match set {
            Set::Empty => None,
            Set::Name(name) => {
                if let Some((_, domain)) = self.bound.iter().rev().find(|(known, _)| known == name)
                {
                    return domain.clone();
                }
                if name == RESULT {
                    return procedure.result.clone();
                }
                let plain = name.trim_end_matches('\'');
                let field = procedure.fields.iter().find(|field| field.name == plain);
                let variable = || procedure.variables.iter().find(|known| known.name == *name);
                let domain = || procedure.domains.iter().find(|known| *known == name).cloned();
                field
                    .map(|field| field.to.clone())
                    .or_else(|| variable().map(|variable| variable.domain.clone()))
                    .or_else(domain)
            }
            Set::Union(a, b) | Set::Difference(a, b) | Set::Intersection(a, b) => {
                self.domain(a).or_else(|| self.domain(b))
            }
            Set::Join(_, b) => self.domain(b),
            Set::Transpose(a) => self.source(a),
            Set::Closure(a) | Set::ReflexiveClosure(a) => self.domain(a),
            Set::Comprehension(_, within, _) => within.as_ref().and_then(|set| self.domain(set)),
        }
    }

    /// The domain of the first column of a relation.
    fn source(&self, relation: &Set) -> Option<String> {
        match relation {
            Set::Name(name) => {
                let plain = name.trim_end_matches('\'');
                let fields = &self.names.procedure.fields;
                fields.iter().find(|field| field.name == plain).map(|field| field.from.clone())
            }
            Set::Closure(a) | Set::ReflexiveClosure(a) | Set::Join(a, _) => self.source(a),
            Set::Transpose(a) => self.domain(a),
            Set::Union(a, b) | Set::Difference(a, b) | Set::Intersection(a, b) => {
                self.source(a).or_else(|| self.source(b))
            }
            Set::Empty | Set::Comprehension(..) => None,
        }
    }

    /// The domain of a bound variable, from how a formula uses it: the class whose field is read of it,
    /// or what it is compared with.
    fn used(&mut self, name: &str, body: &alloy::Formula) -> Option<String> {
        use alloy::Formula as Alloy;
        match body {
            Alloy::True => None,
            Alloy::Not(a) => self.used(name, a),
            Alloy::And(a, b) | Alloy::Or(a, b) | Alloy::Implies(a, b) | Alloy::Iff(a, b) => {
                self.used(name, a).or_else(|| self.used(name, b))
            }
            Alloy::Count(_, set) => self.read_of(name, set),
            Alloy::Quantified(_, variables, body) => {
                let within = variables.iter().filter_map(|variable| variable.within.as_ref());
                let found = within.into_iter().find_map(|within| self.read_of(name, within));
                if found.is_some() {
                    return found;
                }
                let outer = self.bound.len();
                for variable in variables {
                    let within = variable.within.as_ref().and_then(|set| self.set(set).ok());
                    let domain = within.and_then(|set| self.domain(&set));
                    self.bound.push((variable.name.clone(), domain));
                }
                let found = self.used(name, body);
                self.bound.truncate(outer);
                found
            }
            Alloy::Compare(_, a, b) => {
                let is_it = |set: &Relation| matches!(&set.kind, RelationKind::Name(known, _) if known == name);
                self.read_of(name, a).or_else(|| self.read_of(name, b)).or_else(|| {
                    let other = if is_it(a) { b } else { Some(a).filter(|_| is_it(b))? };
                    let other = self.set(other).ok()?;
                    self.domain(&other)
                })
            }
        }
    }

    /// The class whose field is read of a variable somewhere in a set.
    fn read_of(&mut self, name: &str, set: &Relation) -> Option<String> {
        match &set.kind {
            RelationKind::Join(a, b) => match &a.kind {
                RelationKind::Name(known, _) if known == name => {
                    let relation = self.set(b).ok()?;
                    self.source(&relation)
                }
                _ => self.read_of(name, a).or_else(|| self.read_of(name, b)),
            },
            RelationKind::Union(a, b)
            | RelationKind::Difference(a, b)
            | RelationKind::Intersection(a, b) => {
                self.read_of(name, a).or_else(|| self.read_of(name, b))
            }
            RelationKind::Transpose(a)
            | RelationKind::Closure(a)
            | RelationKind::ReflexiveClosure(a)
            | RelationKind::Size(a) => self.read_of(name, a),
            RelationKind::Name(..)
            | RelationKind::Number(_)
            | RelationKind::Empty
            | RelationKind::Comprehension(..) => None,
        }
    }
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

fn quantifier(multiplicity: Multiplicity) -> Quantifier {
    match multiplicity {
        Multiplicity::All => Quantifier::All,
        Multiplicity::Some => Quantifier::Some,
        Multiplicity::No => Quantifier::No,
        Multiplicity::One => Quantifier::One,
        Multiplicity::Sole => Quantifier::Sole,
    }
}
