// SPDX-License-Identifier: MIT
/* set_operation.c: which users came on both days. Both lists are sorted. It prints
 *
 *     user 5
 *     user 11 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t monday[] = {2, 5, 7, 11};
    uint32_t tuesday[] = {1, 5, 11, 13};
    uint32_t both[4];
    uint32_t count = 0;
    const clprim_set_operation_desc desc = {.key_type = CLPRIM_U32, .op = CLPRIM_SET_INTERSECTION};
    const clprim_set_operation_call call = {.a_keys = {.host = monday},
                                            .a_count = 4,
                                            .b_keys = {.host = tuesday},
                                            .b_count = 4,
                                            .keys_out = {.host = both},
                                            .out_count = {.host = &count}};
    if (clprim_set_operation_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        printf("user %u\n", (unsigned)both[i]);
    return 0;
}
