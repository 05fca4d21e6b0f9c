// SPDX-License-Identifier: MIT
/* plain.c: neighbours by plain loops on one core of the CPU. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

clprim_status plain_begin(plain_cells *out, const points *set, const points_grid *grid)
{
    const size_t n = set->count;
    *out = (plain_cells){.set = set,
                         .grid = *grid,
                         .cells = malloc(n * sizeof(uint32_t)),
                         .begins = malloc((grid->num_cells + 1) * sizeof(uint32_t)),
                         .order = malloc(n * sizeof(uint32_t)),
                         .sorted = malloc(n * sizeof(cl_float4)),
                         .counts = malloc(n * sizeof(uint32_t))};
    if (out->cells == NULL || out->begins == NULL || out->order == NULL || out->sorted == NULL || out->counts == NULL)
        return example_fail("no memory for %zu points on the host", n);
    return CLPRIM_SUCCESS;
}

void plain_clear(plain_cells *self)
{
    free(self->cells);
    free(self->begins);
    free(self->order);
    free(self->sorted);
    free(self->counts);
    *self = (plain_cells){0};
}

static uint32_t coordinate(const points_grid *grid, const cl_float4 *p, size_t axis)
{
    const uint32_t at = (uint32_t)((p->s[axis] - grid->low.s[axis]) * grid->inverse);
    return at < grid->cells[axis] ? at : grid->cells[axis] - 1;
}

static void sort_by_cell(plain_cells *self)
{
    const points_grid *grid = &self->grid;
    const size_t n = self->set->count;
    memset(self->begins, 0, (grid->num_cells + 1) * sizeof *self->begins);
    for (size_t i = 0; i < n; i++) {
        const cl_float4 *p = &self->set->positions[i];
        self->cells[i] = (coordinate(grid, p, 2) * grid->cells[1] + coordinate(grid, p, 1)) * grid->cells[0] +
                         coordinate(grid, p, 0);
        self->begins[self->cells[i] + 1]++;
    }
    for (size_t cell = 0; cell < grid->num_cells; cell++)
        self->begins[cell + 1] += self->begins[cell];
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = self->begins[self->cells[i]]++;
        self->order[at] = (uint32_t)i;
        self->sorted[at] = self->set->positions[i];
    }
    /* Each begin has become its cell's end, which is where the next one begins. */
    memmove(self->begins + 1, self->begins, grid->num_cells * sizeof *self->begins);
    self->begins[0] = 0;
}

static float distance2(const cl_float4 *a, const cl_float4 *b)
{
    const float x = a->s[0] - b->s[0];
    const float y = a->s[1] - b->s[1];
    const float z = a->s[2] - b->s[2];
    return x * x + y * y + z * z;
}

/* Three cells side by side are one range of points: nine ranges. */
static uint32_t count_around(const plain_cells *self, const cl_float4 *p)
{
    const points_grid *grid = &self->grid;
    const float radius2 = self->set->radius * self->set->radius;
    const uint32_t x = coordinate(grid, p, 0);
    const uint32_t y = coordinate(grid, p, 1);
    const uint32_t z = coordinate(grid, p, 2);
    const uint32_t first = x > 0 ? x - 1 : 0;
    const uint32_t last = x + 1 < grid->cells[0] ? x + 1 : x;
    uint32_t count = 0;
    for (uint32_t at_z = z > 0 ? z - 1 : 0; at_z <= z + 1 && at_z < grid->cells[2]; at_z++) {
        for (uint32_t at_y = y > 0 ? y - 1 : 0; at_y <= y + 1 && at_y < grid->cells[1]; at_y++) {
            const uint32_t row = (at_z * grid->cells[1] + at_y) * grid->cells[0];
            for (uint32_t j = self->begins[row + first]; j < self->begins[row + last + 1]; j++)
                count += distance2(p, &self->sorted[j]) <= radius2;
        }
    }
    return count - 1; /* without the point itself */
}

clprim_status plain_count(void *user)
{
    plain_cells *self = user;
    sort_by_cell(self);
    for (size_t i = 0; i < self->set->count; i++)
        self->counts[self->order[i]] = count_around(self, &self->sorted[i]);
    return CLPRIM_SUCCESS;
}

bool plain_is_right(const points *set, const uint32_t *counts)
{
    const double radius2 = (double)set->radius * (double)set->radius;
    const size_t samples = ((size_t)1 << 27) / set->count + 1; /* a second or so */
    const size_t step = set->count > samples ? set->count / samples : 1;
    for (size_t i = 0; i < set->count; i += step) {
        size_t least = 0;
        size_t most = 0;
        for (size_t j = 0; j < set->count; j++) {
            const double d2 = (double)distance2(&set->positions[i], &set->positions[j]);
            least += j != i && d2 < radius2 * (1 - 1e-5);
            most += j != i && d2 < radius2 * (1 + 1e-5);
        }
        if (counts[i] < least || counts[i] > most)
            return false;
    }
    return true;
}
