// SPDX-License-Identifier: MIT
/* matrix.c: from edges to compressed rows by clPRIM's sort, sums by key and search, between kernels of one's own. All
 * of it is on one queue, and in between nothing comes to the host and nobody waits. */
#include "matrix.h"

#include "kernels.h"

/* A key is row and column in `bits` bits each, so that the sort needs no more passes than it must. Behind the entries
 * all keys are greater than any row's: how many entries there are, the host need not know. */
static const char SOURCE[] =
    "__kernel void pack(__global const uint *from, __global const uint *to, uint n, uint bits,\n"
    "                   __global ulong *keys, __global ulong *entries)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    keys[i] = (ulong)from[i] << bits | to[i];\n"
    "    entries[i] = ULONG_MAX;\n"
    "}\n"
    "__kernel void begin_rows(__global ulong *rows, uint n, uint bits)\n"
    "{\n"
    "    const size_t row = get_global_id(0);\n"
    "    if (row < n)\n"
    "        rows[row] = (ulong)row << bits;\n"
    "}\n"
    "__kernel void unpack(__global const ulong *entries, uint n, uint bits, __global uint *columns)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        columns[i] = (uint)entries[i] & (((uint)1 << bits) - 1);\n"
    "}\n"
    "__kernel void multiply(__global const uint *offsets, __global const uint *columns, __global const float *values,\n"
    "                       __global const float *x, uint n, __global float *y)\n"
    "{\n"
    "    const size_t row = get_global_id(0);\n"
    "    if (row >= n)\n"
    "        return;\n"
    "    float sum = 0;\n"
    "    for (uint k = offsets[row]; k < offsets[row + 1]; k++)\n"
    "        sum += values[k] * x[columns[k]];\n"
    "    y[row] = sum;\n"
    "}\n";

enum { PACK, BEGIN_ROWS, UNPACK, MULTIPLY, NUM_KERNELS = MATRIX_NUM_KERNELS };
static const char *const KERNEL_NAMES[NUM_KERNELS] = {"pack", "begin_rows", "unpack", "multiply"};

clprim_status matrix_build(void *user)
{
    const matrix *self = user;
    const example *program = self->program;
    const size_t n = self->list->count;
    const size_t rows = self->list->vertices;
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_launch(program, self->kernels[PACK], n));
    EXAMPLE_TRY(clprim_radix_sort_enqueue(self->sort, program->queue,
                                          &(clprim_radix_sort_call){.keys_in = {self->keys},
                                                                    .values_in = {self->weights},
                                                                    .count = n,
                                                                    .keys_out = {self->keys},
                                                                    .values_out = {self->sorted_weights}},
                                          0, NULL, NULL));
    EXAMPLE_TRY(clprim_reduce_by_key_enqueue(self->sum_duplicates, program->queue,
                                             &(clprim_reduce_by_key_call){.keys_in = {self->keys},
                                                                          .values_in = {self->sorted_weights},
                                                                          .count = n,
                                                                          .keys_out = {self->entries},
                                                                          .values_out = {self->values},
                                                                          .out_count = {self->num_entries}},
                                             0, NULL, NULL));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[BEGIN_ROWS], rows + 1));
    EXAMPLE_TRY(clprim_search_enqueue(self->find_rows, program->queue,
                                      &(clprim_search_call){.in = {self->entries},
                                                            .needles = {self->rows},
                                                            .count = n,
                                                            .needle_count = rows + 1,
                                                            .out = {self->offsets}},
                                      0, NULL, NULL));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[UNPACK], n));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[MULTIPLY], rows));
done:
    return status;
}

static clprim_status make_plans(matrix *self, unsigned bits)
{
    const clprim_radix_sort_desc by_row_and_column = {
        .key_type = CLPRIM_U64, .value_size = sizeof(cl_float), .bit_range = true, .end_bit = 2 * bits};
    const clprim_reduce_by_key_desc sums = {
        .key_type = CLPRIM_U64, .type = CLPRIM_F32, .op = CLPRIM_SUM, .index_type = CLPRIM_U64};
    const clprim_search_desc first_of_row = {.type = CLPRIM_U64, .needles_are_sorted = true};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_radix_sort_create(&self->sort, self->program->runtime, &by_row_and_column));
    EXAMPLE_TRY(clprim_reduce_by_key_create(&self->sum_duplicates, self->program->runtime, &sums));
    EXAMPLE_TRY(clprim_search_create(&self->find_rows, self->program->runtime, &first_of_row));
    EXAMPLE_TRY(kernels_make(self->kernels, self->program, SOURCE, KERNEL_NAMES, NUM_KERNELS));
