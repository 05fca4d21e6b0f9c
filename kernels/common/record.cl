/* record_zeros: `count` words of memory become 0, from word `first` on. record_nothing: a command that only waits.
 *
 * For command buffers (lib/runtime/launch/recording.c), whose own commands for that differ from one revision of the
 * extension to the next. */
#include "common/kernel.h"
__kernel GROUP_OF(GROUP_SIZE) void record_zeros(__global uint *memory, ulong first, ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count)
        memory[first + i] = 0;
}

__kernel GROUP_OF(GROUP_SIZE) void record_nothing(void)
{
}
