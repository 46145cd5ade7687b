//! Values of every type.
//!
//! Equality, order and hashing of [`Value`] are those of data, so that values can be keys and executions can
//! be compared. The equality of VIR is [`equal`](crate::equal()): it takes into account that two maps with
//! different representations may agree everywhere, and that an unknown value may or may not be equal.

use std::collections::BTreeMap;
use std::sync::Arc;

use ir::{Module, RecordId, SortId, Type, VariantId};
use smallvec::{SmallVec, smallvec};

use crate::error::{EvalError, Undefined};
use crate::integer::Integer;
use crate::memory::{Bytes, Pointer};
use crate::word::Word;
use crate::world::World;

/// A value. What is large is shared, so that a copy is cheap; it is copied when it is written to
/// while shared.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A word.
    Bv(Word),
    /// An integer.
    Int(Integer),
    /// An atom of a sort, by number; zero is `null`.
    Atom(SortId, u64),
    /// A pointer.
    Ptr(Pointer),
    /// A map.
    Map(Arc<MapValue>),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A record. A field that was not set has no value; reading it is an error.
    Record(RecordId, Arc<Vec<Option<Value>>>),
    /// A value of a tagged union: the constructor by number, and its arguments.
    Variant(VariantId, u32, Arc<Vec<Value>>),
    /// Byte memory.
    Bytes(Bytes),
}

/// The keys of one entry of a map.
pub type Key = SmallVec<[Value; 1]>;

/// The type of a map.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MapType {
    /// The types of the keys.
    pub keys: Vec<Type>,
    /// The type of the values.
    pub value: Type,
}

/// A map: finitely many exceptions to a rest.
///
/// Invariants: keys are [canonical](crate::canonical); no exception is the value of the rest.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MapValue {
    rest: Rest,
    entries: BTreeMap<Key, Value>,
    ty: Arc<MapType>,
}

/// The value of a map where it has no exception.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rest {
    /// This value.
    Is(Value),
    /// Some fixed but unknown map. Two maps with the same unknown rest agree on it. Zero denotes an unknown
    /// without a number; an execution numbers it at first use.
    Unknown(u32),
}

impl Value {
    /// An integer.
    pub fn int(value: i64) -> Value {
        Value::Int(Integer::from(value))
    }

    /// A word.
    pub fn bv(width: u32, bits: u64) -> Value {
        Value::Bv(Word::new(width, bits))
    }

    /// `null` of a sort.
    pub fn null(sort: SortId) -> Value {
        Value::Atom(sort, 0)
    }

    /// A sequence.
    pub fn seq(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Seq(Arc::new(elements.into_iter().collect()))
    }

    /// A record with all its fields.
    pub fn record(id: RecordId, fields: impl IntoIterator<Item = Value>) -> Value {
        Value::Record(id, Arc::new(fields.into_iter().map(Some).collect()))
    }

    /// A value of a tagged union.
    pub fn variant(id: VariantId, constructor: u32, arguments: Vec<Value>) -> Value {
        Value::Variant(id, constructor, Arc::new(arguments))
    }

