// SPDX-License-Identifier: MIT
/* segmented_reduce.c: the highest temperature of each day. Day d has the measurements from offsets[d] on. It prints
 *
 *     day 0: 11.5
 *     day 1: 6
 *     day 2: 7.25 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float degrees[] = {4, 11.5F, 9, -2, 6, 3, 7.25F};
    uint32_t offsets[] = {0, 3, 5, 7};
    float highest[3];
    const clprim_segmented_reduce_desc desc = {.type = CLPRIM_F32, .op = CLPRIM_MAX};
    const clprim_segmented_reduce_call call = {.in = {.host = degrees},
                                               .offsets = {.host = offsets},
                                               .count = 7,
                                               .segment_count = 3,
                                               .out = {.host = highest}};
    if (clprim_segmented_reduce_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("day %d: %g\n", i, (double)highest[i]);
    return 0;
}
