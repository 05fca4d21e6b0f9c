// SPDX-License-Identifier: MIT
/* edges.h: lists of edges, read from files and generated. */
#ifndef CLPRIM_EXAMPLES_EDGES_H
#define CLPRIM_EXAMPLES_EDGES_H

#include "example.h"

enum { EDGES_NAME_SIZE = 24, EDGES_MOST_VERTICES = 1 << 28 };

typedef struct edges {
    size_t count;
    size_t vertices; /* one more than the greatest number there is */
    uint32_t *from;
    uint32_t *to;
    float *weights;
    char (*names)[EDGES_NAME_SIZE]; /* of the first num_names vertices, "" where the file has none */
    size_t num_names;
} edges;

/* Read lines "from to" and "from to weight"; the weight is 1 where there is none. Numbers count from 0. Other lines
 * begin with # or %; "# 12 rabbit" names a vertex. In every case *out is to be cleared. */
clprim_status edges_read(edges *out, const char *path);

/* So many edges among an eighth as many vertices, of which a few have very many: R-MAT (Chakrabarti, Zhan, Faloutsos
 * 2004) with the probabilities of Graph500, 0.57, 0.19, 0.19 and 0.05. In every case *out is to be cleared. */
clprim_status edges_generate(edges *out, size_t count);

void edges_clear(edges *self);

#endif
