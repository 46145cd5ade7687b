//! The addresses of objects of byte memory: one table for every meaning of a program.
//!
//! An address is a word: the number of an object in its upper 24 bits, below it the offset, shifted so
//! that offset zero lies in the middle. So an object's bytes have distinct addresses, moving a pointer
//! within reach of its object never gets to another, and addresses do not depend on what else was
//! allocated. Object zero is no object: its addresses are small integers, and zero is `null`.
//!
//! Static objects are numbered from one in the order of the module; after them come the objects that an
//! execution allocates, and from [`ENVIRONMENT`] on those that existed before it began.

/// The bits of an address.
pub const ADDRESS_BITS: u32 = 64;

/// The bits of an address that are an offset.
pub const OFFSET_BITS: u32 = 40;

/// Objects from this number on belong to the environment.
pub const ENVIRONMENT: u64 = 1 << 23;

/// The number that is no object's: the addresses above all objects are negative integers.
pub const NO_OBJECT: u64 = (1 << (ADDRESS_BITS - OFFSET_BITS)) - 1;

/// No object has more bytes.
pub const LARGEST_OBJECT: u64 = MIDDLE - 1;

/// Where offset zero lies.
const MIDDLE: u64 = 1 << (OFFSET_BITS - 1);

const OFFSETS: u64 = (1 << OFFSET_BITS) - 1;

/// The address of an offset in an object.
pub fn address(object: u64, offset: i64) -> u64 {
    match object {
        0 => offset as u64 & OFFSETS,
        _ => object << OFFSET_BITS | (MIDDLE.wrapping_add_signed(offset) & OFFSETS),
    }
}

/// The object and the offset in it that lie at an address.
pub fn at_address(address: u64) -> (u64, i64) {
    let (object, place) = (address >> OFFSET_BITS, address & OFFSETS);
    match object {
        0 => (0, place as i64),
        _ => (object, place as i64 - MIDDLE as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_places_are_the_same_thing() {
        assert_eq!(address(0, 0), 0);
        let reach = MIDDLE as i64;
        for object in [1, 2, ENVIRONMENT, NO_OBJECT] {
            for offset in [0, 1, -1, 4096, reach - 1, -reach] {
                assert_eq!(at_address(address(object, offset)), (object, offset));
            }
        }
        for address_of in [0, 1, 77, u64::MAX, u64::MAX - 4094, 1 << 40, 0xdead_beef_dead_beef] {
            let (object, offset) = at_address(address_of);
            assert_eq!(address(object, offset), address_of);
        }
        assert_eq!(address(3, 9) - address(3, 1), 8);
    }
}
