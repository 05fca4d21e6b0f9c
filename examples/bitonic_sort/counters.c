// SPDX-License-Identifier: MIT
/* counters.c: the processor's counters, as Linux hands them out. */
#ifdef __linux__
#define _GNU_SOURCE /* syscall */
#endif
#include "counters.h"

#include <string.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 4 };

static int files[EVENTS] = {-1, -1, -1, -1};

static int open_event(uint64_t event)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = event;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1; /* else it is a privilege */
    attributes.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0UL);
}

void counters_begin(void)
{
    static const uint64_t events[EVENTS] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                            PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES};
    for (int i = 0; i < EVENTS; i++) {
        files[i] = open_event(events[i]);
        if (files[i] >= 0)
            (void)ioctl(files[i], PERF_EVENT_IOC_ENABLE, 0);
    }
}

counters counters_end(void)
{
    uint64_t found[EVENTS] = {0};
    counters result = {.are_there = true};
    for (int i = 0; i < EVENTS; i++) {
        if (files[i] < 0 || read(files[i], &found[i], sizeof found[i]) != (ssize_t)sizeof found[i])
            result.are_there = false;
        if (files[i] >= 0)
            (void)close(files[i]);
        files[i] = -1;
    }
    result.cycles = found[0];
    result.instructions = found[1];
    result.branches = found[2];
    result.branch_misses = found[3];
    return result;
}
#else
void counters_begin(void)
{
}

counters counters_end(void)
{
    return (counters){.are_there = false};
}
#endif
