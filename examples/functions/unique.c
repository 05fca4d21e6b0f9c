// SPDX-License-Identifier: MIT
/* unique.c: the different words of a text, each one a number, after a sort. It prints
 *
 *     4
 *     7
 *     15
 *     20 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t words[] = {4, 4, 7, 15, 15, 15, 20};
    uint32_t different[7];
    uint32_t count = 0;
    const clprim_unique_desc desc = {.type = CLPRIM_U32};
    const clprim_unique_call call = {
        .in = {.host = words}, .count = 7, .out = {.host = different}, .out_count = {.host = &count}};
    if (clprim_unique_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        printf("%u\n", (unsigned)different[i]);
    return 0;
}
