// SPDX-License-Identifier: MIT
/* demo.h: the parts of the demo. A primitive has a file of its own here, and a row in demo.c. */
#ifndef CLPRIM_EXAMPLES_DEMO_H
#define CLPRIM_EXAMPLES_DEMO_H

#include "example.h"
#include "report.h"

enum { LEVELS = 256 }; /* of grey */

typedef struct demo {
    example program;
    image photo;
    uint32_t histogram[LEVELS]; /* how many pixels have a level: counted by demo_histogram_facts() */
    uint8_t bright_level;       /* 99 % of the pixels are at most so bright: found out by demo_scan_facts() */
    size_t wide_n;              /* elements of the large arrays: the photograph's pixels, repeated */
    report speeds;              /* the table of speeds: primitive, elements, n, ... */
    size_t num_checks;          /* results compared with the CPU's, and how many of them differed */
    size_t num_wrong;
} demo;

/* Count a comparison; returns "right" or "WRONG". */
const char *demo_judge(demo *self, bool is_right);

/* A row of the table of speeds. elements: their type; bytes: the fewest that the operation can move. */
void demo_speed(demo *self, const char *primitive, const char *elements, size_t n, size_t bytes, double seconds,
                double cpu_seconds, bool is_right);

/* The lowest level up to which there are at least so many percent of the pixels; up_to: the histogram, added up. */
unsigned demo_level_at(const uint32_t *up_to, unsigned percent);

/* Draw a histogram of grey levels and write it to `path`. */
clprim_status demo_write_histogram(const uint32_t *counts, const char *path);

/* What a primitive finds out about the photograph, and the speeds it reaches. */
clprim_status demo_reduce_facts(demo *self);
clprim_status demo_reduce_speeds(demo *self);
clprim_status demo_histogram_facts(demo *self);
clprim_status demo_histogram_speeds(demo *self);
clprim_status demo_scan_facts(demo *self);
clprim_status demo_scan_speeds(demo *self);
clprim_status demo_equalise_facts(demo *self);
clprim_status demo_equalise_speeds(demo *self);
clprim_status demo_select_facts(demo *self);
clprim_status demo_select_speeds(demo *self);
clprim_status demo_sort_facts(demo *self);
clprim_status demo_sort_speeds(demo *self);

#endif
