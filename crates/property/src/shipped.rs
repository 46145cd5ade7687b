//! The properties that come with the program.

use crate::data::Properties;
use crate::read::read_properties;

/// The files, by name.
pub const SHIPPED: [(&str, &str); 2] = [
    ("linux.toml", include_str!("../properties/linux.toml")),
    ("posix.toml", include_str!("../properties/posix.toml")),
];

/// All properties that come with the program.
pub fn shipped() -> Properties {
    let mut all = Properties::default();
    for (name, text) in SHIPPED {
        let (properties, faults) = read_properties(text);
        assert!(faults.is_empty(), "{name} is in order: {faults:?}");
        all.extend(properties);
    }
    all
}

impl Properties {
    /// Adds other properties behind these; of two declarations of one function both count.
    pub fn extend(&mut self, other: Properties) {
        self.rules.extend(other.rules);
        self.reported.extend(other.reported);
        self.machines.extend(other.machines);
        self.allocators.extend(other.allocators);
        self.releases.extend(other.releases);
        self.identities.extend(other.identities);
        self.borrows.extend(other.borrows);
        self.error_addresses = self.error_addresses.max(other.error_addresses);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_shipped_properties_are_in_order() {
        let all = super::shipped();
        assert!(all.machines.len() >= 6);
        assert!(!all.allocators.is_empty() && !all.releases.is_empty());
        assert_eq!(all.first_error(), Some(0xffff_ffff_ffff_f000));
    }
}
