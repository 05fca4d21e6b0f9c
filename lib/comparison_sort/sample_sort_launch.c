// SPDX-License-Identifier: MIT
/* sample_sort_launch.c: the launches of a sample sort. Their number depends only on the number of elements; the host
 * reads nothing back. */
#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"
#include "sample_sort.h"

#include "comparison_sort/sample_args.h"

enum {
    MAX_LEVELS = 3,
    TABLES = 3,          /* words per bucket of a level: as in kernels/comparison_sort/parts/sample_tables.cl */
    RANGE_BYTES = 8,     /* size of an entry in the list of ranges */
    PIECE_BYTES = 16,    /* size of an entry in the list of pieces */
    RANGES_PER_UNIT = 16 /* for a stable sort: at most, into which the array is divided */
};

typedef struct level {
    cl_uint segments, buckets_log;
    size_t ranges;      /* maximum, because segments need not end where ranges do */
    cl_ulong tables_at; /* offset in scratch memory, in bytes */
    cl_ulong splitters_at;
} level;

/* The levels, and the layout of scratch memory in bytes. Keys are at 0. */
typedef struct layout {
    level levels[MAX_LEVELS];
    unsigned num_levels; /* 0: one work-group sorts everything */
    cl_uint range;       /* tiles that a group moves */
    size_t max_pieces;
    cl_ulong values_at;
    cl_ulong header_at;
    cl_ulong tiles_at;
    cl_ulong ids_at;
    cl_ulong large_at; /* list of the buckets that are too large for a small tile */
    cl_ulong pieces_at;
    cl_ulong end;
} layout;

typedef struct sorting {
    clprim__comparison_sort_plan *sort;
    clprim__chain *chain;
    cl_ulong n;
    cl_mem scratch;
    layout layout;
} sorting;

/* Choose as few levels as possible such that almost all buckets fit a tile. All levels have about the same number of
 * buckets per segment. */
static void plan_levels(layout *l, const clprim__sample_sort *s, size_t n, size_t most_ranges)
{
    unsigned bits = clprim__bitonic_sort_log2(clprim__divide_up(n, s->wanted));
    unsigned segments_log = 0;
    if (n <= (size_t)1 << s->large_log)
        return;
    l->range = s->is_stable ? (cl_uint)clprim__divide_up(clprim__divide_up(n, s->moved_tile), most_ranges) : 1;
    for (l->num_levels = 1; l->num_levels < MAX_LEVELS && n >> (l->num_levels * s->buckets_log) >= s->most;)
        l->num_levels++;
    for (unsigned i = 0; i < l->num_levels; i++) {
        const unsigned left = l->num_levels - i;
        unsigned log = (bits + left - 1) / left;
        log = log < 1 ? 1 : log > s->buckets_log ? s->buckets_log : log;
        l->levels[i] = (level){.segments = (cl_uint)1 << segments_log,
                               .buckets_log = log,
                               .ranges = clprim__divide_up(n, l->range * s->moved_tile) +
                                         (i == 0 ? 0 : (size_t)1 << segments_log)};
        bits -= bits < log ? bits : log;
        segments_log += log;
    }
}

