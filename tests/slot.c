// SPDX-License-Identifier: MIT
/* slot.c: tests that are not Criterion programs get their slots (support/slots.h) from this program, which then
 * executes them:
 *
 *     slot NUMBER COMMAND...    wait for NUMBER slots, or all if there are fewer; the command finds in
 *                               CLPRIM_TEST_SLOTS how many it has
 *     slot                      print the number of slots, and the MiB of the device's memory */
#include "slots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char text[32];
    uint64_t memory = 0;
    const size_t total = test_num_slots(&memory);
    if (argc == 1)
        return printf("%zu %" PRIu64 "\n", total, memory >> 20) < 0;
    if (argc < 3) {
        (void)fprintf(stderr, "slot NUMBER COMMAND...\n");
        return 2;
    }
    const size_t taken = test_slots_take(CLPRIM_TEST_SLOTS, total, (size_t)strtoull(argv[1], NULL, 10));
    (void)snprintf(text, sizeof text, "%zu", taken > 0 ? taken : 1);
    if (taken == 0 || setenv("CLPRIM_TEST_SLOTS", text, 1) != 0)
        perror("slot: " CLPRIM_TEST_SLOTS);
    (void)execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
