// SPDX-License-Identifier: MIT
/* partition.c: the particles that are alive in front of those that are not. It prints
 *
 *     3 alive
 *     5 alive
 *     2 alive
 *     0 not
 *     -1 not */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    int32_t lives[] = {3, 0, 5, -1, 2};
    int32_t divided[5];
    uint32_t alive = 0;
    const clprim_partition_desc desc = {.type = CLPRIM_I32, .predicate = "x > 0"};
    const clprim_partition_call call = {
        .in = {.host = lives}, .count = 5, .out = {.host = divided}, .out_count = {.host = &alive}};
    if (clprim_partition_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < 5; i++)
        printf("%d %s\n", (int)divided[i], i < alive ? "alive" : "not");
    return 0;
}