    /// The default of a type: false, zero, `null`, the empty sequence, memory without any byte
    /// written, the first constructor, and for maps and records the default in every part.
    pub fn default_of(ty: &Type, module: &Module) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Bv(width) => Value::bv(*width, 0),
            Type::Int => Value::int(0),
            Type::Sort(sort) => Value::null(*sort),
            Type::Ptr => Value::Ptr(Pointer::NULL),
            Type::Map(keys, value) => {
                let rest = Value::default_of(value, module);
                Value::from(MapValue::constant(MapType::new(keys, value), rest))
            }
            Type::Seq(_) => Value::seq([]),
            Type::Record(id) => {
                let fields = &module.records[id.0 as usize].fields;
                Value::record(*id, fields.iter().map(|(_, ty)| Value::default_of(ty, module)))
            }
            Type::Variant(id) => {
                let constructors = &module.variants[id.0 as usize].constructors;
                let types = constructors.first().map_or(&[][..], |(_, types)| types);
                let arguments = types.iter().map(|ty| Value::default_of(ty, module)).collect();
                Value::variant(*id, 0, arguments)
            }
            Type::Bytes => Value::Bytes(Bytes::default()),
        }
    }

    /// A map of the type of which nothing is known; none if the type is no map type.
    pub fn unknown_map(ty: &Type) -> Option<Value> {
        match ty {
            Type::Map(keys, value) => {
                Some(Value::from(MapValue::unknown(MapType::new(keys, value))))
            }
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Sort(_)
            | Type::Ptr
            | Type::Seq(_)
            | Type::Record(_)
            | Type::Variant(_)
            | Type::Bytes => None,
        }
    }

    /// A value of the type of which nothing is known, if the type has parts that can be unknown one
    /// by one.
    pub(crate) fn unknown_of(ty: &Type, module: &Module) -> Option<Value> {
        match ty {
            Type::Map(..) => Value::unknown_map(ty),
            Type::Record(id) => {
                let count = module.records[id.0 as usize].fields.len();
                Some(Value::Record(*id, Arc::new(vec![None; count])))
            }
            Type::Bytes => Some(Value::Bytes(Bytes::default())),
            Type::Bool
            | Type::Bv(_)
            | Type::Int
            | Type::Sort(_)
            | Type::Ptr
            | Type::Seq(_)
            | Type::Variant(_) => None,
        }
    }

    /// Whether this is a value of the type.
    pub fn has_type(&self, ty: &Type, module: &Module) -> bool {
        match (self, ty) {
            (Value::Bool(_), Type::Bool)
            | (Value::Int(_), Type::Int)
            | (Value::Ptr(_), Type::Ptr)
            | (Value::Bytes(_), Type::Bytes) => true,
            (Value::Bv(word), Type::Bv(width)) => word.width() == *width,
            (Value::Atom(sort, _), Type::Sort(expected)) => sort == expected,
            (Value::Map(map), Type::Map(keys, value)) => map.has_type(keys, value, module),
            (Value::Seq(elements), Type::Seq(ty)) => {
                elements.iter().all(|element| element.has_type(ty, module))
            }
            (Value::Record(id, values), Type::Record(expected)) => {
                let fields = &module.records[expected.0 as usize].fields;
                let mut pairs = values.iter().zip(fields);
                id == expected
                    && values.len() == fields.len()
                    && pairs.all(|(value, (_, ty))| {
                        value.as_ref().is_none_or(|value| value.has_type(ty, module))
                    })
            }
            (Value::Variant(id, constructor, arguments), Type::Variant(expected)) => {
                let constructors = &module.variants[expected.0 as usize].constructors;
                id == expected
                    && constructors.get(*constructor as usize).is_some_and(|(_, types)| {
                        arguments.len() == types.len()
                            && arguments.iter().zip(types).all(|(a, ty)| a.has_type(ty, module))
                    })
            }
            (
                Value::Bool(_)
                | Value::Bv(_)
                | Value::Int(_)
                | Value::Atom(..)
                | Value::Ptr(_)
                | Value::Map(_)
                | Value::Seq(_)
                | Value::Record(..)
                | Value::Variant(..)
                | Value::Bytes(_),
                Type::Bool
                | Type::Bv(_)
                | Type::Int
                | Type::Sort(_)
                | Type::Ptr
                | Type::Map(..)
                | Type::Seq(_)
                | Type::Record(_)
                | Type::Variant(_)
                | Type::Bytes,
            ) => false,
        }
    }

    /// Whether it has no parts, so that its data is its meaning.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Bv(_) | Value::Int(_) | Value::Atom(..) | Value::Ptr(_) => true,
            Value::Map(_)
            | Value::Seq(_)
            | Value::Record(..)
            | Value::Variant(..)
            | Value::Bytes(_) => false,
        }
    }

    /// Whether it is `null` of a sort or of pointers.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Atom(_, 0) | Value::Ptr(Pointer::NULL))
    }
}

