// SPDX-License-Identifier: MIT
/* cells.c: the neighbours of all points by clPRIM's sort by key and search, between kernels of one's own. All of it is
 * on one queue, and in between nothing comes to the host and nobody waits. */
#include "cells.h"

#include <stdlib.h>

#include "kernels.h"

/* Three cells side by side are one range of points, so a point and its neighbours are in nine ranges. */
static const char SOURCE[] =
    "uint4 cell_of(float4 p, float4 low, float inverse, uint4 cells)\n"
    "{\n"
    "    return min(convert_uint4((p - low) * inverse), cells - (uint4)(1, 1, 1, 1));\n"
    "}\n"
    "__kernel void number_cells(__global const float4 *positions, uint n, float4 low, float inverse, uint4 cells,\n"
    "                           __global uint *numbers)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const uint4 at = cell_of(positions[i], low, inverse, cells);\n"
    "    numbers[i] = (at.z * cells.y + at.y) * cells.x + at.x;\n"
    "}\n"
    "__kernel void count_neighbours(__global const float4 *positions, uint n, float4 low, float inverse, uint4 cells,\n"
    "                               __global const uint *begins, __global const uint *numbers, float radius,\n"
    "                               __global uint *counts)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    const float4 p = positions[i];\n"
    "    const uint4 at = cell_of(p, low, inverse, cells);\n"
    "    const uint4 first = max(at, (uint4)(1, 1, 1, 1)) - (uint4)(1, 1, 1, 1);\n"
    "    const uint4 last = min(at + (uint4)(1, 1, 1, 1), cells - (uint4)(1, 1, 1, 1));\n"
    "    uint count = 0;\n"
    "    for (uint z = first.z; z <= last.z; z++)\n"
    "        for (uint y = first.y; y <= last.y; y++) {\n"
    "            const uint row = (z * cells.y + y) * cells.x;\n"
    "            const uint end = begins[row + last.x + 1];\n"
    "            for (uint j = begins[row + first.x]; j < end; j++) {\n"
    "                const float4 d = positions[j] - p;\n"
    "                count += dot(d, d) <= radius * radius;\n"
    "            }\n"
    "        }\n"
    "    counts[numbers[i]] = count - 1; /* without the point itself */\n"
    "}\n";

enum { NUMBER_CELLS, COUNT_NEIGHBOURS, NUM_KERNELS = CELLS_NUM_KERNELS };
static const char *const KERNEL_NAMES[NUM_KERNELS] = {"number_cells", "count_neighbours"};

clprim_status cells_count(void *user)
{
    const cells *self = user;
    const example *program = self->program;
    const size_t n = self->set->count;
    const clprim_sort_by_key_call sort = {.keys_in = {self->cells},
                                          .arrays_in = {{self->positions}, {self->numbers}},
                                          .count = n,
                                          .keys_out = {self->cells},
                                          .arrays_out = {{self->sorted_positions}, {self->sorted_numbers}}};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_launch(program, self->kernels[NUMBER_CELLS], n));
    EXAMPLE_TRY(clprim_sort_by_key_enqueue(self->sort, program->queue, &sort, 0, NULL, NULL));
    EXAMPLE_TRY(clprim_search_enqueue(self->find_begins, program->queue,
                                      &(clprim_search_call){.in = {self->cells},
                                                            .needles = {self->all_cells},
                                                            .count = n,
                                                            .needle_count = self->grid.num_cells + 1,
                                                            .out = {self->begins}},
                                      0, NULL, NULL));
    EXAMPLE_TRY(kernels_launch(program, self->kernels[COUNT_NEIGHBOURS], n));
done:
    return status;
}

static clprim_status make_plans(cells *self)
{
    unsigned bits = 1;
    while ((self->grid.num_cells - 1) >> bits != 0)
        bits++;
    const clprim_sort_by_key_desc by_cell = {
        .bit_range = true, .end_bit = bits, .num_arrays = 2, .element_sizes = {sizeof(cl_float4), sizeof(cl_uint)}};
    const clprim_search_desc first_of_cell = {.needles_are_sorted = true};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(clprim_sort_by_key_create(&self->sort, self->program->runtime, &by_cell));
    EXAMPLE_TRY(clprim_search_create(&self->find_begins, self->program->runtime, &first_of_cell));
    EXAMPLE_TRY(kernels_make(self->kernels, self->program, SOURCE, KERNEL_NAMES, NUM_KERNELS));
done:
    return status;
}

