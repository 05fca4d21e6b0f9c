// SPDX-License-Identifier: MIT
/* top_k_launch.c: the launches of a call. */
#include <math.h>
#include <stdint.h>

#include "error.h"
#include "runtime_internal.h"
#include "top_k_internal.h"

enum {
    SEARCH_BYTES = 128,    /* room for the search of kernels/top_k/parts/search.cl, and for the filter_state of lists.cl
                            * after it */
    LISTED_SHARE = 8,      /* a list has room for 1 / LISTED_SHARE of a chunk of one work-item, */
    FILTERED_SHARE = 16,   /* and for 1 / FILTERED_SHARE of a chunk of a larger group, */
    LEAST_FILTERED = 4096, /* but at least for so many elements */
    MOST_TILES_ALONE = 16
};

/* For kernels/top_k/parts/kept.cl. */
enum {
    KEPT_SHARE = 64,         /* chunks keep the first k if k is at most n / KEPT_SHARE, */
    KEPT_IF_FEW = 4096,      /* or if it is at most KEPT_IF_FEW */
    KEPT_SHARE_IF_FEW = 8,   /* and at most n / KEPT_SHARE_IF_FEW, */
    MOST_KEPT = 1 << 17,     /* but never if k is larger than this */
    KEPT_TOGETHER = 1 << 15, /* elements that all chunks keep together, and among which one work-item chooses; or n /
                              * KEPT_SHARE if larger */
    KEPT_CHUNK = 1 << 16,    /* elements that are worth another chunk, although it costs a second launch */
    SORTED_IN_PLACE = 128    /* the largest k that the work-item that chooses the elements also sorts */
};

/* Where the parts of scratch memory begin, in bytes. The sort's own memory is at 0; then come keys and values on their
 * way to the result. */
typedef struct layout {
    cl_ulong keys_at;
    cl_ulong values_at;
    cl_ulong search_at;
    cl_ulong chunks_at;
    cl_ulong rows_at;
    cl_ulong lists_at;
    cl_ulong kept_at;
    cl_ulong end;
    cl_uint capacity; /* of a list */
} layout;

/* The arrays of a call, and how many elements are read. */
typedef struct elements {
    clprim__pairs in, out;
    cl_ulong n;
} elements;

/* Tiles may begin up to a packet before the first element, so the last one may be empty. */
static size_t groups_for(const clprim__top_k_plan *self, size_t n)
{
    const size_t packet = CLPRIM__PACKET_BYTES / self->setting.keys.key_size;
    const size_t groups = clprim__divide_up(self->row->in_chunks ? n : clprim__plus(n, packet), self->tile);
    return groups < self->max_groups ? groups : self->max_groups;
}

/* Elements of a group's chunk. */
static size_t chunk_for(const clprim__top_k_plan *self, size_t n)
{
    const size_t packet = CLPRIM__PACKET_BYTES / self->setting.keys.key_size;
    const size_t groups = groups_for(self, n);
    if (self->row->in_chunks)
        return clprim__divide_up(n, groups);
    return clprim__divide_up(clprim__divide_up(clprim__plus(n, packet), self->tile), groups) * self->tile;
}

static bool may_filter(const clprim__top_k_plan *self, size_t n)
{
    return self->filtered_from < SIZE_MAX && self->setting.k <= n / CLPRIM__FILTER_SHARE;
}

/* The launches before the search. */
enum {
    NOT_FILTERED,
    FILTERED,         /* candidates are listed; all launches of the search follow */
    FILTERED_BRIEFLY, /* candidates are listed, one group finishes, and only the launch that gathers follows */
    FILTERED_ALONE    /* no launch follows */
};

/* Whether one group will find the result among the elements before the sample's limit. The number on average may then
 * be half of what there is room for: see samples_wanted of kernels/top_k/filter.cl. */
