// SPDX-License-Identifier: MIT
/* slots.c: how many processes of the tests use the device at once. */
#include "slots.h"

#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SLOTS = 1024 };

size_t test_slots_for(size_t cores, uint64_t memory)
{
    const uint64_t rest = memory > TEST_HUGE_BYTES ? memory - TEST_HUGE_BYTES : memory;
    const uint64_t most = rest / TEST_SLOT_BYTES;
    const size_t slots = most < cores ? (size_t)most : cores;
    return slots < 1 ? 1 : slots < MOST_SLOTS ? slots : MOST_SLOTS;
}

static uint64_t device_memory(void)
{
    clprim_device_info info;
    const char *pretended = getenv("CLPRIM_TEST_MEMORY");
    if (pretended != NULL && pretended[0] != '\0')
        return strtoull(pretended, NULL, 10) << 20;
    if (clprim__device_select(&info, NULL) != CLPRIM_SUCCESS)
        return UINT64_MAX;
    /* Huge tests run only on GPUs, so other devices need not reserve memory for them. */
    const uint64_t bytes = info.global_memory_size;
    return info.kind == CLPRIM_DEVICE_GPU || bytes < TEST_HUGE_BYTES ? bytes : TEST_HUGE_BYTES;
}

size_t test_num_slots(uint64_t *memory)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t bytes = device_memory();
    if (memory != NULL)
        *memory = bytes;
    return test_slots_for(cores > 0 ? (size_t)cores : 1, bytes);
}

static int open_lock(const char *folder, const char *name, size_t number)
{
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/%s%zu", folder, name, number);
    return length > 0 && (size_t)length < sizeof path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
}

static bool lock(int file, bool waits)
{
    int result = 0;
    do
        result = flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Take any slot that is not held yet; is_held is a list of those that are. Returns false if the folder cannot be
 * used. */
static bool take_one(const char *folder, size_t total, bool *is_held)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    for (size_t slot = (size_t)getpid() % total;; slot = (slot + 1) % total) {
        const int file = is_held[slot] ? -1 : open_lock(folder, "slot", slot);
        if (file < 0 && !is_held[slot])
            return false;
        if (file >= 0 && lock(file, false)) {
            is_held[slot] = true;
            return true; /* the file stays open */
        }
        if (file >= 0)
            (void)close(file);
        (void)nanosleep(&pause, NULL);
    }
}

/* Only one process at a time looks for slots; the others wait at a gate. Otherwise, two processes that each have half
 * of the slots that they want would wait for each other for ever, and a waiting process would often lose against one
 * that has just begun. */
size_t test_slots_take(const char *folder, size_t total, size_t wanted)
{
    bool is_held[MOST_SLOTS] = {false};
    size_t taken = 0;
    (void)mkdir(folder, 0700);
    const int gate = open_lock(folder, "gate", 0);
    if (total > MOST_SLOTS)
        total = MOST_SLOTS;
    if (wanted > total)
        wanted = total;
    if (gate >= 0 && lock(gate, true))
        while (taken < wanted && take_one(folder, total, is_held))
            taken++;
    if (gate >= 0)
        (void)close(gate);
    return taken == wanted ? taken : 0;
}

static void expect(bool is_well)
{
    if (!is_well)
        perror("slots of the tests: " CLPRIM_TEST_SLOTS);
}

void test_take_slot(void)
{
    static bool has_one;
    if (!has_one)
        expect(test_slots_take(CLPRIM_TEST_SLOTS, test_num_slots(NULL), 1) == 1);
    has_one = true;
}

/* If a process opened the file a second time, it would wait for itself. */
bool test_huge_take(const char *folder)
{
    static bool is_held;
    if (!is_held) {
        (void)mkdir(folder, 0700);
        const int file = open_lock(folder, "huge", 0);
        is_held = file >= 0 && lock(file, true);
    }
    return is_held;
}

bool test_take_huge(const clprim_device_info *info, uint64_t bytes)
{
    uint64_t memory = 0;
    (void)test_num_slots(&memory);
    if (info->kind != CLPRIM_DEVICE_GPU || memory <= TEST_HUGE_BYTES || memory / 4 < bytes ||
        info->max_allocation_size < bytes)
        return false;
    expect(test_huge_take(CLPRIM_TEST_SLOTS));
    return true;
}
