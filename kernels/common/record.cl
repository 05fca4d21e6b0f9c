// SPDX-License-Identifier: MIT
/* record_zeros: sets `count` words of memory to 0, from word `first` on.
 * record_nothing: a command that only waits.
 *
 * For command buffers (lib/runtime/launch/recording.c), because the corresponding commands of the extension differ from
 * one revision to the next. */
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
