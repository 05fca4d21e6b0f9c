// SPDX-License-Identifier: MIT
/* reduce.c: the sum of prices. It prints
 *
 *     21 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    float prices[] = {3.5F, 1.25F, 9, 2.5F, 4, 0.75F};
    float sum = 0;
    const clprim_reduce_desc desc = {.type = CLPRIM_F32, .op = CLPRIM_SUM};
    const clprim_reduce_call call = {.in = {.host = prices}, .count = 6, .out = {.host = &sum}};
    if (clprim_reduce_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    printf("%g\n", (double)sum);
    return 0;
}