static bool are_few(const clprim__top_k_plan *self, size_t n)
{
    const size_t each = CLPRIM__SAMPLES_EACH * self->kernels[CLPRIM__TOP_K_SAMPLE].group_size;
    const double samples = (double)clprim__smaller(each, CLPRIM__SAMPLES_AT_MOST);
    const double wanted = (double)self->setting.k * samples / (double)n;
    return self->setting.k <= CLPRIM__TAKEN &&
           (1.5 + wanted + 5 * sqrt(wanted)) * (double)n <= (double)self->few_most / 2 * samples;
}

static int filtering(const clprim__top_k_plan *self, size_t n)
{
    const size_t tiles = n / self->tile;
    if (!may_filter(self, n))
        return NOT_FILTERED;
    if (tiles > 0 && groups_for(self, n) < self->max_groups && are_few(self, n))
        return tiles <= MOST_TILES_ALONE ? FILTERED_ALONE : FILTERED_BRIEFLY;
    return n >= self->filtered_from ? FILTERED : NOT_FILTERED;
}

static bool is_all(const clprim__top_k_plan *self, size_t n)
{
    return n <= self->setting.k;
}

/* Whether chunks keep the first k while they read their elements once. */
static bool keeps(const clprim__top_k_plan *self, size_t n)
{
    const size_t most = clprim__larger(n / KEPT_SHARE, clprim__smaller(n / KEPT_SHARE_IF_FEW, KEPT_IF_FEW));
    return self->row->in_chunks && self->setting.k <= clprim__smaller(most, MOST_KEPT);
}

static size_t kept_chunks(const clprim__top_k_plan *self, size_t n)
{
    const size_t together = clprim__larger(n / KEPT_SHARE, KEPT_TOGETHER);
    const size_t most = clprim__smaller(together / self->setting.k, self->base.runtime->info.compute_units);
    return clprim__smaller(clprim__divide_up(n, KEPT_CHUNK), clprim__larger(most, 1));
}

/* Elements of a slot. The larger it is, the fewer elements of an ascending input are kept. A multiple of 16, so that
 * slots are aligned. */
static size_t kept_room(const clprim__top_k_plan *self)
{
    return clprim__divide_up(8 * self->setting.k + 1024, 16) * 16;
}

/* Whether the kernel that finds the elements also sorts them. */
static bool is_sorted_in_place(const clprim__top_k_plan *self, size_t n)
{
    return keeps(self, n) && self->setting.k <= SORTED_IN_PLACE;
}

/* Whether the elements are first collected in scratch memory, and then sorted or copied to the output. */
static bool goes_between(const clprim__top_k_plan *self, size_t n)
{
    if (is_all(self, n))
        return self->row->selects && !self->setting.unsorted &&
               (self->setting.keys.indices || self->setting.keys.has_input);
    return !self->setting.unsorted && !is_sorted_in_place(self, n);
}

static layout layout_for(const clprim__top_k_plan *self, size_t n)
{
    const clprim__radix_sort_setting *setting = &self->setting.keys;
    const size_t m = is_all(self, n) || !self->row->selects ? n : self->setting.k; /* elements to sort */
    const size_t between = goes_between(self, n) ? m : 0;
    const size_t word = setting->max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    layout l = {0};
    l.keys_at = clprim__scratch_align(self->sort != NULL ? clprim__radix_sort_scratch(self->sort, m) : 0);
    l.values_at = clprim__scratch_behind(l.keys_at, between, setting->key_size);
    l.search_at = clprim__scratch_behind(l.values_at, between, setting->value_size);
    l.end = l.search_at;
    if (!self->row->selects || is_all(self, n))
        return l;
    if (keeps(self, n)) {
        const size_t chunks = kept_chunks(self, n);
        const size_t slot = CLPRIM__SLOT_HEAD + kept_room(self) * (word + setting->key_size);
        l.kept_at = l.search_at;
        l.end = clprim__scratch_behind(l.kept_at, chunks + (chunks > 1), slot);
        return l;
    }
    const size_t groups = groups_for(self, n);
    const size_t chunk = chunk_for(self, n);
    const size_t share = self->row->in_chunks ? LISTED_SHARE : FILTERED_SHARE;
    const bool lists = self->row->in_chunks || may_filter(self, n); /* more elements never need less memory */
    const size_t least = self->row->in_chunks ? 0 : clprim__smaller(chunk, LEAST_FILTERED);
    const size_t longest = chunk < UINT32_MAX ? chunk : UINT32_MAX; /* longer chunks have no lists, but must not need
                                                                     * less memory */
    const size_t listed = lists ? clprim__larger(longest / share, least) : 0;
    if (chunk <= UINT32_MAX && (self->row->in_chunks || filtering(self, n) != NOT_FILTERED))
        l.capacity = (cl_uint)listed;
    l.chunks_at = clprim__scratch_behind(l.search_at, 1, SEARCH_BYTES);
    l.rows_at = clprim__scratch_behind(l.chunks_at, groups, 2 * word);
    l.lists_at = clprim__scratch_behind(l.rows_at, groups, word << self->digit_bits);
    l.end = clprim__plus((size_t)l.lists_at, clprim__times(groups, (listed + lists) * sizeof(cl_uint)));
    return l;
}

