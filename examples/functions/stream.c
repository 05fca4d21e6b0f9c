// SPDX-License-Identifier: MIT
/* stream.c: the largest of numbers that arrive in batches. It prints
 *
 *     9 of 7 numbers */
#include <clprim/clprim.h>
#include <stdio.h>

int main(void)
{
    int32_t batches[2][4] = {{3, 1, 4, 1}, {5, 9, 2}};
    const size_t counts[2] = {4, 3};
    int32_t largest = 0;
    clprim_stream *stream = NULL;
    const clprim_reduce_desc desc = {.type = CLPRIM_I32, .op = CLPRIM_MAX};
    const clprim_reduce_call results = {.out = {.host = &largest}};
    clprim_status status = clprim_stream_create(&stream, NULL, &clprim_reduce_operation, &desc, &results);
    for (int i = 0; i < 2 && status == CLPRIM_SUCCESS; i++)
        status = clprim_stream_push(stream, &(clprim_reduce_call){.in = {.host = batches[i]}, .count = counts[i]});
    if (status == CLPRIM_SUCCESS)
        status = clprim_stream_result(stream);
    if (status == CLPRIM_SUCCESS)
        printf("%d of %u numbers\n", (int)largest, (unsigned)clprim_stream_count(stream));
    else
        fprintf(stderr, "%s\n", clprim_last_error());
    clprim_stream_destroy(stream);
    return status != CLPRIM_SUCCESS;
}
