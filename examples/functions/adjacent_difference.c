// SPDX-License-Identifier: MIT
/* adjacent_difference.c: how far a car went each day, from its counter. It prints
 *
 *     60
 *     0
 *     240 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t counter[] = {1200, 1260, 1260, 1500};
    uint32_t distances[3];
    const clprim_adjacent_difference_desc desc = {.type = CLPRIM_U32, .pairs_only = true};
    const clprim_adjacent_difference_call call = {.in = {.host = counter}, .count = 4, .out = {.host = distances}};
    if (clprim_adjacent_difference_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%u\n", (unsigned)distances[i]);
    return 0;
}
