// SPDX-License-Identifier: MIT
/* segmented_top_k_launch.c: the launches of a call. */
#include <stdint.h>

#include "error.h"
#include "runtime_internal.h"
#include "segmented_sort_internal.h"
#include "segmented_top_k_internal.h"
#include "top_k_internal.h"

typedef clprim__segmented_top_k_plan plan_type;

enum {
    ENTRY = 4 * sizeof(cl_uint), /* bytes of a unit_entry of kernels/segmented_top_k/parts/units.cl */
    PART_BETWEEN_OFFSETS = 4,    /* with offsets, parts are so many times as long as parts of a row */
    UNITS_EACH = 4,              /* units per compute unit, if rows are divided into parts */
    ROWS_EACH = 64,              /* rows per compute unit from which on one work-item per row is fast enough */
    SHORT_ON_AVERAGE = 64,       /* with offsets: the average length up to which this holds */
    MOST_ROOM = 4096             /* largest k for which slots of CPU_CHUNK have plenty of room */
};
static const size_t LONGEST_PART = (size_t)1 << 30; /* select.cl counts in 32 bits */

/* How segments are divided, and where the parts of scratch memory begin, in bytes. */
typedef struct layout {
    cl_ulong units_at, joins_at, keys_at, indices_at; /* for SELECT */
    cl_uint units_most, slots_most, joins_most, part_length, parts;
    cl_ulong offsets_at, sorted_at, order_at; /* for SORT; the sort's own memory is at 0 */
    cl_uint room;                             /* for CPU_CHUNK: elements of a slot */
    size_t groups;                            /* for CPU_CHUNK */
    cl_ulong end;
} layout;

static bool has_offsets(const plan_type *self)
{
    return self->setting.segment_length == 0;
}

static size_t index_size(const plan_type *self)
{
    return self->setting.keys.max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
}

/* The most results of a segment. */
static size_t most_results(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    return clprim__smaller(self->setting.k, has_offsets(self) ? call->count : self->setting.segment_length);
}

/* Add memory for the keys and indices of so many slots. */
static void add_slots(layout *l, const plan_type *self, size_t slots, cl_ulong at)
{
    const size_t candidates = clprim__times(slots, self->setting.k);
    l->keys_at = clprim__scratch_align((size_t)at);
    l->indices_at = clprim__scratch_behind(l->keys_at, candidates, self->setting.keys.key_size);
    l->end = clprim__scratch_behind(l->indices_at, candidates, sizeof(cl_uint));
}

/* Whether each row takes a work-item. Otherwise each takes one group or several. */
static bool are_rows_short(const plan_type *self, size_t rows)
{
    const size_t length = self->setting.segment_length;
    return length <= CLPRIM__SEGMENTED_TOP_K_LISTED ||
           (length <= self->longest && rows >= (size_t)ROWS_EACH * self->base.runtime->info.compute_units);
}

static layout layout_of_rows(const plan_type *self, size_t rows)
{
    const size_t length = self->setting.segment_length;
    const size_t wanted = clprim__divide_up((size_t)UNITS_EACH * self->base.runtime->info.compute_units, rows);
    size_t part = clprim__larger(clprim__divide_up(length, clprim__larger(wanted, 1)), self->part);
    layout l = {0};
    part = clprim__smaller(clprim__smaller(part, length), LONGEST_PART);
    l.part_length = (cl_uint)part;
    l.parts = (cl_uint)clprim__divide_up(length, part);
    if (l.parts > 1 && !are_rows_short(self, rows)) {
        l.slots_most = (cl_uint)(rows * l.parts); /* at most a few, because there are few rows */
        add_slots(&l, self, l.slots_most, 0);
    }
    return l;
}

/* Whether, with offsets, each segment that is not long takes a team. Otherwise it takes a work-item. */
static bool are_for_teams(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    const size_t many = (size_t)ROWS_EACH * self->base.runtime->info.compute_units;
    return self->team > 0 && (call->segment_count < many || call->count / SHORT_ON_AVERAGE > call->segment_count);
}

/* As much as segments can need, for any offsets, and for whichever kernel comes first. */
static layout layout_between_offsets(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    const size_t n = call->count;
    const size_t longest = self->team > 0 ? clprim__smaller(self->longest, self->team_longest) : self->longest;
    const size_t part = clprim__smaller(PART_BETWEEN_OFFSETS * self->part, LONGEST_PART);
    const size_t whole = n / part;
    layout l = {.part_length = (cl_uint)part, .parts = 1};
    if (n <= longest)
        return l;
    l.units_most = (cl_uint)(clprim__smaller(call->segment_count, n / (longest + 1)) + whole + 1);
    l.slots_most = (cl_uint)(2 * whole);
    l.joins_most = (cl_uint)whole;
    l.units_at = CLPRIM__SEGMENTED_TOP_K_HEADER;
    l.joins_at = clprim__scratch_behind(l.units_at, l.units_most, ENTRY);
    add_slots(&l, self, l.slots_most, clprim__scratch_behind(l.joins_at, l.joins_most, ENTRY));
    return l;
}

