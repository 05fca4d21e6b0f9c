// SPDX-License-Identifier: MIT
/* plain.c: the same matrix by plain loops on one core of the CPU. */
#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

clprim_status plain_begin(plain_matrix *out, const edges *list)
{
    const size_t n = list->count;
    *out = (plain_matrix){.list = list,
                          .offsets = malloc((list->vertices + 1) * sizeof(uint32_t)),
                          .columns = malloc(n * sizeof(uint32_t)),
                          .values = malloc(n * sizeof(float)),
                          .order = malloc(2 * n * sizeof(uint32_t))};
    if (out->offsets == NULL || out->columns == NULL || out->values == NULL || out->order == NULL)
        return example_fail("no memory for a matrix of %zu edges on the host", n);
    return CLPRIM_SUCCESS;
}

void plain_clear(plain_matrix *self)
{
    free(self->offsets);
    free(self->columns);
    free(self->values);
    free(self->order);
    *self = (plain_matrix){0};
}

/* Where each number's elements begin: of counts their exclusive sums. */
static void add_up(uint32_t *counts, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* Order the edges by a number of theirs, stably: a counting sort. in NULL: they are in the order of the list. */
static void sort(plain_matrix *self, uint32_t *out, const uint32_t *in, const uint32_t *numbers)
{
    const size_t n = self->list->count;
    memset(self->offsets, 0, (self->list->vertices + 1) * sizeof *self->offsets);
    for (size_t i = 0; i < n; i++)
        self->offsets[numbers[i]]++;
    add_up(self->offsets, self->list->vertices + 1);
    for (size_t i = 0; i < n; i++) {
        const uint32_t edge = in != NULL ? in[i] : (uint32_t)i;
        out[self->offsets[numbers[edge]]++] = edge;
    }
}

clprim_status plain_build(void *user)
{
    plain_matrix *self = user;
    const edges *list = self->list;
    uint32_t *by_column = self->order;
    uint32_t *by_row = self->order + list->count;
    sort(self, by_column, NULL, list->to);
    sort(self, by_row, by_column, list->from);
    memset(self->offsets, 0, (list->vertices + 1) * sizeof *self->offsets);
    self->num_entries = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t edge = by_row[i];
        const uint32_t before = i > 0 ? by_row[i - 1] : edge;
        if (i > 0 && list->from[edge] == list->from[before] && list->to[edge] == list->to[before]) {
            self->values[self->num_entries - 1] += list->weights[edge];
            continue;
        }
        self->offsets[list->from[edge]]++;
        self->columns[self->num_entries] = list->to[edge];
        self->values[self->num_entries++] = list->weights[edge];
    }
    add_up(self->offsets, list->vertices + 1);
    return CLPRIM_SUCCESS;
}

/* Sums of m floats in any order differ by less than 2 m u times the sum of their magnitudes. */
static bool is_near(double got, double expected, double magnitudes, size_t m)
{
    return fabs(got - expected) <= 2 * (double)m * 0x1p-24 * magnitudes;
}

bool plain_is_same(const plain_matrix *self, const uint32_t *offsets, const uint32_t *columns, const float *values,
                   const float *row_sums)
{
    const edges *list = self->list;
    const uint32_t *by_row = self->order + list->count; /* what plain_build has left there */
    size_t edge = 0;
    if (memcmp(offsets, self->offsets, (list->vertices + 1) * sizeof *offsets) != 0 ||
        memcmp(columns, self->columns, self->num_entries * sizeof *columns) != 0)
        return false;
    for (size_t row = 0; row < list->vertices; row++) {
        double row_magnitudes = 0;
        double row_sum = 0;
        const size_t first_edge = edge;
        for (size_t entry = offsets[row]; entry < offsets[row + 1]; entry++) {
            const size_t first = edge;
            double sum = 0;
            double magnitudes = 0;
            for (; edge < list->count && list->from[by_row[edge]] == row && list->to[by_row[edge]] == columns[entry];
                 edge++) {
                sum += (double)list->weights[by_row[edge]];
                magnitudes += fabs((double)list->weights[by_row[edge]]);
            }
            if (!is_near((double)values[entry], sum, magnitudes, edge - first))
                return false;
            row_sum += sum;
            row_magnitudes += magnitudes;
        }
        if (!is_near((double)row_sums[row], row_sum, row_magnitudes, edge - first_edge))
            return false;
    }
    return edge == list->count;
}
