// SPDX-License-Identifier: MIT
/* edges.c: lists of edges, read from files and generated. */
#include "edges.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

/* Make room for `capacity` elements of `size` bytes, the new ones zeroed. */
static bool grow(void *array, size_t size, size_t used, size_t capacity)
{
    void *old = NULL;
    memcpy(&old, array, sizeof old); /* whatever it points to */
    char *larger = capacity <= SIZE_MAX / size ? realloc(old, capacity * size) : NULL;
    if (larger == NULL)
        return false;
    memset(larger + used * size, 0, (capacity - used) * size);
    memcpy(array, &larger, sizeof larger);
    return true;
}

static bool reserve(edges *self, size_t capacity)
{
    return grow(&self->from, sizeof *self->from, self->count, capacity) &&
           grow(&self->to, sizeof *self->to, self->count, capacity) &&
           grow(&self->weights, sizeof *self->weights, self->count, capacity);
}

/* A vertex's number; *text moves behind it. */
static bool read_vertex(uint32_t *out, const char **text)
{
    const char *begin = *text + strspn(*text, " \t,");
    char *end = NULL;
    errno = 0;
    const unsigned long value = strtoul(begin, &end, 10);
    *text = end;
    *out = (uint32_t)value;
    return end != begin && *begin != '-' && errno == 0 && value < EDGES_MOST_VERTICES;
}

static bool read_name(edges *self, const char *text)
{
    uint32_t vertex = 0;
    char name[EDGES_NAME_SIZE];
    if (!read_vertex(&vertex, &text) || sscanf(text, " %23s", name) != 1)
        return true; /* any other comment */
    if (vertex >= self->num_names) {
        const size_t capacity = 2 * (size_t)vertex + 1;
        if (!grow(&self->names, sizeof *self->names, self->num_names, capacity))
            return false;
        self->num_names = capacity;
    }
    memcpy(self->names[vertex], name, sizeof name);
    return true;
}

static bool read_edge(edges *self, const char *text)
{
    const size_t at = self->count;
    char *end = NULL;
    if (!read_vertex(&self->from[at], &text) || !read_vertex(&self->to[at], &text))
        return false;
    self->weights[at] = strtof(text, &end);
    if (end == text)
        self->weights[at] = 1;
    const uint32_t greatest = self->from[at] > self->to[at] ? self->from[at] : self->to[at];
    self->vertices = greatest >= self->vertices ? (size_t)greatest + 1 : self->vertices;
    self->count++;
    return end[strspn(end, " \t\r\n")] == '\0' && isfinite(self->weights[at]);
}

static clprim_status read_lines(edges *out, FILE *file, const char *path)
{
    char line[256];
    size_t capacity = 0;
    for (size_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *text = line + strspn(line, " \t\r\n");
        if (out->count == capacity) {
            capacity = 2 * capacity + 1024;
            if (!reserve(out, capacity))
                return example_fail("no memory for the edges of %s", path);
        }
        if (*text == '#' && !read_name(out, text + 1))
            return example_fail("no memory for the names of %s", path);
        if (*text != '\0' && *text != '#' && *text != '%' && !read_edge(out, text))
            return example_fail("%s:%zu: no edge: two numbers from 0 to 2^28 - 1, then a weight or nothing", path,
                                number);
    }
    return out->count > 0 ? CLPRIM_SUCCESS : example_fail("%s has no edges", path);
}

clprim_status edges_read(edges *out, const char *path)
{
    *out = (edges){0};
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return example_fail("cannot open %s: %s", path, strerror(errno));
    const clprim_status status = read_lines(out, file, path);
    (void)fclose(file); /* was only read */
    return status;
}

clprim_status edges_generate(edges *out, size_t count)
{
    uint64_t state = 1;
    unsigned bits = 1;
    *out = (edges){0};
    if (!reserve(out, count))
        return example_fail("no memory for %zu edges on the host", count);
    while ((count >> (bits + 4)) > 0 && bits < 28)
        bits++;
    out->count = count;
    out->vertices = (size_t)1 << bits;
    for (size_t i = 0; i < count; i++) {
        for (unsigned bit = 0; bit < bits; bit++) { /* each halves the part of the matrix where the edge lies */
            const unsigned percent = (unsigned)(random_bits(&state) % 100);
            out->from[i] = 2 * out->from[i] + (percent >= 76);
            out->to[i] = 2 * out->to[i] + ((percent >= 57 && percent < 76) || percent >= 95);
        }
        out->weights[i] = 1;
    }
    return CLPRIM_SUCCESS;
}

void edges_clear(edges *self)
{
    free(self->from);
    free(self->to);
    free(self->weights);
    free(self->names);
    *self = (edges){0};
}
