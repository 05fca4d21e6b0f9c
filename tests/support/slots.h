// SPDX-License-Identifier: MIT
/* slots.h: limit how many processes of the tests use the device at once, over all test programs of a build. Criterion
 * runs each test in a separate process, as many at a time as there are cores, and ctest runs as many programs. That is
 * the square of the number of cores, and on a GPU each process has a context of hundreds of MiB.
 *
 * A slot is a lock on a file, which the system releases however the process ends. A process takes its slots before it
 * creates its first context. It may have to wait, so timeouts of tests that use the device are 10 minutes or more.
 * Programs that do not link this file are started by tests/slot.c. No Criterion here. */
#ifndef CLPRIM_TEST_SLOTS_H
#define CLPRIM_TEST_SLOTS_H

#include <clprim/clprim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* There is one slot for each core, but only as many as have this much device memory each; at least one. If a device has
 * room for arrays of 2^32 bytes (test_huge), memory for these tests is reserved in addition. */
#define TEST_SLOT_BYTES (UINT64_C(1) << 30)
#define TEST_HUGE_BYTES (UINT64_C(16) << 30)
size_t test_slots_for(size_t cores, uint64_t memory);

/* The number of slots for this machine, and the device that CLPRIM_DEVICE or the library chooses. CLPRIM_TEST_MEMORY,
 * in MiB, overrides the device's memory size. `memory` may be NULL. */
size_t test_num_slots(uint64_t *memory);

/* Wait for `wanted` of the `total` slots in a folder, or for all if there are fewer, and hold them until this process
 * and all processes that it has forked end. Returns their number; 0 if the folder cannot be used. */
size_t test_slots_take(const char *folder, size_t total, size_t wanted);

/* Take one of this build's slots; a second call does nothing. */
void test_take_slot(void);

/* Wait for the folder's only permission to use TEST_HUGE_BYTES, and hold it until the process ends. If this process has
 * it already, do nothing. Returns false if the folder cannot be used. */
bool test_huge_take(const char *folder);

/* Whether the device is a GPU with room for several arrays of this size. If so, take this build's permission. */
bool test_take_huge(const clprim_device_info *info, uint64_t bytes);

#endif
