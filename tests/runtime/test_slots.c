// SPDX-License-Identifier: MIT
/* test_slots.c: only as many processes use the device at once as cores and memory allow, and no slot is lost. */
#include "slots.h"
#include "support.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIB(n) ((uint64_t)(n) << 30)

Test(slots, as_many_as_cores_and_memory_allow)
{
    static const struct {
        size_t cores;
        uint64_t memory;
        size_t slots;
    } rows[] = {
        {2, GIB(24), 2},      {1, UINT64_MAX, 1}, {16, GIB(141), 16}, {16, GIB(4), 4}, {16, GIB(4) - 1, 3},
        {16, GIB(8), 8},      {16, GIB(16), 16},  {16, GIB(24), 8}, /* an array of 2^32 bytes and its result fit in
                                                                     * addition to them */
        {16, GIB(16) + 1, 1}, {64, GIB(80), 64},  {8, 1 << 20, 1},    {0, GIB(8), 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(test_slots_for(rows[i].cores, rows[i].memory), rows[i].slots, "row %zu: %zu", i,
                     test_slots_for(rows[i].cores, rows[i].memory));
}

Test(slots, memory_may_be_pretended)
{
    uint64_t memory = 0;
    cr_assert_eq(setenv("CLPRIM_TEST_MEMORY", "1024", 1), 0);
    cr_assert_eq(test_num_slots(&memory), 1);
    cr_assert_eq(memory, GIB(1));
}

/* More memory must not mean fewer slots. It did when a CPU had a little more memory than a huge test needs. */
Test(slots, only_gpus_keep_memory_for_huge_tests)
{
    uint64_t memory = 0;
    clprim_runtime *runtime = test_runtime(NULL);
    cr_assert_eq(unsetenv("CLPRIM_TEST_MEMORY"), 0);
    (void)test_num_slots(&memory);
    if (clprim_runtime_info(runtime)->kind == CLPRIM_DEVICE_CPU)
        cr_assert_leq(memory, TEST_HUGE_BYTES);
    clprim_runtime_destroy(runtime);
}

enum { SLOTS = 3, PROCESSES = 12 };
static const size_t wanted[PROCESSES] = {1, 1, 2, 1, 3, 1, 2, 5, 1, 1, 2, 1}; /* 5: as many as there are */

/* Memory that all processes share. */
typedef struct shared {
    atomic_size_t held, most, ended;
} shared;

static void hold(const char *folder, shared *all, size_t number)
{
    const size_t taken = test_slots_take(folder, SLOTS, number);
    const size_t now = atomic_fetch_add(&all->held, taken) + taken;
    size_t most = atomic_load(&all->most);
    while (most < now && !atomic_compare_exchange_weak(&all->most, &most, now))
        continue;
    (void)usleep(20000);
    (void)atomic_fetch_sub(&all->held, taken);
    (void)atomic_fetch_add(&all->ended, taken == (number < SLOTS ? number : SLOTS));
    _exit(0);
}

static pid_t start(const char *folder, shared *all, size_t number)
{
    const pid_t process = fork();
    cr_assert_geq(process, 0);
    if (process == 0)
        hold(folder, all, number);
    return process;
}

static shared *make_shared(void)
{
    shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq((void *)all, MAP_FAILED);
    return all;
}

Test(slots, never_more_at_once, .timeout = 60)
{
    char folder[TEST_PATH_SIZE];
    shared *all = make_shared();
    test_directory_create(folder);
    for (size_t i = 0; i < PROCESSES; i++)
        (void)start(folder, all, wanted[i]);
    while (wait(NULL) > 0)
        continue;
    cr_assert_eq(atomic_load(&all->ended), PROCESSES, "%zu have had what they wanted", atomic_load(&all->ended));
    cr_assert_leq(atomic_load(&all->most), SLOTS);
    cr_assert_geq(atomic_load(&all->most), SLOTS); /* some processes want all of them */
    test_directory_remove(folder);
}

/* A process is killed while it has all slots. */
Test(slots, none_is_lost, .timeout = 60)
{
    char folder[TEST_PATH_SIZE];
    int ready[2];
    char byte = 0;
    shared *all = make_shared();
    test_directory_create(folder);
    cr_assert_eq(pipe(ready), 0);
    const pid_t holder = fork();
    cr_assert_geq(holder, 0);
    if (holder == 0) {
        if (test_slots_take(folder, SLOTS, SLOTS) == SLOTS && write(ready[1], "+", 1) == 1)
            (void)pause();
        _exit(1);
    }
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    const pid_t waiter = start(folder, all, 1);
    (void)usleep(50000);
    cr_assert_eq(atomic_load(&all->ended), 0, "there is a slot that was taken");
    cr_assert_eq(kill(holder, SIGKILL), 0);
    cr_assert_eq(waitpid(waiter, NULL, 0), waiter);
    cr_assert_eq(atomic_load(&all->ended), 1);
    test_directory_remove(folder);
}

/* Tests ask for it before each huge array. */
Test(slots, nobody_waits_for_itself, .timeout = 60)
{
    char folder[TEST_PATH_SIZE];
    test_directory_create(folder);
    cr_assert(test_huge_take(folder));
    cr_assert(test_huge_take(folder));
    test_directory_remove(folder);
}

Test(slots, a_folder_that_cannot_be)
{
    cr_assert_not(test_huge_take("/dev/null/slots"));
    cr_assert_eq(test_slots_take("/dev/null/slots", SLOTS, 1), 0);
    cr_assert_eq(test_slots_take("/dev/null/slots", SLOTS, 2), 0);
}
