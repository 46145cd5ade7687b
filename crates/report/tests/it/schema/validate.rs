//! As much of JSON Schema (draft 7) as the SARIF schema uses, and no more: a keyword that is not known
//! here is an error, so that nothing is passed over in silence. General validators need a hundred
//! crates, which every build of the tests would have to wait for.

use serde_json::{Map, Value};

/// What is wrong with an instance, each fault with a pointer to where it is.
pub fn validate(schema: &Value, instance: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    Validator { root: schema, faults: &mut faults }.check(schema, instance, "");
    faults
}

struct Validator<'a> {
    root: &'a Value,
    faults: &'a mut Vec<String>,
}

impl Validator<'_> {
    fn check(&mut self, schema: &Value, instance: &Value, at: &str) {
        // A schema is an object, `true` or `false`.
        let Some(keywords) = schema.as_object() else {
            return self.expect(schema != &Value::Bool(false), at, "is not allowed");
        };
        for (keyword, argument) in keywords {
            let holds = match keyword.as_str() {
                "title" | "description" | "default" | "definitions" | "$schema" | "$id" => true,
                "$ref" => {
                    let pointer = argument.as_str().and_then(|target| target.strip_prefix('#'));
                    let target = pointer.and_then(|pointer| self.root.pointer(pointer));
                    self.check(target.expect("references are local"), instance, at);
                    true
                }
                "type" => match argument.as_array() {
                    Some(types) => types.iter().any(|name| has_type(instance, name)),
                    None => has_type(instance, argument),
                },
                "enum" => argument.as_array().is_some_and(|values| values.contains(instance)),
                "anyOf" => self.matching(argument, instance) > 0,
                "oneOf" => self.matching(argument, instance) == 1,
                "minimum" => instance.as_f64().is_none_or(|n| n >= number(argument)),
                "maximum" => instance.as_f64().is_none_or(|n| n <= number(argument)),
                "minItems" => {
                    instance.as_array().is_none_or(|i| i.len() as f64 >= number(argument))
                }
                "uniqueItems" => {
                    argument == &Value::Bool(false) || instance.as_array().is_none_or(|i| unique(i))
                }
                "items" => {
                    for (i, item) in instance.as_array().into_iter().flatten().enumerate() {
                        self.check(argument, item, &format!("{at}/{i}"));
                    }
                    true
                }
                "required" => instance.as_object().is_none_or(|object| {
                    let mut names =
                        argument.as_array().into_iter().flatten().flat_map(Value::as_str);
                    names.all(|name| object.contains_key(name))
                }),
                "properties" | "additionalProperties" => true,
                "format" => instance.as_str().is_none_or(|text| has_format(text, argument)),
                // Patterns are for identifiers, languages and dates, of which we write none.
                "pattern" => !instance.is_string(),
                unknown => panic!("the schema has a keyword that this validator lacks: {unknown}"),
            };
            self.expect(holds, at, &format!("breaks {keyword} {argument}"));
        }
        if let Some(object) = instance.as_object() {
            self.check_properties(keywords, object, at);
        }
    }

    fn check_properties(
        &mut self,
        keywords: &Map<String, Value>,
        object: &Map<String, Value>,
        at: &str,
    ) {
        for (name, value) in object {
            let named = keywords.get("properties").and_then(|properties| properties.get(name));
            if let Some(schema) = named.or(keywords.get("additionalProperties")) {
                self.check(schema, value, &format!("{at}/{name}"));
            }
        }
    }

    fn matching(&self, schemas: &Value, instance: &Value) -> usize {
        let matches = |schema: &&Value| {
            let mut faults = Vec::new();
            Validator { root: self.root, faults: &mut faults }.check(schema, instance, "");
            faults.is_empty()
        };
        schemas.as_array().into_iter().flatten().filter(matches).count()
    }

    fn expect(&mut self, holds: bool, at: &str, fault: &str) {
        if !holds {
            self.faults.push(format!("{at} {fault}"));
        }
    }
}

fn has_type(instance: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => instance.is_object(),
        Some("array") => instance.is_array(),
        Some("string") => instance.is_string(),
        Some("boolean") => instance.is_boolean(),
        Some("null") => instance.is_null(),
        Some("number") => instance.is_number(),
        Some("integer") => instance.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => panic!("the schema has a type that this validator lacks: {name}"),
    }
}

fn has_format(text: &str, format: &Value) -> bool {
    let is_reference = text.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b));
    match format.as_str() {
        Some("uri-reference") => is_reference,
        Some("uri") => is_reference && text.contains(':'),
        // Dates: we write none.
        _ => false,
    }
}

fn number(argument: &Value) -> f64 {
    argument.as_f64().expect("a limit is a number")
}

fn unique(items: &[Value]) -> bool {
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}
