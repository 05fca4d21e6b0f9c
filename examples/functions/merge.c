// SPDX-License-Identifier: MIT
/* merge.c: two logs, each in the order of time, as one. It prints
 *
 *     1
 *     2
 *     4
 *     4
 *     6
 *     9
 *     12 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t first[] = {1, 4, 9};
    uint32_t second[] = {2, 4, 6, 12};
    uint32_t both[7];
    const clprim_merge_desc desc = {.key_type = CLPRIM_U32};
    const clprim_merge_call call = {
        .a_keys = {.host = first}, .a_count = 3, .b_keys = {.host = second}, .b_count = 4, .keys_out = {.host = both}};
    if (clprim_merge_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 7; i++)
        printf("%u\n", (unsigned)both[i]);
    return 0;
}
