// SPDX-License-Identifier: MIT
/* run_length_encode.c: a line of a drawing as runs of one colour. It prints
 *
 *     3 times 0
 *     2 times 9
 *     1 times 0
 *     2 times 7 */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    uint8_t pixels[] = {0, 0, 0, 9, 9, 0, 7, 7};
    uint8_t colours[8];
    uint32_t lengths[8];
    uint32_t runs = 0;
    const clprim_run_length_encode_desc desc = {.type = CLPRIM_U8};
    const clprim_run_length_encode_call call = {.in = {.host = pixels},
                                                .count = 8,
                                                .out = {.host = colours},
                                                .lengths_out = {.host = lengths},
                                                .out_count = {.host = &runs}};
    if (clprim_run_length_encode_run(NULL, &desc, &call) != CLPRIM_SUCCESS) {
        fprintf(stderr, "%s\n", clprim_last_error());
        return 1;
    }
    for (uint32_t i = 0; i < runs; i++)
        printf("%u times %u\n", (unsigned)lengths[i], (unsigned)colours[i]);
    return 0;
}
