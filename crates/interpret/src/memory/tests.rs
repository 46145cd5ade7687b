//! Loads, stores, objects and addresses.

use super::*;

fn memory(sizes: &[u64]) -> (Objects, Bytes) {
    let mut objects = Objects::default();
    for size in sizes {
        objects.allocate(&NewObject::new(*size, Storage::Heap)).expect("there is room");
    }
    (objects, Bytes::default())
}

#[test]
fn a_pointer_survives_whole_and_byte_by_byte() {
    let (objects, mut bytes) = memory(&[16, 16]);
    let now = objects.now();
    let stored = Pointer { object: 2, offset: 5 };
    bytes.store(&objects, now, Pointer::to(1), &Type::Ptr, &Value::Ptr(stored)).unwrap();
    let at = |offset| Pointer { object: 1, offset };
    assert_eq!(bytes.load(&objects, now, at(0), &Type::Ptr), Ok(Value::Ptr(stored)));
    let address = stored.address();
    assert_eq!(bytes.load(&objects, now, at(0), &Type::Bv(64)), Ok(Value::bv(64, address)));
    for offset in 0..8 {
        let byte = bytes.load(&objects, now, at(offset), &Type::Bv(8)).unwrap();
        bytes.store(&objects, now, at(8 + offset), &Type::Bv(8), &byte).unwrap();
    }
    assert_eq!(bytes.load(&objects, now, at(8), &Type::Ptr), Ok(Value::Ptr(stored)));
    assert_eq!(Pointer::at(address), stored);
}

#[test]
fn overwriting_a_byte_of_a_pointer_gives_another() {
    let (objects, mut bytes) = memory(&[16, 16]);
    let now = objects.now();
    let far = Pointer { object: 2, offset: 1 << 38 };
    bytes.store(&objects, now, Pointer::to(1), &Type::Ptr, &Value::Ptr(far)).unwrap();
    assert_eq!(bytes.load(&objects, now, Pointer::to(1), &Type::Ptr), Ok(Value::Ptr(far)));
    let sixth = Pointer { object: 1, offset: 5 };
    bytes.store(&objects, now, sixth, &Type::Bv(8), &Value::bv(8, 1)).unwrap();
    let Ok(Value::Ptr(now_at)) = bytes.load(&objects, now, Pointer::to(1), &Type::Ptr) else {
        panic!("the bytes are all written")
    };
    assert_eq!(now_at, Pointer { object: 1, ..far }, "as its address says");
}

#[test]
fn what_is_written_over_memory_leaves_the_rest() {
    let (mut before, mut after) = (Bytes::default(), Bytes::default());
    before.write(1, 0, &[1, 2, 3]);
    after.write(1, 1, &[9]);
    after.write(2, 0, &[7]);
    let written: Vec<_> = before.overwritten(&after).written().collect();
    assert_eq!(written, [(1, 0, 1), (1, 1, 9), (1, 2, 3), (2, 0, 7)]);
}

#[test]
fn the_environment_is_zero_by_default() {
    let mut objects = Objects::default();
    let given = NewObject::new(8, Storage::Environment).numbered(ENVIRONMENT);
    let given = objects.allocate(&given).expect("the number is free");
    let mut bytes = Bytes::default();
    bytes.write(given, 1, &[5]);
    let loaded = bytes.load(&objects, objects.now(), Pointer::to(given), &Type::Bv(16));
    assert_eq!(loaded, Ok(Value::bv(16, 0x500)));
}

#[test]
fn accesses_that_cannot_be_are_faults() {
    let (mut objects, mut bytes) = memory(&[4]);
    let now = objects.now();
    let at = |offset| Pointer { object: 1, offset };
    let read = |objects: &Objects, bytes: &Bytes, pointer| {
        bytes.load(objects, objects.now(), pointer, &Type::Bv(16)).unwrap_err()
    };
    assert_eq!(read(&objects, &bytes, at(0)), Undefined::Byte(at(0)).into());
    bytes.store(&objects, now, at(0), &Type::Bv(8), &Value::bv(8, 7)).unwrap();
    assert_eq!(read(&objects, &bytes, at(0)), Undefined::Byte(at(1)).into());
    let peek = |bytes: &Bytes, offset| bytes.peek(&objects, now, at(offset));
    assert_eq!([peek(&bytes, 0), peek(&bytes, 1)], [Ok(7), Ok(0)]);
    assert_eq!(peek(&bytes, 4), Err(Undefined::OutOfRange(at(4), 1).into()));
    for pointer in [at(3), at(-1), at(i64::MAX), Pointer::NULL, Pointer::to(2)] {
        assert_eq!(read(&objects, &bytes, pointer), Undefined::OutOfRange(pointer, 2).into());
    }
    objects.free(1);
    assert_eq!(read(&objects, &bytes, at(0)), Undefined::Dead(at(0)).into());
    assert!(objects.is_live(1, now), "the past does not change");
    assert!(!objects.is_live(1, objects.now()));
    assert!(matches!(bytes.load(&objects, now, at(0), &Type::Int), Err(EvalError::IllTyped(_))));
}

#[test]
fn values_cross_pages() {
    let (objects, mut bytes) = memory(&[256]);
    let now = objects.now();
    for (offset, width) in [(60, 64), (62, 104), (120, 24), (63, 16)] {
        let word = Word::signed(width, -3);
        let (pointer, ty) = (Pointer { object: 1, offset }, Type::Bv(width));
        bytes.store(&objects, now, pointer, &ty, &Value::Bv(word.clone())).unwrap();
        assert_eq!(bytes.load(&objects, now, pointer, &ty), Ok(Value::Bv(word)));
    }
}

#[test]
fn numbers_are_distinct_and_may_be_given() {
    let mut objects = Objects::default();
    let new = |number| NewObject { number, ..NewObject::new(8, Storage::Heap) };
    assert_eq!(objects.allocate(&new(Some(7))), Ok(7));
    for taken in [0, 7, NO_OBJECT, NO_OBJECT + 1] {
        assert!(objects.allocate(&new(Some(taken))).is_err(), "{taken:#x}");
    }
    assert_eq!(objects.allocate(&new(None)), Ok(8));
    assert_eq!(objects.allocate(&new(Some(3))), Ok(3));
    assert_eq!(objects.next_given(), ENVIRONMENT);
    assert_eq!(objects.allocate(&new(Some(ENVIRONMENT + 4))), Ok(ENVIRONMENT + 4));
    assert_eq!((objects.next(), objects.next_given()), (9, ENVIRONMENT + 5));
    let huge = NewObject::new(u64::MAX - 5, Storage::Heap);
    assert!(objects.allocate(&huge).is_err());
}