static layout layout_of_sort(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    const clprim_segmented_sort_call sort = {.count = call->count, .segment_count = call->segment_count};
    const size_t ends = has_offsets(self) ? 0 : clprim__plus(call->segment_count, 1);
    layout l = {0};
    l.offsets_at = clprim__scratch_align(clprim__segmented_sort_scratch(self->sort, &sort));
    l.sorted_at = clprim__scratch_behind(l.offsets_at, ends, index_size(self));
    l.order_at = clprim__scratch_behind(l.sorted_at, call->count, self->setting.keys.key_size);
    l.end = clprim__scratch_behind(l.order_at, self->sorts_indices ? call->count : 0, index_size(self));
    return l;
}

/* The more room, the fewer elements of an ascending input are kept. Sorting takes room for twice the results. */
static layout layout_of_chunks(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    enum { SPARE = 1024, ALIGNED = 16 };
    const size_t k = most_results(self, call);
    const size_t wanted = clprim__plus(clprim__times(k <= MOST_ROOM ? 8 : 2, k), SPARE);
    const size_t room = clprim__times(clprim__divide_up(wanted, ALIGNED), ALIGNED);
    const size_t most = k <= MOST_ROOM ? self->max_groups : self->base.runtime->info.compute_units;
    layout l = {.groups = clprim__smaller(call->segment_count, most)};
    if (self->keeps_list)
        return l;
    l.room = (cl_uint)room;
    l.end = clprim__times(
        l.groups, clprim__plus(CLPRIM__SLOT_HEAD, clprim__times(room, index_size(self) + self->setting.keys.key_size)));
    return l;
}

static layout layout_for(const plan_type *self, const clprim_segmented_top_k_call *call)
{
    if (call->segment_count == 0)
        return (layout){0};
    switch (self->row->how) {
    case CLPRIM__SEGMENTED_TOP_K_SORTS: return layout_of_sort(self, call);
    case CLPRIM__SEGMENTED_TOP_K_IN_CHUNKS: return layout_of_chunks(self, call);
    default: return has_offsets(self) ? layout_between_offsets(self, call) : layout_of_rows(self, call->segment_count);
    }
}

size_t clprim__segmented_top_k_scratch(const clprim_plan *plan, const void *call)
{
    return (size_t)layout_for((const void *)plan, call).end;
}

static segmented_top_k_args args_of(const plan_type *self, const clprim__call *c, const layout *l)
{
    const clprim_segmented_top_k_call *call = c->given;
    const clprim__segmented_top_k_setting *setting = &self->setting;
    const bool has_values = setting->keys.value_size > 0;
    segmented_top_k_args args = {.buffers = {.scratch = c->scratch},
                                 .numbers = {.segment_length = setting->segment_length,
                                             .segments = call->segment_count,
                                             .n = call->count,
                                             .k = setting->k,
                                             .units_at = l->units_at,
                                             .joins_at = l->joins_at,
                                             .keys_at = l->keys_at,
                                             .indices_at = l->indices_at,
                                             .offsets_at = l->offsets_at,
                                             .sorted_at = l->sorted_at,
                                             .order_at = l->order_at,
                                             .units_most = l->units_most,
                                             .slots_most = l->slots_most,
                                             .joins_most = l->joins_most,
                                             .part_length = l->part_length,
                                             .parts = l->parts,
                                             .room = l->room}};
    CLPRIM__PUT(&args, keys_in, call->keys_in);
    CLPRIM__PUT(&args, keys_out, call->keys_out);
    CLPRIM__PUT_IF(has_offsets(self), &args, offsets, call->offsets);
    CLPRIM__PUT_IF(has_values, &args, carried_in, setting->keys.indices ? call->values_out : call->values_in);
    CLPRIM__PUT_IF(has_values, &args, carried_out, call->values_out);
    return args;
}

static clprim_status launch_all(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l,
                                clprim__kernel *kernel, size_t lanes, size_t most, bool is_last)
{
    enum { MOST_GROUPS = 1 << 20 }; /* if there are more segments, each group takes several */
    const clprim_segmented_top_k_call *call = c->given;
    const size_t groups = clprim__divide_up(call->segment_count, kernel->group_size / lanes);
    segmented_top_k_args args = args_of(self, c, l);
    args.numbers.longest = (cl_uint)most;
    if (!has_offsets(self)) /* no row is too long */
        args.buffers.scratch = CLPRIM__ABSENT;
    return clprim__launch_segmented_top_k_short(chain, kernel, &args, clprim__smaller(groups, MOST_GROUPS), is_last);
}

/* Take each segment with a work-item or a team. */
static clprim_status launch_short(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l,
                                  bool by_teams, bool is_last)
{
    const size_t n = ((const clprim_segmented_top_k_call *)c->given)->count;
    const bool are_small = self->small_team > 0 && n >= self->small_from;
    if (!by_teams)
        return launch_all(self, chain, c, l, &self->kernels[CLPRIM__SEGMENTED_TOP_K_SHORT], 1, self->longest, is_last);
    return are_small ? launch_all(self, chain, c, l, &self->kernels[CLPRIM__SEGMENTED_TOP_K_SMALL_TEAMS],
                                  self->small_team, self->team_longest, is_last)
                     : launch_all(self, chain, c, l, &self->kernels[CLPRIM__SEGMENTED_TOP_K_TEAMS], self->team,
                                  self->team_longest, is_last);
}

