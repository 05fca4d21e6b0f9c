// SPDX-License-Identifier: MIT
/* reference.c: a sum by the device and by a plain loop. It prints
 *
 *     100, as expected */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    int32_t numbers[] = {10, 20, 30, 40};
    int32_t found = 0;
    int32_t expected = 0;
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .op = CLPRIM_SUM};
    const clprim_reduce_call call = {.in = {.host = numbers}, .count = 4, .out = {.host = &found}};
    const clprim_reference_operator sum = {.type = CLPRIM_I32, .op = CLPRIM_SUM};
    if (clprim_reduce_run(NULL, &desc, &call) != CLPRIM_SUCCESS ||
        clprim_reference_reduce(&expected, &sum, numbers, 4) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("%d, %s\n", (int)found, found == expected ? "as expected" : "which is wrong");
    return 0;
}
