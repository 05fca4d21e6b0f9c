/* slots.h: how many processes of the tests use the device at once, those of all test programs of a build together.
 * Criterion runs each test in a process of its own, as many at a time as there are cores, and ctest runs as many
 * programs: that is the square of the cores, and on a GPU each process has a context of hundreds of MiB.
 *
 * A slot is a lock on a file, which the system gives back however the process ends. A process takes its slots before its
 * first context. It may have to wait: timeouts of tests that use the device are 10 minutes or more. Programs that do not
 * link this file are started by tests/slot.c. No Criterion here. */
#ifndef CLPRIM_TEST_SLOTS_H
#define CLPRIM_TEST_SLOTS_H

#include <clprim/clprim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One for each core, but for each at least this much of the device's memory; at least one. What tests of arrays of 2^32
 * bytes take, where a device has room for them (test_huge), is no slot's. */
#define TEST_SLOT_BYTES (UINT64_C(1) << 30)
#define TEST_HUGE_BYTES (UINT64_C(16) << 30)
size_t test_slots_for(size_t cores, uint64_t memory);

/* The same for this machine and the device that CLPRIM_DEVICE or the library chooses. CLPRIM_TEST_MEMORY is a number of
 * MiB that the device is taken to have. `memory` may be NULL. */
size_t test_num_slots(uint64_t *memory);

/* Wait for `wanted` of the `total` slots in a folder, or for all if there are fewer, and hold them until the process and
 * those that it has forked end. Returns how many; 0 if the folder cannot be used. */
size_t test_slots_take(const char *folder, size_t total, size_t wanted);

/* This build's slots; a second call does nothing. */
void test_take_slot(void);

/* Wait for the folder's only permission to use TEST_HUGE_BYTES, and hold it until the process ends; where it is held, do
 * nothing. False if the folder cannot be used. */
bool test_huge_take(const char *folder);

/* Whether the device is a GPU with room for several arrays of so many bytes. If so, take this build's permission. */
bool test_take_huge(const clprim_device_info *info, uint64_t bytes);

#endif
