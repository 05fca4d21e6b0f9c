// SPDX-License-Identifier: MIT
/* points.c: sets of points, read from files and generated. */
#include "points.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const float ATOMS_RADIUS = 4; /* angstroms: what touches is not farther away */
static const float POINTS_IN_CELL = 4;

static bool reserve(points *self, size_t capacity, bool with_labels)
{
    cl_float4 *positions = realloc(self->positions, capacity * sizeof *positions);
    if (positions == NULL)
        return false;
    self->positions = positions;
    if (!with_labels)
        return true;
    void *labels = realloc(self->labels, capacity * sizeof *self->labels);
    if (labels == NULL)
        return false;
    self->labels = labels;
    return true;
}

/* The number in columns [begin, end) of a line. */
static float column(const char *line, size_t begin, size_t end)
{
    char text[16] = {0};
    memcpy(text, line + begin, end - begin);
    return strtof(text, NULL);
}

static void add(points *self, float x, float y, float z)
{
    if (isfinite(x) && isfinite(y) && isfinite(z))
        self->positions[self->count++] = (cl_float4){{x, y, z, 0}};
}

static void add_line(points *self, const char *line)
{
    float x = 0;
    float y = 0;
    float z = 0;
    if ((strncmp(line, "ATOM  ", 6) == 0 || strncmp(line, "HETATM", 6) == 0) && strlen(line) >= 54) {
        (void)snprintf(self->labels[self->count], POINTS_LABEL_SIZE, "%.14s", line + 12);
        self->radius = ATOMS_RADIUS;
        add(self, column(line, 30, 38), column(line, 38, 46), column(line, 46, 54));
    } else if (sscanf(line, "%f %f %f", &x, &y, &z) == 3) {
        self->labels[self->count][0] = '\0';
        add(self, x, y, z);
    }
}

static void bounds(cl_float4 *low, cl_float4 *high, const points *self)
{
    *low = *high = self->positions[0];
    for (size_t i = 1; i < self->count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            low->s[axis] = fminf(low->s[axis], self->positions[i].s[axis]);
            high->s[axis] = fmaxf(high->s[axis], self->positions[i].s[axis]);
        }
    }
}

clprim_status points_read(points *out, const char *path)
{
    char line[256];
    size_t capacity = 0;
    clprim_status status = CLPRIM_SUCCESS;
    *out = (points){0};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return example_fail("cannot open %s: %s", path, strerror(errno));
    while (status == CLPRIM_SUCCESS && fgets(line, sizeof line, file) != NULL) {
        if (out->count == capacity) {
            capacity = 2 * capacity + 1024;
            if (!reserve(out, capacity, true)) {
                status = example_fail("no memory for the points of %s", path);
                break;
            }
        }
        add_line(out, line);
    }
    (void)fclose(file); /* was only read */
    if (status == CLPRIM_SUCCESS && out->count == 0)
        status = example_fail("%s has no points: lines \"x y z\", or the Protein Data Bank's", path);
    if (status == CLPRIM_SUCCESS && out->radius == 0) {
        cl_float4 low;
        cl_float4 high;
        bounds(&low, &high, out);
        const float volume = (high.s[0] - low.s[0]) * (high.s[1] - low.s[1]) * (high.s[2] - low.s[2]);
        out->radius = volume > 0 ? cbrtf(POINTS_IN_CELL * volume / (float)out->count) : 1;
    }
    return status;
}

clprim_status points_generate(points *out, size_t count)
{
    const float side = cbrtf((float)count / POINTS_IN_CELL);
    uint64_t state = 1;
    *out = (points){.radius = 1};
    if (!reserve(out, count, false))
        return example_fail("no memory for %zu points on the host", count);
    while (out->count < count) {
        const float x = random_share(&state) * side;
        const float y = random_share(&state) * side;
        add(out, x, y, random_share(&state) * side);
    }
    return CLPRIM_SUCCESS;
}

clprim_status points_make_grid(points_grid *out, const points *self)
{
    cl_float4 high;
    double cells = 1;
    bounds(&out->low, &high, self);
    out->inverse = 1 / (1.001F * self->radius);
    for (size_t axis = 0; axis < 3; axis++)
        cells *= floor((double)(high.s[axis] - out->low.s[axis]) * (double)out->inverse) + 1;
    if (!(cells <= POINTS_MOST_CELLS))
        return example_fail("the points lie too far apart: %g cells of the size of the radius", cells);
    out->num_cells = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        out->cells[axis] = (cl_uint)((high.s[axis] - out->low.s[axis]) * out->inverse) + 1;
        out->num_cells *= out->cells[axis];
    }
    return CLPRIM_SUCCESS;
}

void points_clear(points *self)
{
    free(self->positions);
    free(self->labels);
    *self = (points){0};
}