impl From<MapValue> for Value {
    fn from(map: MapValue) -> Value {
        Value::Map(Arc::new(map))
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<Word> for Value {
    fn from(word: Word) -> Value {
        Value::Bv(word)
    }
}

impl From<Integer> for Value {
    fn from(integer: Integer) -> Value {
        Value::Int(integer)
    }
}

impl From<Pointer> for Value {
    fn from(pointer: Pointer) -> Value {
        Value::Ptr(pointer)
    }
}

impl MapType {
    /// The type of maps from these keys to this value.
    pub fn new(keys: &[Type], value: &Type) -> Arc<MapType> {
        Arc::new(MapType { keys: keys.to_vec(), value: value.clone() })
    }
}

impl MapValue {
    /// The map that is the same everywhere.
    pub fn constant(ty: Arc<MapType>, value: Value) -> MapValue {
        MapValue { rest: Rest::Is(value), entries: BTreeMap::new(), ty }
    }

    /// A map of which nothing is known.
    pub fn unknown(ty: Arc<MapType>) -> MapValue {
        MapValue { rest: Rest::Unknown(0), entries: BTreeMap::new(), ty }
    }

    /// The relation that holds exactly these tuples.
    pub fn relation(columns: &[Type], tuples: impl IntoIterator<Item = Key>) -> MapValue {
        let mut map = MapValue::constant(MapType::new(columns, &Type::Bool), Value::Bool(false));
        map.entries.extend(tuples.into_iter().map(|tuple| (tuple, Value::Bool(true))));
        map
    }

    /// The map with an exception added; for building inputs. The keys must be canonical, which
    /// values without maps in them always are.
    #[must_use]
    pub fn with(mut self, keys: impl IntoIterator<Item = Value>, value: Value) -> MapValue {
        self.insert(keys.into_iter().collect(), value);
        self
    }

    /// Its type.
    pub fn ty(&self) -> &Arc<MapType> {
        &self.ty
    }

    /// Its value where it has no exception.
    pub fn rest(&self) -> &Rest {
        &self.rest
    }

    /// The exceptions, by key.
    pub fn entries(&self) -> &BTreeMap<Key, Value> {
        &self.entries
    }

    /// The value at canonical keys.
    ///
    /// # Errors
    /// If nothing is known of it.
    pub fn get<W: World + ?Sized>(
        &self,
        world: &mut W,
        keys: &[Value],
    ) -> Result<Value, EvalError> {
        match self.entries.get(keys) {
            Some(value) => Ok(value.clone()),
            None => self.rest_at(world, keys),
        }
    }

    /// The value of the rest at canonical keys.
    pub(crate) fn rest_at<W: World + ?Sized>(
        &self,
        world: &mut W,
        keys: &[Value],
    ) -> Result<Value, EvalError> {
        match &self.rest {
            Rest::Is(value) => Ok(value.clone()),
            Rest::Unknown(0) => Err(Undefined::Entry(format!("{keys:?}")).into()),
            Rest::Unknown(id) => world.unknown(*id, &self.ty, keys),
        }
    }

    /// Changes the value at canonical keys.
    pub fn insert(&mut self, keys: Key, value: Value) {
        match &self.rest {
            Rest::Is(rest) if *rest == value => {
                self.entries.remove(&keys);
            }
            Rest::Is(_) | Rest::Unknown(_) => {
                self.entries.insert(keys, value);
            }
        }
    }

    /// Changes the value at canonical keys by a function of the old one, in place.
    pub(crate) fn update<W: World + ?Sized>(
        &mut self,
        world: &mut W,
        keys: Key,
        change: impl FnOnce(&mut W, Option<Value>) -> Result<Value, EvalError>,
    ) -> Result<(), EvalError> {
        let old = match self.entries.get_mut(&keys) {
            Some(slot) => Some(std::mem::replace(slot, Value::Bool(false))),
            None => match self.rest_at(world, &keys) {
                Ok(value) => Some(value),
                Err(EvalError::Undefined(_)) => None,
                Err(fault) => return Err(fault),
            },
        };
        let value = change(world, old)?;
        self.insert(keys, value);
        Ok(())
    }

    pub(crate) fn from_parts(
        ty: Arc<MapType>,
        rest: Rest,
        entries: impl IntoIterator<Item = (Key, Value)>,
    ) -> MapValue {
        let entries = entries
            .into_iter()
            .filter(|(_, value)| !matches!(&rest, Rest::Is(rest) if rest == value))
            .collect();
        MapValue { rest, entries, ty }
    }

    fn has_type(&self, keys: &[Type], value: &Type, module: &Module) -> bool {
        let rest_fits = match &self.rest {
            Rest::Is(rest) => rest.has_type(value, module),
            Rest::Unknown(_) => true,
        };
        let entry_fits = |(key, entry): (&Key, &Value)| {
            key.len() == keys.len()
                && key.iter().zip(keys).all(|(key, ty)| key.has_type(ty, module))
                && entry.has_type(value, module)
        };
        self.ty.keys == keys
            && self.ty.value == *value
            && rest_fits
            && self.entries.iter().all(entry_fits)
    }
}

impl From<Undefined> for EvalError {
    fn from(what: Undefined) -> EvalError {
        EvalError::Undefined(what)
    }
}

/// The keys of an entry with one key.
pub(crate) fn single(key: Value) -> Key {
    smallvec![key]
}
