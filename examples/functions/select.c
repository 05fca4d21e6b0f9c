// SPDX-License-Identifier: MIT
/* select.c: keep the prices up to a limit, which each call supplies. It prints
 *
 *     3.5
 *     8.25
 *     1 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float prices[] = {12, 3.5F, 40, 8.25F, 1};
    float kept[5];
    float limit = 10;
    uint32_t count = 0;
    const clprim_select_desc desc = {
        .type = CLPRIM_F32,
        .predicate = "x <= limit",
        .text.parameters = {{.name = "limit", .type = CLPRIM_F32}},
    };
    const clprim_select_call call = {.in = {.host = prices},
                                     .arguments = {{.host = &limit}},
                                     .count = 5,
                                     .out = {.host = kept},
                                     .out_count = {.host = &count}};
    if (clprim_select_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        printf("%g\n", (double)kept[i]);
    return 0;
}
