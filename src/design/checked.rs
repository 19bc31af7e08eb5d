//! Deserialization of types whose values must be consistent.

/// Implements `Serialize` and `Deserialize` for types that derive both with `#[serde(remote = "Self")]`.
/// Deserialization calls the type's method `checked`, which completes the value or returns the reason why the value is
/// inconsistent.
macro_rules! deserialize_checked {
    ($($type:ty),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, to)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::deserialize(from)?.checked().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use deserialize_checked;