/* Take the units, at most `most`; or, in a launch after that (joins), the segments with several parts. */
static clprim_status launch_select(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l,
                                   size_t most, cl_uint joins, bool is_last)
{
    segmented_top_k_args args = args_of(self, c, l);
    args.numbers.joins = joins;
    return clprim__launch_segmented_top_k(chain, &self->kernels[CLPRIM__SEGMENTED_TOP_K_SELECT], &args,
                                          clprim__smaller(most, self->max_groups), is_last);
}

static clprim_status select_rows(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l)
{
    const size_t rows = ((const clprim_segmented_top_k_call *)c->given)->segment_count;
    clprim_status status = CLPRIM_SUCCESS;
    if (self->team > 0 || are_rows_short(self, rows))
        return launch_short(self, chain, c, l, self->team > 0, true);
    CLPRIM__TRY(launch_select(self, chain, c, l, clprim__times(rows, l->parts), 0, l->parts == 1));
    if (l->parts > 1)
        status = launch_select(self, chain, c, l, rows, 1, true);
done:
    return status;
}

static clprim_status select_between_offsets(plan_type *self, clprim__chain *chain, const clprim__call *c,
                                            const layout *l)
{
    const bool by_teams = are_for_teams(self, c->given);
    clprim_status status = CLPRIM_SUCCESS;
    if (l->units_most == 0)
        return launch_short(self, chain, c, l, by_teams, true);
    CLPRIM__TRY(clprim__fill_zeros(chain, c->scratch, 0, CLPRIM__SEGMENTED_TOP_K_HEADER));
    CLPRIM__TRY(launch_short(self, chain, c, l, by_teams, false));
    CLPRIM__TRY(launch_select(self, chain, c, l, l->units_most, 0, l->joins_most == 0));
    if (l->joins_most > 0)
        status = launch_select(self, chain, c, l, l->joins_most, 1, true);
done:
    return status;
}

/* Sort keys, and their indices in the array, to scratch memory. */
static clprim_status launch_sort(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l)
{
    const clprim_segmented_top_k_call *call = c->given;
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_TOP_K_OFFSETS];
    clprim_segmented_sort_call sort = {
        .keys_in = call->keys_in,
        .offsets = call->offsets,
        .count = call->count,
        .segment_count = call->segment_count,
        .keys_out = {.buffer = c->scratch, .offset = (size_t)l->sorted_at / self->setting.keys.key_size}};
    clprim__call of_sort = {.given = &sort, .scratch = c->scratch};
    clprim_status status = CLPRIM_SUCCESS;
    if (self->sorts_indices)
        sort.values_out = (clprim_array){.buffer = c->scratch, .offset = (size_t)l->order_at / index_size(self)};
    if (!has_offsets(self)) {
        sort.offsets = (clprim_array){.buffer = c->scratch, .offset = (size_t)l->offsets_at / index_size(self)};
        const segmented_top_k_args args = args_of(self, c, l);
        const size_t groups = clprim__divide_up(call->segment_count + 1, kernel->group_size);
        CLPRIM__TRY(clprim__launch_segmented_top_k_offsets(chain, kernel, &args,
                                                           clprim__smaller(groups, self->max_groups), false));
    }
    status = clprim__segmented_sort_launch(self->sort, chain, &of_sort);
done:
    return status;
}

static clprim_status launch_sorted(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l)
{
    const clprim_segmented_top_k_call *call = c->given;
    clprim__kernel *kernel = &self->kernels[CLPRIM__SEGMENTED_TOP_K_COPY];
    const size_t most = most_results(self, call);
    const size_t items = clprim__divide_up(clprim__times(call->segment_count, most), kernel->group_size);
    const size_t groups = self->setting.unsorted ? call->segment_count : items;
    const segmented_top_k_args args = args_of(self, c, l);
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(launch_sort(self, chain, c, l));
    status = clprim__launch_segmented_top_k(chain, kernel, &args, clprim__smaller(groups, self->max_groups), true);
done:
    return status;
}

static clprim_status launch_chunks(plan_type *self, clprim__chain *chain, const clprim__call *c, const layout *l)
{
    const segmented_top_k_args args = args_of(self, c, l);
    return clprim__launch_segmented_top_k(chain, &self->kernels[CLPRIM__SEGMENTED_TOP_K_CHUNK], &args, l->groups, true);
}

clprim_status clprim__segmented_top_k_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    plan_type *self = (void *)plan;
    const layout l = layout_for(self, c->given);
    switch (self->row->how) {
    case CLPRIM__SEGMENTED_TOP_K_SORTS: return launch_sorted(self, chain, c, &l);
    case CLPRIM__SEGMENTED_TOP_K_IN_CHUNKS: return launch_chunks(self, chain, c, &l);
    default: return has_offsets(self) ? select_between_offsets(self, chain, c, &l) : select_rows(self, chain, c, &l);
    }
}