/* Where the found keys go, if the call has no array for them: after everything else. */
static cl_ulong own_keys_at(const layout *l)
{
    return clprim__scratch_align((size_t)l->end);
}

size_t clprim__top_k_scratch(const clprim_plan *plan, const void *call)
{
    const clprim__top_k_plan *self = (const void *)plan;
    const clprim__radix_sort_setting *keys = &self->setting.keys;
    const size_t n = ((const clprim_top_k_call *)call)->count;
    const layout l = layout_for(self, n);
    const size_t found = clprim__smaller(n, self->setting.k);
    return clprim__radix_sort_may_leave_out_keys(keys)
               ? (size_t)clprim__scratch_behind(own_keys_at(&l), found, keys->key_size)
               : (size_t)l.end;
}

size_t clprim__top_k_pooled(const clprim_plan *plan, const clprim__call *call)
{
    const clprim_top_k_call *given = call->given;
    return given->keys_out.buffer != NULL ? (size_t)layout_for((const void *)plan, given->count).end
                                          : clprim__top_k_scratch(plan, given);
}

size_t clprim__top_k_state(const clprim__top_k_plan *self)
{
    return (CLPRIM__TOTALS + ((size_t)1 << self->digit_bits)) * sizeof(cl_uint);
}

/* The arrays of a launch. Indices are not read. */
static void put_pairs(top_k_args *args, const clprim__top_k_plan *self, const clprim__pairs *from,
                      const clprim__pairs *to, bool has_indices)
{
    const bool has_values = self->setting.keys.value_size > 0;
    args->buffers.keys_in = from->keys;
    args->buffers.keys_out = to->keys;
    args->buffers.carried_in = !has_values ? CLPRIM__ABSENT : has_indices ? to->values : from->values;
    args->buffers.carried_out = has_values ? to->values : CLPRIM__ABSENT;
    args->numbers.keys_in_offset = from->keys_offset;
    args->numbers.keys_out_offset = to->keys_offset;
    args->numbers.carried_in_offset = from->values_offset;
    args->numbers.carried_out_offset = to->values_offset;
}

/* Copy the first n elements of `from`. Indices are not read but made. */
static clprim_status launch_copy(clprim__top_k_plan *self, clprim__chain *chain, const clprim__pairs *from,
                                 const clprim__pairs *to, cl_ulong n, bool makes_indices)
{
    const size_t groups = clprim__divide_up((size_t)n, self->tile);
    top_k_args args = {.numbers = {.n = n, .makes_indices = makes_indices}};
    put_pairs(&args, self, from, to, makes_indices);
    return clprim__launch_top_k_copy(chain, &self->kernels[CLPRIM__TOP_K_COPY], &args,
                                     clprim__smaller(groups, self->max_groups), true);
}

