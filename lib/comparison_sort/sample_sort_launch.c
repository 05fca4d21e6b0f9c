/* sample_sort_launch.c: the launches of a sample sort. How many there are follows from how many elements; nothing is
 * read back. */
#include "comparison_sort_internal.h"
#include "error.h"
#include "runtime_internal.h"
#include "sample_sort.h"

enum {
    MAX_LEVELS = 3,
    TABLES = 3, /* of a level, in words a bucket: as in kernels/comparison_sort/parts/sample_tables.cl */
    HEADER_BYTES = 256,
    TILE_BYTES = 8,  /* of an entry of the list of tiles */
    PIECE_BYTES = 16 /* of pieces */
};

typedef struct level {
    cl_uint segments, buckets_log;
    size_t tiles;       /* at most: segments need not end where tiles do */
    cl_ulong tables_at; /* in scratch memory, in bytes */
    cl_ulong splitters_at;
} level;

/* What is to be done, and where the parts of scratch memory begin, in bytes. At 0 are keys. */
typedef struct layout {
    level levels[MAX_LEVELS];
    unsigned num_levels; /* 0: a work-group sorts everything */
    size_t max_pieces;
    cl_ulong values_at;
    cl_ulong header_at;
    cl_ulong tiles_at;
    cl_ulong ids_at;
    cl_ulong large_at; /* the list of buckets that are too large for a small tile */
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

static bool has_values(const sorting *s)
{
    return s->sort->setting.value_size > 0;
}

/* As few levels as give buckets that fit a tile, but for a few, and none of them more buckets than another by much. */
static void plan_levels(layout *l, const clprim__sample_sort *s, size_t n)
{
    unsigned bits = clprim__bitonic_sort_log2(clprim__divide_up(n, s->wanted));
    unsigned segments_log = 0;
    if (n <= (size_t)1 << s->large_log)
        return;
    for (l->num_levels = 1; l->num_levels < MAX_LEVELS && n >> (l->num_levels * s->buckets_log) >= s->most;)
        l->num_levels++;
    for (unsigned i = 0; i < l->num_levels; i++) {
        const unsigned left = l->num_levels - i;
        unsigned log = (bits + left - 1) / left;
        log = log < 1 ? 1 : log > s->buckets_log ? s->buckets_log : log;
        l->levels[i] = (level){.segments = (cl_uint)1 << segments_log,
                               .buckets_log = log,
                               .tiles = clprim__divide_up(n, s->moved_tile) + (i == 0 ? 0 : (size_t)1 << segments_log)};
        bits -= bits < log ? bits : log;
        segments_log += log;
    }
}

static layout layout_for(const clprim__comparison_sort_plan *self, size_t n)
{
    const clprim__comparison_sort_setting *setting = &self->setting;
    const clprim__sample_sort *s = &self->samples;
    size_t tiles = 0;
    size_t last_buckets = 0;
    layout l = {.max_pieces = 0};
    plan_levels(&l, s, n);
    const bool moves = l.num_levels > 0;
    l.values_at = clprim__scratch_behind(0, n, moves ? setting->key_size : 0);
    l.header_at = clprim__scratch_behind(l.values_at, n, moves ? setting->value_size : 0);
    cl_ulong end = clprim__plus((size_t)l.header_at, HEADER_BYTES);
    for (unsigned i = 0; i < l.num_levels; i++) {
        const size_t buckets = (size_t)l.levels[i].segments << l.levels[i].buckets_log;
        l.levels[i].tables_at = end;
        end = clprim__scratch_behind(end, buckets, TABLES * sizeof(cl_uint));
        l.levels[i].splitters_at = end;
        end = clprim__scratch_behind(end, buckets, setting->key_size);
        tiles = clprim__larger(tiles, l.levels[i].tiles);
        last_buckets = buckets;
    }
    l.tiles_at = end;
    l.ids_at = clprim__scratch_behind(l.tiles_at, tiles, TILE_BYTES);
    l.large_at = clprim__scratch_behind(l.ids_at, tiles, s->moved_tile * clprim__sample_sort_id_size(s->buckets_log));
    l.pieces_at = clprim__scratch_behind(l.large_at, last_buckets, sizeof(cl_uint));
    l.max_pieces =
        moves ? clprim__divide_up(n, s->piece) + (n >> s->large_log) : 0; /* of each bucket one is not whole */
    l.end = clprim__plus((size_t)l.pieces_at, clprim__times(l.max_pieces, PIECE_BYTES));
    return l;
}

size_t clprim__sample_sort_scratch(const clprim__comparison_sort_plan *self, size_t n)
{
    return (size_t)layout_for(self, n).end;
}

/* LEVEL_PARAMETERS of kernels/comparison_sort/parts/sample_tables.cl; in, out: NULL where the kernel has none. */
static clprim_status launch_level(const sorting *s, int kernel, unsigned i, const clprim__pairs *in,
                                  const clprim__pairs *out, size_t groups)
{
    const level *here = &s->layout.levels[i];
    const level *before = i > 0 ? here - 1 : here;
    const cl_uint number = i + 1;
    const cl_uint parents = before->segments << before->buckets_log;
    CLPRIM__ARGUMENTS(list);
    if (in != NULL)
        clprim__add_pairs(&list, in, has_values(s));
    if (out != NULL)
        clprim__add_pairs(&list, out, has_values(s));
    CLPRIM__ADD_SCALAR(&list, s->n);
    CLPRIM__ADD_SCALAR(&list, number);
    CLPRIM__ADD_SCALAR(&list, here->segments);
    CLPRIM__ADD_SCALAR(&list, here->buckets_log);
    clprim__add_buffer(&list, s->scratch);
    CLPRIM__ADD_SCALAR(&list, s->layout.header_at);
    CLPRIM__ADD_SCALAR(&list, before->tables_at);
    CLPRIM__ADD_SCALAR(&list, parents);
    CLPRIM__ADD_SCALAR(&list, here->tables_at);
    CLPRIM__ADD_SCALAR(&list, here->splitters_at);
    CLPRIM__ADD_SCALAR(&list, s->layout.tiles_at);
    CLPRIM__ADD_SCALAR(&list, s->layout.ids_at);
    return clprim__launch(s->chain, &s->sort->samples.kernels[kernel], &list, groups, false);
}

static clprim_status launch_levels(const sorting *s, const clprim__pairs *in, const clprim__pairs *out,
                                   const clprim__pairs *between)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (unsigned i = 0; i < s->layout.num_levels; i++) {
        const level *l = &s->layout.levels[i];
        const clprim__pairs *from = i == 0 ? in : i % 2 == 0 ? out : between;
        const clprim__pairs *to = i % 2 == 0 ? between : out;
        CLPRIM__TRY(launch_level(s, CLPRIM__SAMPLE_SORT_SAMPLE, i, from, NULL, l->segments));
        CLPRIM__TRY(launch_level(s, CLPRIM__SAMPLE_SORT_CLASSIFY, i, from, NULL, l->tiles));
        CLPRIM__TRY(launch_level(s, CLPRIM__SAMPLE_SORT_PLACE, i, NULL, NULL, l->segments));
        CLPRIM__TRY(launch_level(s, CLPRIM__SAMPLE_SORT_SCATTER, i, from, to, l->tiles));
    }
done:
    return status;
}

