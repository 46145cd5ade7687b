//! Suggestions for unknown names.

/// The known names nearest to an unknown one, nearest first, at most three. A name is near if at most a third of its
/// letters differ, if one contains the other, or if they have a common prefix.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let name = name.to_lowercase().replace('_', "-");
    let letters = name.chars().count();
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|known| {
            let distance = strsim::damerau_levenshtein(&name, known);
            let is_part = letters >= 3 && (known.contains(&name) || name.contains(known));
            let is_near = distance <= letters.max(known.len()).div_ceil(3);
            let begins_alike = strsim::jaro_winkler(&name, known) >= 0.85;
            (is_near || is_part || begins_alike).then_some((distance, known))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().map(|(_, known)| known).take(3).collect()
}

/// A suggestion as the end of a sentence, or nothing.
pub(crate) fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    match nearest(name, known).as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        [most @ .., last] => format!("; did you mean `{}` or `{last}`?", most.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, suggestion};

    const KNOWN: [&str; 4] = ["unroll", "inline", "time-limit", "null-dereference"];

    #[test]
    fn misspelt_and_partial_names_are_near() {
        assert_eq!(nearest("unrol", KNOWN), ["unroll"]);
        assert_eq!(nearest("Time_Limit", KNOWN), ["time-limit"]);
        assert_eq!(nearest("null", KNOWN), ["null-dereference"]);
        assert_eq!(nearest("nul-deref", KNOWN), ["null-dereference"]);
        assert_eq!(nearest("colour", KNOWN), Vec::<&str>::new());
    }

    #[test]
    fn a_suggestion_is_a_question_or_nothing() {
        assert_eq!(suggestion("inlin", KNOWN), "; did you mean `inline`?");
        assert_eq!(suggestion("x", KNOWN), "");
    }
}