static clprim_status make_buffers(cells *self)
{
    const size_t n = self->set->count;
    const size_t num_cells = self->grid.num_cells;
    const size_t most = n > num_cells + 1 ? n : num_cells + 1;
    clprim_status status = CLPRIM_SUCCESS;
    cl_uint *ascending = malloc(most * sizeof *ascending);
    if (ascending == NULL)
        return example_fail("no memory for %zu numbers on the host", most);
    for (size_t i = 0; i < most; i++)
        ascending[i] = (cl_uint)i;
    const struct {
        cl_mem *buffer;
        const void *data;
        size_t bytes;
    } table[] = {
        {&self->positions, self->set->positions, n * sizeof(cl_float4)},
        {&self->numbers, ascending, n * sizeof(cl_uint)},
        {&self->cells, NULL, n * sizeof(cl_uint)},
        {&self->sorted_positions, NULL, n * sizeof(cl_float4)},
        {&self->sorted_numbers, NULL, n * sizeof(cl_uint)},
        {&self->all_cells, ascending, (num_cells + 1) * sizeof(cl_uint)},
        {&self->begins, NULL, (num_cells + 1) * sizeof(cl_uint)},
        {&self->counts, NULL, n * sizeof(cl_uint)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        EXAMPLE_TRY(example_upload(table[i].buffer, self->program, table[i].data, table[i].bytes));
done:
    free(ascending);
    return status;
}

static clprim_status set_arguments(const cells *self)
{
    const points_grid *grid = &self->grid;
    const cl_uint n = (cl_uint)self->set->count;
    const cl_uint4 dimensions = {{grid->cells[0], grid->cells[1], grid->cells[2], 1}};
    const kernels_argument number_cells[] = {KERNELS_ARGUMENT(self->positions), KERNELS_ARGUMENT(n),
                                             KERNELS_ARGUMENT(grid->low),       KERNELS_ARGUMENT(grid->inverse),
                                             KERNELS_ARGUMENT(dimensions),      KERNELS_ARGUMENT(self->cells)};
    const kernels_argument count_neighbours[] = {KERNELS_ARGUMENT(self->sorted_positions),
                                                 KERNELS_ARGUMENT(n),
                                                 KERNELS_ARGUMENT(grid->low),
                                                 KERNELS_ARGUMENT(grid->inverse),
                                                 KERNELS_ARGUMENT(dimensions),
                                                 KERNELS_ARGUMENT(self->begins),
                                                 KERNELS_ARGUMENT(self->sorted_numbers),
                                                 KERNELS_ARGUMENT(self->set->radius),
                                                 KERNELS_ARGUMENT(self->counts)};
    clprim_status status = CLPRIM_SUCCESS;
    EXAMPLE_TRY(kernels_set(self->kernels[NUMBER_CELLS], number_cells, sizeof number_cells / sizeof *number_cells));
    EXAMPLE_TRY(kernels_set(self->kernels[COUNT_NEIGHBOURS], count_neighbours,
                            sizeof count_neighbours / sizeof *count_neighbours));
done:
    return status;
}

clprim_status cells_begin(cells *out, const example *program, const points *set, const points_grid *grid)
{
    clprim_status status = CLPRIM_SUCCESS;
    *out = (cells){.program = program, .set = set, .grid = *grid};
    EXAMPLE_TRY(make_plans(out));
    EXAMPLE_TRY(make_buffers(out));
    EXAMPLE_TRY(set_arguments(out));
done:
    return status;
}

void cells_end(cells *self)
{
    const cl_mem buffers[] = {self->positions,      self->numbers,   self->cells,  self->sorted_positions,
                              self->sorted_numbers, self->all_cells, self->begins, self->counts};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        example_release(buffers[i]);
    kernels_release(self->kernels, NUM_KERNELS);
    clprim_plan_destroy(self->sort);
    clprim_plan_destroy(self->find_begins);
}