done:
    return status;
}

static clprim_status make_buffers(matrix *self)
{
    const edges *list = self->list;
    const size_t n = list->count;
    const size_t rows = list->vertices;
    const struct {
        cl_mem *buffer;
        const void *data;
        size_t bytes;
    } table[] = {
        {&self->from, list->from, n * sizeof(cl_uint)},
        {&self->to, list->to, n * sizeof(cl_uint)},
        {&self->weights, list->weights, n * sizeof(cl_float)},
        {&self->keys, NULL, n * sizeof(cl_ulong)},
        {&self->sorted_weights, NULL, n * sizeof(cl_float)},
        {&self->rows, NULL, (rows + 1) * sizeof(cl_ulong)},
        {&self->entries, NULL, n * sizeof(cl_ulong)},
        {&self->num_entries, NULL, sizeof(cl_ulong)},
        {&self->offsets, NULL, (rows + 1) * sizeof(cl_uint)},
        {&self->columns, NULL, n * sizeof(cl_uint)},
        {&self->values, NULL, n * sizeof(cl_float)},
        {&self->x, NULL, rows * sizeof(cl_float)},
        {&self->y, NULL, rows * sizeof(cl_float)},
    };
    const cl_float one = 1;
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        EXAMPLE_TRY(example_upload(table[i].buffer, self->program, table[i].data, table[i].bytes));
    EXAMPLE_TRY(
        clEnqueueFillBuffer(self->program->queue, self->x, &one, sizeof one, 0, rows * sizeof one, 0, NULL, NULL));
done:
    return status;
}

static clprim_status set_arguments(const matrix *self, cl_uint bits)
{
    const cl_uint n = (cl_uint)self->list->count;
    const cl_uint rows = (cl_uint)self->list->vertices;
    const cl_uint row_ends = rows + 1;
    const kernels_argument pack[] = {KERNELS_ARGUMENT(self->from), KERNELS_ARGUMENT(self->to),
                                     KERNELS_ARGUMENT(n),          KERNELS_ARGUMENT(bits),
                                     KERNELS_ARGUMENT(self->keys), KERNELS_ARGUMENT(self->entries)};
    const kernels_argument begin_rows[] = {KERNELS_ARGUMENT(self->rows), KERNELS_ARGUMENT(row_ends),
                                           KERNELS_ARGUMENT(bits)};
    const kernels_argument unpack[] = {KERNELS_ARGUMENT(self->entries), KERNELS_ARGUMENT(n), KERNELS_ARGUMENT(bits),
                                       KERNELS_ARGUMENT(self->columns)};
    const kernels_argument multiply[] = {KERNELS_ARGUMENT(self->offsets), KERNELS_ARGUMENT(self->columns),
                                         KERNELS_ARGUMENT(self->values),  KERNELS_ARGUMENT(self->x),
                                         KERNELS_ARGUMENT(rows),          KERNELS_ARGUMENT(self->y)};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_set(self->kernels[PACK], pack, sizeof pack / sizeof *pack));
    EXAMPLE_TRY(kernels_set(self->kernels[BEGIN_ROWS], begin_rows, sizeof begin_rows / sizeof *begin_rows));
    EXAMPLE_TRY(kernels_set(self->kernels[UNPACK], unpack, sizeof unpack / sizeof *unpack));
    EXAMPLE_TRY(kernels_set(self->kernels[MULTIPLY], multiply, sizeof multiply / sizeof *multiply));
done:
    return status;
}

clprim_status matrix_begin(matrix *out, const example *program, const edges *list)
{
    unsigned bits = 0;
    clprim_status status = CLPRIM_SUCCESS;
    *out = (matrix){.program = program, .list = list};
    while ((list->vertices - 1) >> bits != 0)
        bits++;
    EXAMPLE_TRY(make_plans(out, bits));
    EXAMPLE_TRY(make_buffers(out));
    EXAMPLE_TRY(set_arguments(out, bits));
done:
    return status;
}

void matrix_end(matrix *self)
{
    const cl_mem buffers[] = {self->from, self->to,          self->weights, self->keys,    self->sorted_weights,
                              self->rows, self->entries,     self->offsets, self->columns, self->values,
                              self->x,    self->num_entries, self->y};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        example_release(buffers[i]);
    kernels_release(self->kernels, NUM_KERNELS);
    clprim_plan_destroy(self->sort);
    clprim_plan_destroy(self->sum_duplicates);
    clprim_plan_destroy(self->find_rows);
}
