// SPDX-License-Identifier: MIT
/* reduce_by_key.c: what each user spent. The events are sorted by user. It prints
 *
 *     user 3: 7.5
 *     user 8: 10
 *     user 10: 0.75 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t users[] = {3, 3, 3, 8, 10, 10};
    float spent[] = {1.5F, 2, 4, 10, 0.5F, 0.25F};
    uint32_t each[6];
    float sums[6];
    uint32_t count = 0;
    const clprim_reduce_by_key_desc desc = {.key_type = CLPRIM_U32, .type = CLPRIM_F32, .op = CLPRIM_SUM};
    const clprim_reduce_by_key_call call = {.keys_in = {.host = users},
                                            .values_in = {.host = spent},
                                            .count = 6,
                                            .keys_out = {.host = each},
                                            .values_out = {.host = sums},
                                            .out_count = {.host = &count}};
    if (clprim_reduce_by_key_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        printf("user %u: %g\n", (unsigned)each[i], (double)sums[i]);
    return 0;
}
