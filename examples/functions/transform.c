// SPDX-License-Identifier: MIT
/* transform.c: a * x + y, of a number and two arrays that each call supplies. It prints
 *
 *     12
 *     24
 *     36 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float a = 2;
    float x[] = {1, 2, 3};
    float y[] = {10, 20, 30};
    float sums[3];
    const clprim_transform_desc desc = {
        .expressions = {"a * x[i] + y[i]"},
        .types = {CLPRIM_F32},
        .text.parameters = {{.name = "a", .type = CLPRIM_F32},
                            {.name = "x", .type = CLPRIM_F32, .is_array = true},
                            {.name = "y", .type = CLPRIM_F32, .is_array = true}},
    };
    const clprim_transform_call call = {
        .arguments = {{.host = &a}, {.host = x}, {.host = y}}, .count = 3, .out = {{.host = sums}}};
    if (clprim_transform_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("%g\n", (double)sums[i]);
    return 0;
}
