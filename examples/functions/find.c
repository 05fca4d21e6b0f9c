// SPDX-License-Identifier: MIT
/* find.c: the first measurement that is out of range. It prints
 *
 *     number 2 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float measured[] = {0.5F, 0.75F, 1.5F, 0.25F, 2};
    float limit = 1;
    uint32_t first = 0;
    const clprim_find_desc desc = {
        .type = CLPRIM_F32,
        .predicate = "x > limit",
        .text.parameters = {{.name = "limit", .type = CLPRIM_F32}},
    };
    const clprim_find_call call = {
        .in = {.host = measured}, .arguments = {{.host = &limit}}, .count = 5, .out = {.host = &first}};
    if (clprim_find_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("number %u\n", (unsigned)first);
    return 0;
}