static clprim_status launch_sort(clprim__top_k_plan *self, clprim__chain *chain, const clprim__pairs *from,
                                 const clprim__pairs *to, cl_ulong n, cl_mem scratch)
{
    const clprim__radix_sort_call call = {
        .in = {from->keys, clprim__radix_sort_setting_of(self->sort)->indices ? to->values : from->values,
               from->keys_offset, from->values_offset},
        .out = {to->keys, to->values, to->keys_offset, to->values_offset},
        .n = n,
        .flags = CLPRIM__RADIX_SORT_MUST_MOVE};
    return clprim__radix_sort_launch_in(self->sort, chain, &call, scratch);
}

/* Sort elements that are in the order of the input. */
static clprim_status launch_order(clprim__top_k_plan *self, clprim__chain *chain, const clprim__pairs *from,
                                  const clprim__pairs *to, cl_ulong n, cl_mem scratch)
{
    top_k_args args = {.numbers = {.n = n}};
    if (!self->orders)
        return launch_sort(self, chain, from, to, n, scratch);
    put_pairs(&args, self, from, to, false);
    return clprim__launch_top_k_copy(chain, &self->kernels[CLPRIM__TOP_K_ORDER], &args, 1, true);
}

static top_k_args args_of(const clprim__top_k_plan *self, const elements *call, cl_mem scratch, const layout *l,
                          const clprim__pairs *to)
{
    top_k_args args = {.buffers = {.scratch = scratch, .state = self->folds ? self->base.state.memory : CLPRIM__ABSENT},
                       .numbers = {.n = call->n,
                                   .k = self->setting.k,
                                   .search_at = l->search_at,
                                   .chunks_at = l->chunks_at,
                                   .rows_at = l->rows_at,
                                   .lists_at = l->lists_at,
                                   .kept_at = l->kept_at,
                                   .capacity = l->capacity,
                                   .groups = (cl_uint)groups_for(self, (size_t)call->n),
                                   .room = (cl_uint)kept_room(self)}};
    put_pairs(&args, self, &call->in, to, self->setting.keys.indices);
    return args;
}

static clprim_status launch_filter(clprim__top_k_plan *self, clprim__chain *chain, const top_k_args *given, int how)
{
    clprim_status status = CLPRIM_SUCCESS;
    top_k_args args = *given;
    args.numbers.alone = (cl_uint)(how - FILTERED);
    CLPRIM__TRY(clprim__launch_top_k_search(chain, &self->kernels[CLPRIM__TOP_K_SAMPLE], &args, 1, false));
    CLPRIM__TRY(
        clprim__launch_top_k_search(chain, &self->kernels[CLPRIM__TOP_K_FILTER], &args, args.numbers.groups, false));
    status = clprim__launch_top_k_find(chain, &self->kernels[CLPRIM__TOP_K_FINISH], &args, 1, how == FILTERED_ALONE);
done:
    return status;
}

/* is_filtered: top_k_finish has begun the search. */
static clprim_status launch_pass(clprim__top_k_plan *self, clprim__chain *chain, const top_k_args *given, cl_uint pass,
                                 bool is_filtered)
{
    clprim_status status = CLPRIM_SUCCESS;
    top_k_args args = *given;
    args.numbers.pass = pass;
    CLPRIM__TRY(
        clprim__launch_top_k_count(chain, &self->kernels[CLPRIM__TOP_K_COUNT], &args, args.numbers.groups, false));
    if (self->folds)
        return status;
    args.numbers.pass = pass > 0 || is_filtered;
    status = clprim__launch_top_k_choose(chain, &self->kernels[CLPRIM__TOP_K_CHOOSE], &args, 1, false);
done:
    return status;
}

/* Keep the first k of the keys, or if slots > 0 of the chunks' slots. */
static clprim_status launch_keep(clprim__top_k_plan *self, clprim__chain *chain, const top_k_args *given, cl_uint slots)
{
    const size_t n = (size_t)given->numbers.n;
    const size_t groups = slots > 0 ? 1 : kept_chunks(self, n);
    top_k_args args = *given;
    args.numbers.slots = slots;
    args.numbers.sorts = !self->setting.unsorted && is_sorted_in_place(self, n);
    return clprim__launch_top_k_find(chain, &self->kernels[CLPRIM__TOP_K_KEEP], &args, groups, groups == 1);
}