static bool has_small(const clprim__comparison_sort_plan *self)
{
    return self->samples.kernels[CLPRIM__SAMPLE_SORT_SMALL].kernel != NULL;
}

static clprim_status launch_buckets(const sorting *s, int kernel, const clprim__pairs *from, const clprim__pairs *out,
                                    bool is_last)
{
    static const level all = {.segments = 1};
    const cl_uint number = s->layout.num_levels;
    const level *l = number > 0 ? &s->layout.levels[number - 1] : &all;
    const cl_uint buckets = l->segments << l->buckets_log;
    const cl_ulong parents_splitters_at = number > 1 ? l[-1].splitters_at : 0;
    const bool by_list = kernel == CLPRIM__SAMPLE_SORT_LARGE && has_small(s->sort);
    const size_t groups = by_list && buckets > s->sort->max_groups ? s->sort->max_groups : buckets;
    CLPRIM__ARGUMENTS(list);
    clprim__add_pairs(&list, from, has_values(s));
    clprim__add_pairs(&list, out, has_values(s));
    CLPRIM__ADD_SCALAR(&list, s->n);
    CLPRIM__ADD_SCALAR(&list, number);
    CLPRIM__ADD_SCALAR(&list, l->buckets_log);
    clprim__add_buffer(&list, s->scratch);
    CLPRIM__ADD_SCALAR(&list, s->layout.header_at);
    CLPRIM__ADD_SCALAR(&list, l->tables_at);
    CLPRIM__ADD_SCALAR(&list, l->splitters_at);
    CLPRIM__ADD_SCALAR(&list, parents_splitters_at);
    CLPRIM__ADD_SCALAR(&list, buckets);
    CLPRIM__ADD_SCALAR(&list, s->layout.large_at);
    CLPRIM__ADD_SCALAR(&list, s->layout.pieces_at);
    return clprim__launch(s->chain, &s->sort->samples.kernels[kernel], &list, groups, is_last);
}

