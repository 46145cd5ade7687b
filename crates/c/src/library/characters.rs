//! The tables of the C locale, as glibc lays them out: an entry for each number from -128 to 255.

/// The tables by name, as bytes.
pub(super) fn tables() -> [(&'static str, Vec<u8>); 3] {
    let all = || -128..256i32;
    let case = |change: fn(u8) -> u8| -> Vec<u8> {
        let entry = |c: i32| match c {
            // The end of a file is left as it is.
            -1 => -1,
            0..128 => i32::from(change(c as u8)),
            other => other & 0xff,
        };
        all().flat_map(|c| entry(c).to_le_bytes()).collect()
    };
    let classes = all().flat_map(|c| u8::try_from(c).map_or(0, class).to_le_bytes()).collect();
    [
        ("classes", classes),
        ("lower_case", case(|c| c.to_ascii_lowercase())),
        ("upper_case", case(|c| c.to_ascii_uppercase())),
    ]
}

/// The bits of a character: what the functions of `<ctype.h>` ask for.
fn class(c: u8) -> u16 {
    let is_space = c == b' ' || (9..=13).contains(&c);
    let bits = [
        (0x100, c.is_ascii_uppercase()),
        (0x200, c.is_ascii_lowercase()),
        (0x400, c.is_ascii_alphabetic()),
        (0x800, c.is_ascii_digit()),
        (0x1000, c.is_ascii_hexdigit()),
        (0x2000, is_space),
        (0x4000, c == b' ' || c.is_ascii_graphic()),
        (0x8000, c.is_ascii_graphic()),
        (0x1, c == b' ' || c == b'\t'),
        (0x2, c.is_ascii_control()),
        (0x4, c.is_ascii_punctuation()),
        (0x8, c.is_ascii_alphanumeric()),
    ];
    bits.into_iter().filter(|(_, holds)| *holds).map(|(bit, _)| bit).sum()
}