static clprim_status launch_kept(clprim__top_k_plan *self, clprim__chain *chain, const elements *call, cl_mem scratch,
                                 const layout *l, const clprim__pairs *to)
{
    const top_k_args args = args_of(self, call, scratch, l, to);
    const size_t chunks = kept_chunks(self, (size_t)call->n);
    clprim_status status = launch_keep(self, chain, &args, 0);
    if (status == CLPRIM_SUCCESS && chunks > 1)
        status = launch_keep(self, chain, &args, (cl_uint)chunks);
    return status;
}

static clprim_status launch_select(clprim__top_k_plan *self, clprim__chain *chain, const elements *call, cl_mem scratch,
                                   const layout *l, const clprim__pairs *to)
{
    const int how = filtering(self, (size_t)call->n);
    clprim_status status = CLPRIM_SUCCESS;
    top_k_args args;
    if (keeps(self, (size_t)call->n))
        return launch_kept(self, chain, call, scratch, l, to);
    if (self->folds)
        CLPRIM__TRY(clprim__state_begin(&self->base.state, chain, clprim__top_k_state(self), 1));
    args = args_of(self, call, scratch, l, to);
    if (how != NOT_FILTERED)
        CLPRIM__TRY(launch_filter(self, chain, &args, how));
    if (how == FILTERED_ALONE)
        goto done;
    for (cl_uint pass = 0; how != FILTERED_BRIEFLY && pass < self->passes; pass++)
        CLPRIM__TRY(launch_pass(self, chain, &args, pass, how != NOT_FILTERED));
    status = clprim__launch_top_k_find(chain, &self->kernels[CLPRIM__TOP_K_GATHER], &args, args.numbers.groups, true);
done:
    if (self->folds)
        clprim__state_end(&self->base.state, chain, status);
    return status;
}

/* All launches of a call. The result may pass through scratch memory. */
static clprim_status launch_all(clprim__top_k_plan *self, clprim__chain *chain, const elements *call, cl_mem scratch,
                                const layout *l)
{
    const size_t value_size = self->setting.keys.value_size > 0 ? self->setting.keys.value_size : 1;
    const cl_ulong k = self->setting.k;
    const clprim__pairs between = {scratch, scratch, l->keys_at / self->setting.keys.key_size,
                                   l->values_at / value_size};
    const bool all = is_all(self, (size_t)call->n);
    const bool goes = goes_between(self, (size_t)call->n);
    clprim_status status = CLPRIM_SUCCESS;
    if (!self->row->selects) {
        CLPRIM__TRY(launch_sort(self, chain, &call->in, goes ? &between : &call->out, call->n, scratch));
        return goes ? launch_copy(self, chain, &between, &call->out, k, false) : status;
    }
    if (!all)
        CLPRIM__TRY(launch_select(self, chain, call, scratch, l, goes ? &between : &call->out));
    else if (goes || self->setting.unsorted)
        CLPRIM__TRY(
            launch_copy(self, chain, &call->in, goes ? &between : &call->out, call->n, self->setting.keys.indices));
    if (!self->setting.unsorted && (all || !is_sorted_in_place(self, (size_t)call->n)))
        status = launch_order(self, chain, goes ? &between : &call->in, &call->out, all ? call->n : k, scratch);
done:
    return status;
}

clprim_status clprim__top_k_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim__top_k_plan *self = (const void *)plan;
    const clprim_top_k_call *call = c->given;
    elements all = {clprim__pairs_of(&call->keys_in, &call->values_in),
                    clprim__pairs_of(&call->keys_out, &call->values_out), call->count};
    const layout l = layout_for(self, call->count);
    if (all.out.keys == NULL) {
        all.out.keys = c->scratch;
        all.out.keys_offset = own_keys_at(&l) / self->setting.keys.key_size;
    }
    return launch_all((void *)plan, chain, &all, c->scratch, &l);
}