static layout layout_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    const clprim__sample_sort *s = &self->samples;
    size_t ranges = 0;
    size_t tiles = 0;
    size_t last_buckets = 0;
    layout l = {.max_pieces = 0};
    const size_t most_ranges = RANGES_PER_UNIT * (size_t)self->base.runtime->info.compute_units;
    plan_levels(&l, s, n, most_ranges);
    const bool moves = l.num_levels > 0;
    l.values_at = clprim__scratch_behind(0, n, moves ? setting->key_size : 0);
    l.header_at = clprim__scratch_behind(l.values_at, n, moves ? setting->value_size : 0);
    for (unsigned i = 0; i < l.num_levels; i++) {
        const size_t most = n / s->moved_tile;
        ranges =
            clprim__larger(ranges, (s->is_stable ? clprim__smaller(most, most_ranges) : most) + l.levels[i].segments);
        tiles = clprim__larger(tiles, most + l.levels[i].segments);
    }
    cl_ulong end = clprim__plus((size_t)l.header_at, SAMPLE_SORT_HEADER);
    end = clprim__scratch_behind(end, s->is_stable ? ranges : 0, sizeof(cl_uint) << s->buckets_log);
    for (unsigned i = 0; i < l.num_levels; i++) {
        const size_t buckets = (size_t)l.levels[i].segments << l.levels[i].buckets_log;
        l.levels[i].tables_at = end;
        end = clprim__scratch_behind(end, buckets, TABLES * sizeof(cl_uint));
        l.levels[i].splitters_at = end;
        end = clprim__scratch_behind(end, buckets, setting->key_size);
        last_buckets = buckets;
    }
    l.tiles_at = end;
    l.ids_at = clprim__scratch_behind(l.tiles_at, ranges, RANGE_BYTES);
    l.large_at = clprim__scratch_behind(l.ids_at, tiles, s->moved_tile * clprim__sample_sort_id_size(s->buckets_log));
    l.pieces_at = clprim__scratch_behind(l.large_at, last_buckets, sizeof(cl_uint));
    l.max_pieces =
        moves ? clprim__divide_up(n, s->piece) + (n >> s->large_log) : 0; /* a bucket may have one short piece */
    l.end = clprim__plus((size_t)l.pieces_at, clprim__times(l.max_pieces, PIECE_BYTES));
    return l;
}

size_t clprim__sample_sort_scratch(const clprim__comparison_sort_plan *self, size_t n)
{
    return (size_t)layout_for(self, n).end;
}

/* The arguments for a level, or for the launches after the levels. */
static sample_sort_args args_of(const sorting *s, unsigned number, const clprim__pairs *from, const clprim__pairs *to)
{
    static const level all = {.segments = 1};
    const layout *l = &s->layout;
    const level *here = number > 0 ? &l->levels[number - 1] : &all;
    const level *before = number > 1 ? here - 1 : here;
    const bool has_values = s->sort->setting.value_size > 0;
    sample_sort_args args = {.buffers = {.scratch = s->scratch},
                             .numbers = {.n = s->n,
                                         .header_at = l->header_at,
                                         .tables_at = here->tables_at,
                                         .splitters_at = here->splitters_at,
                                         .parents_at = before->tables_at,
                                         .parents_splitters_at = before->splitters_at,
                                         .tiles_at = l->tiles_at,
                                         .ids_at = l->ids_at,
                                         .large_at = l->large_at,
                                         .pieces_at = l->pieces_at,
                                         .level = number,
                                         .range = l->range,
                                         .segments = here->segments,
                                         .buckets_log = here->buckets_log,
                                         .parents = before->segments << before->buckets_log}};
    CLPRIM__PUT_PAIRS(&args, in, has_values, from);
    CLPRIM__PUT_PAIRS(&args, out, has_values, to);
    return args;
}

static clprim_status launch_levels(const sorting *s, const clprim__pairs *in, const clprim__pairs *out,
                                   const clprim__pairs *between)
{
    clprim__kernel *kernels = s->sort->samples.kernels;
    clprim__kernel *place = &kernels[CLPRIM__SAMPLE_SORT_PLACE];
    clprim_status status = CLPRIM_SUCCESS;
    for (unsigned i = 0; i < s->layout.num_levels; i++) {
        const level *l = &s->layout.levels[i];
        const clprim__pairs *from = i == 0 ? in : i % 2 == 0 ? out : between;
        const sample_sort_args args = args_of(s, i + 1, from, i % 2 == 0 ? between : out);
        const size_t columns = clprim__smaller(place->group_size, SAMPLE_SORT_COLUMNS);
        const size_t parts = s->sort->samples.is_stable ? clprim__divide_up((size_t)1 << l->buckets_log, columns) : 1;
        CLPRIM__TRY(
            clprim__launch_sample_sort_look(s->chain, &kernels[CLPRIM__SAMPLE_SORT_SAMPLE], &args, l->segments, false));
        CLPRIM__TRY(
            clprim__launch_sample_sort_look(s->chain, &kernels[CLPRIM__SAMPLE_SORT_CLASSIFY], &args, l->ranges, false));
        CLPRIM__TRY(clprim__launch_sample_sort_place(s->chain, place, &args, l->segments * parts, false));
        CLPRIM__TRY(
            clprim__launch_sample_sort_move(s->chain, &kernels[CLPRIM__SAMPLE_SORT_SCATTER], &args, l->ranges, false));
    }
done:
    return status;
}

