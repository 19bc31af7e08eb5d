//! What this machine can hold.

use crate::design::{Memory, MemoryUse};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Memory that a dungeon may take for a purpose: what the system, or the control group the program runs in,
/// still has to give. `None` where the system does not say.
pub fn available_memory(purpose: MemoryUse) -> Option<Memory> {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kinds).ok()?;
    let free = system.available_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let available = free.min(group);
    (free > 0).then_some(Memory { available, purpose })
}
