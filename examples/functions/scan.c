// SPDX-License-Identifier: MIT
/* scan.c: where each word begins in a text, from the lengths of the words. It prints
 *
 *     word 0 begins at 0
 *     word 1 begins at 3
 *     word 2 begins at 4
 *     word 3 begins at 8
 *     word 4 begins at 9
 *     word 5 begins at 14 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint32_t lengths[] = {3, 1, 4, 1, 5, 9};
    uint32_t begins[6];
    const clprim_scan_desc desc = {.type = CLPRIM_U32, .op = CLPRIM_SUM, .exclusive = true};
    const clprim_scan_call call = {.in = {.host = lengths}, .count = 6, .out = {.host = begins}};
    if (clprim_scan_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (int i = 0; i < 6; i++)
        printf("word %d begins at %u\n", i, (unsigned)begins[i]);
    return 0;
}