/* What is too large for a group. In the end it is in `out`. */
static clprim_status launch_rest(const sorting *s, const clprim__pairs *from, const clprim__pairs *out,
                                 const clprim__pairs *between)
{
    const size_t max_groups = s->sort->base.runtime->info.compute_units; /* seldom needed, so they should begin soon */
    const size_t groups = s->layout.max_pieces < max_groups ? s->layout.max_pieces : max_groups;
    const cl_uint passes = clprim__bitonic_sort_log2(clprim__divide_up((size_t)s->n, s->sort->samples.piece));
    CLPRIM__ARGUMENTS(pieces);
    clprim_status status = CLPRIM_SUCCESS;
    clprim__add_pairs(&pieces, from, has_values(s));
    clprim__add_pairs(&pieces, out, has_values(s));
    clprim__add_pairs(&pieces, between, has_values(s));
    clprim__add_buffer(&pieces, s->scratch);
    CLPRIM__ADD_SCALAR(&pieces, s->layout.header_at);
    CLPRIM__ADD_SCALAR(&pieces, s->layout.pieces_at);
    CLPRIM__TRY(
        clprim__launch(s->chain, &s->sort->samples.kernels[CLPRIM__SAMPLE_SORT_PIECES], &pieces, groups, passes == 0));
    for (cl_uint pass = 1; pass <= passes; pass++) {
        CLPRIM__ARGUMENTS(join);
        clprim__add_pairs(&join, out, has_values(s));
        clprim__add_pairs(&join, between, has_values(s));
        clprim__add_buffer(&join, s->scratch);
        CLPRIM__ADD_SCALAR(&join, s->layout.header_at);
        CLPRIM__ADD_SCALAR(&join, s->layout.pieces_at);
        CLPRIM__ADD_SCALAR(&join, pass);
        CLPRIM__TRY(clprim__launch(s->chain, &s->sort->samples.kernels[CLPRIM__SAMPLE_SORT_JOIN], &join, groups,
                                   pass == passes));
    }
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
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_levels(&s, &c->in, &c->out, &between));
    if (levels > 0 && has_small(self))
        CLPRIM__TRY(launch_buckets(&s, CLPRIM__SAMPLE_SORT_SMALL, from, &c->out, false));
    CLPRIM__TRY(launch_buckets(&s, CLPRIM__SAMPLE_SORT_LARGE, from, &c->out, levels == 0));
    if (levels > 0)
        status = launch_rest(&s, from, &c->out, &between);
done:
    return status;
}
