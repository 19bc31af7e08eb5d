//! Queries the free memory of this machine.

use crate::design::{Memory, MemoryUse};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Returns the memory available for a dungeon: the free memory of the system or of the program's control group,
/// whichever is less. Returns `None` if the system does not report its free memory.
pub fn available_memory(purpose: MemoryUse) -> Option<Memory> {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kinds).ok()?;
    let free = system.available_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let available = free.min(group);
    (free > 0).then_some(Memory { available, purpose })
}