static bool has_small(const clprim__comparison_sort_plan *self)
{
    return self->samples.kernels[CLPRIM__SAMPLE_SORT_SMALL].kernel != NULL;
}

static clprim_status launch_buckets(const sorting *s, int kernel, const sample_sort_args *args, bool is_last)
{
    const size_t buckets = (size_t)args->numbers.segments << args->numbers.buckets_log;
    const bool by_list = kernel == CLPRIM__SAMPLE_SORT_LARGE && has_small(s->sort);
    const size_t groups = by_list ? clprim__smaller(buckets, s->sort->max_groups) : buckets;
    return clprim__launch_sample_sort_move(s->chain, &s->sort->samples.kernels[kernel], args, groups, is_last);
}

/* Sort the buckets that are too large for one group. The result is in `out`. */
static clprim_status launch_rest(const sorting *s, sample_sort_args *args)
{
    clprim__kernel *kernels = s->sort->samples.kernels;
    const size_t max_groups = s->sort->base.runtime->info.compute_units; /* seldom needed, so the launch should be
                                                                          * short */
    const size_t groups = clprim__smaller(s->layout.max_pieces, max_groups);
    const cl_uint passes = clprim__bitonic_sort_log2(clprim__divide_up((size_t)s->n, s->sort->samples.piece));
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(
        clprim__launch_sample_sort_pieces(s->chain, &kernels[CLPRIM__SAMPLE_SORT_PIECES], args, groups, passes == 0));
    for (args->numbers.pass = 1; args->numbers.pass <= passes; args->numbers.pass++)
        CLPRIM__TRY(clprim__launch_sample_sort_join(s->chain, &kernels[CLPRIM__SAMPLE_SORT_JOIN], args, groups,
                                                    args->numbers.pass == passes));
done:
    return status;
}

clprim_status clprim__sample_sort_launch(clprim__comparison_sort_plan *self, clprim__chain *chain,
                                         const clprim__comparison_sort_call *call, cl_mem scratch)
{
    const clprim__bitonic_sort_call *c = &call->arrays;
    const size_t value_size = self->setting.value_size;
    const sorting s = {self, chain, c->n, scratch, layout_for(self, (size_t)c->n)};
    const clprim__pairs between = {scratch, scratch, 0, value_size > 0 ? s.layout.values_at / value_size : 0};
    const unsigned levels = s.layout.num_levels;
    const clprim__pairs *from = levels == 0 ? &c->in : levels % 2 == 0 ? &c->out : &between;
    sample_sort_args args = args_of(&s, levels, from, &c->out);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__PUT_PAIRS(&args, between, value_size > 0, &between);
    CLPRIM__TRY(launch_levels(&s, &c->in, &c->out, &between));
    if (levels > 0 && has_small(self))
        CLPRIM__TRY(launch_buckets(&s, CLPRIM__SAMPLE_SORT_SMALL, &args, false));
    CLPRIM__TRY(launch_buckets(&s, CLPRIM__SAMPLE_SORT_LARGE, &args, levels == 0));
    if (levels > 0)
        status = launch_rest(&s, &args);
done:
    return status;
}
