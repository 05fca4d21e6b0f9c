// SPDX-License-Identifier: MIT
/* shuffle.c: the whole operation: variants, permutation, kernels, launch, table and reference. */
#include <clprim/reference.h>
#include <clprim/shuffle.h>

#include "build.h"
#include "device.h"
#include "error.h"
#include "kernels_shuffle.h"
#include "order.h"
#include "plan_table.h"
#include "runtime_internal.h"
#include "shuffle_permutation.h"
#include "sizes.h"
#include "tuning.h"
#include "units.h"
#include "variants.h"

typedef clprim_shuffle_desc description;
typedef clprim_shuffle_call shuffle_call;

enum { DEFAULT_SIZE = 4 };

/* The parameters of a variant on a device. */
typedef struct clprim__shuffle_tuning {
    size_t group_size;      /* 1 for CPUs, where it stays 1 */
    size_t items;           /* elements per work-item; for CPUs, how many are worth another group */
    size_t groups_per_unit; /* for CPUs: maximum */
} clprim__shuffle_tuning;

typedef struct clprim__shuffle_row {
    clprim_variant_info info;
    const char *kernel;
    const clprim__source *source;
} clprim__shuffle_row;

typedef struct shuffle_plan {
    clprim_plan base;
    const clprim__shuffle_row *row;
    size_t element_size; /* 0: indices are written */
    size_t tile;         /* maximum number of elements per group */
    size_t max_groups;   /* 0: no limit */
    clprim__kernel kernel;
} shuffle_plan;

#define OWN(name) &clprim__source_shuffle_##name

/* id, name, summary, needs, origin, keeps order | kernel | source */
static const clprim__shuffle_row rows[] = {
    {{CLPRIM_SHUFFLE_TILES, "tiles", "a few elements per work-item, each gathered from its place", "",
      "Mitchell et al. 2022", true},
     "shuffle_tiles",
     OWN(tiles)},
    {{CLPRIM_SHUFFLE_CPU_CHUNK, "cpu_chunk", "one chunk per core", "", "for CPU devices", true},
     "shuffle_cpu_chunk",
     OWN(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_SHUFFLE_##name

/* The parameters of the variants, for all devices. */
CLPRIM__TUNINGS(shuffle) = {
    {{FOR(TILES)}, {.group_size = 256, .items = 8}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 1024, .groups_per_unit = 4}},
};

#define TUNABLE(...) CLPRIM__TUNABLE(shuffle, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tiles", group_size, 32, 1024, true),
    TUNABLE("tiles", items, 1, 32, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(shuffle)
CLPRIM__DEFINE_ROWS(shuffle)
CLPRIM__DEFINE_TUNING(shuffle)

/* The operation's table. */

#define DESC(...) CLPRIM__DESC(shuffle, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(shuffle, __VA_ARGS__)

CLPRIM__ELEMENT(element, shuffle,
                d->indices ? clprim__no_element()
                           : (clprim_element){.size = d->element_size == 0 ? (size_t)DEFAULT_SIZE : d->element_size})
CLPRIM__ELEMENT(output, shuffle, d->indices ? clprim__type_or(d->index_type, CLPRIM_U32) : element(desc, 0))
CLPRIM__LENGTH(length, shuffle, c->count)
CLPRIM__COUNT(shuffle, c->count)

static const clprim_member desc_members[] = {
    DESC(element_size, SIZE, "bytes of an element, 1 to 256; default 4"),
    DESC(indices, BOOL, "write the permutation itself, instead of elements"),
    CLPRIM__INDEX_MEMBER(shuffle),
    CLPRIM__PLAN_MEMBERS(shuffle),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = length),
    CALL(count, SIZE, "how many there are"),
    CALL(seed, UINT64, "which permutation: any number"),
    CALL(out, OUTPUT, "the shuffled elements, or the permutation", .element = output, .length = length),
    {0},
};

/* The permutation: see kernels/shuffle/parts/permutation.cl. */

typedef clprim__permutation permutation;

permutation clprim__permutation_of(uint64_t count, uint64_t seed)
{
    permutation self = {.count = count};
    uint64_t root = 0; /* the least number whose square is at least count */
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) < count)
            root += bit;
    root++;
    self.rows = (cl_uint)root;
    self.columns = (cl_uint)(count / root + (count % root != 0));
    for (size_t k = 0; k < sizeof self.keys / sizeof *self.keys; k++) { /* SplitMix64 */
        uint64_t z = seed + (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        self.keys[k] = (cl_uint)((z ^ z >> 31) >> 32);
    }
    return self;
}

/* Add to x a number below `limit` that depends on y and a key, modulo limit. */
static uint64_t add_scrambled(uint64_t x, uint64_t y, cl_uint key, cl_uint limit)
{
    uint32_t h = ((uint32_t)y ^ key) * UINT32_C(0x9e3779b1);
    h = (h ^ h >> 15) * UINT32_C(0x85ebca6b);
    h = (h ^ h >> 16) * UINT32_C(0xc2b2ae35);
    return (x + ((uint64_t)h * limit >> 32)) % limit;
}

static uint64_t permuted(const permutation *self, uint64_t i)
{
    const size_t rounds = self->count <= FEW ? NUM_KEYS : ROUNDS;
    do {
        uint64_t row = i / self->columns;
        uint64_t column = i % self->columns;
        for (size_t k = 0; k < rounds; k += 2) {
            row = add_scrambled(row, column, self->keys[k], self->rows);
            column = add_scrambled(column, row, self->keys[k + 1], self->columns);
        }
        i = row * self->columns + column;
    } while (i >= self->count);
    return i;
}

/* Compiling a kernel for a description. */

static clprim_status check_desc(shuffle_plan *self, const description *desc)
{
    const uint64_t most = (uint64_t)UINT32_MAX * UINT32_MAX;
    if (desc->element_size > CLPRIM__LARGEST_ELEMENT || (desc->indices && desc->element_size != 0))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_size %zu: %s", desc->element_size,
                            desc->indices ? "it contradicts indices" : "elements have at most 256 bytes");
    self->element_size = element(desc, 0).size;
    if (self->base.max_count > most) /* rows and columns have 32 bits */
        self->base.max_count = (size_t)most;
    return clprim__index_check(&self->base.index_size, desc->index_type, desc->indices ? self->base.max_count : 0);
}

static clprim_status build(shuffle_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const bool is_wide = self->base.max_count > UINT32_MAX;
    const size_t size = self->element_size != 0 ? self->element_size : self->base.index_size;
    const size_t unit = clprim__unit_size(size);
    clprim__shuffle_tuning tuning =
        clprim__shuffle_tuning_of((clprim_shuffle_variant)self->row->info.id, self->base.runtime,
                                  (clprim__tuned_for){.size = size, .max_count = SIZE_MAX});
    size_t group_size = clprim__group_size(&self->base, tuning.group_size);
    size_t items = size / unit > 1 ? clprim__smaller(tuning.items, 4) : tuning.items;
    const size_t index_size = is_wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t room = self->base.local_room / index_size;
    while (tuning.group_size != 1 && group_size > 1 && group_size * items > room)
        group_size /= 2;
    clprim__text options = {0};
    const clprim__build what = {
        .source = self->row->source, .names = &self->row->kernel, .count = 1, .options = &options};
    clprim__text_format(&options, "-DINDEX=%s -DINDICES=%d -DUNIT=%s -DUNITS=%zu", is_wide ? "ulong" : "uint",
                        self->element_size == 0, clprim__unit_type(unit), size / unit);
    if (tuning.group_size != 1)
        clprim__text_format(&options, " -DITEMS=%zu", items);
    const clprim_status status = clprim__build_kernels(&self->kernel, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    self->tile = tuning.group_size == 1 ? tuning.items : group_size * items;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
    return status;
}

static clprim_status make(clprim_plan *plan, const void *given)
{
    shuffle_plan *self = (void *)plan;
    const description *desc = given;
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = &self->kernel;
    plan->num_kernels = 1;
    CLPRIM__TRY(check_desc(self, desc));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, shuffle, desc->variant,
                               plan->runtime->info.kind == CLPRIM_DEVICE_CPU ? CLPRIM_SHUFFLE_CPU_CHUNK
                                                                             : CLPRIM_SHUFFLE_TILES));
    status = build(self);
done:
    return status;
}

/* The number of elements per group. It is less than the maximum if there are too few elements to keep all compute units
 * busy. */
static cl_uint tile_for(const shuffle_plan *self, size_t n)
{
    enum { GROUPS_EACH = 4 }; /* per compute unit */
    const size_t group_size = self->kernel.group_size;
    const size_t share = n / ((size_t)GROUPS_EACH * self->base.runtime->info.compute_units);
    return (cl_uint)clprim__smaller(clprim__larger(share / group_size, 1) * group_size, self->tile);
}

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    shuffle_plan *self = (void *)plan;
    const shuffle_call *call = c->given;
    const permutation p = clprim__permutation_of(call->count, call->seed);
    size_t groups = clprim__divide_up(call->count, self->tile);
    clprim__vectors numbers = {{0}, {0}};
    CLPRIM__ARGUMENTS(list);
    shuffle_args args = {.numbers = {.count = p.count, .rows = p.rows, .columns = p.columns}};
    CLPRIM__PUT_IF(self->element_size != 0, &args, in, call->in);
    CLPRIM__PUT(&args, out, call->out);
    if (self->max_groups == 0) {
        args.numbers.tile = tile_for(self, call->count);
        groups = clprim__divide_up(call->count, args.numbers.tile);
    } else {
        groups = clprim__smaller(groups, self->max_groups);
    }
    clprim__add_present(&list, args.buffers.in);
    clprim__add_buffer(&list, args.buffers.out);
    clprim__put_shuffle_args(&numbers, &args);
    clprim__add_vectors(&list, &numbers);
    CLPRIM__ADD_SCALAR(&list, p.keys);
    return clprim__launch(chain, &self->kernel, &list, groups, true);
}

/* The reference, and samples. */

clprim_status clprim_reference_shuffle(void *out, const void *in, size_t element_size, size_t count, uint64_t seed)
{
    const bool is_index = element_size == sizeof(uint32_t) || element_size == sizeof(uint64_t);
    if (count > 0 && (out == NULL || element_size == 0 || (in == NULL && !is_index)))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_shuffle: %s",
                            out == NULL         ? "out is NULL"
                            : element_size == 0 ? "element_size is 0"
                                                : "indices have 4 or 8 bytes");
    const permutation p = clprim__permutation_of(count, seed);
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = permuted(&p, i);
        memcpy((char *)out + i * element_size,
               in != NULL ? (const void *)((const char *)in + (size_t)from * element_size) : &from,
               element_size); /* little-endian */
    }
    return CLPRIM_SUCCESS;
}

static clprim_status reference(const void *desc, const void *call)
{
    const shuffle_call *c = call;
    return clprim_reference_shuffle(c->out.host, ((const description *)desc)->indices ? NULL : c->in.host,
                                    output(desc, 0).size, c->count, c->seed);
}

static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    shuffle_call *c = call;
    const size_t bytes = wanted * element(desc, 0).size;
    c->count = wanted;
    c->seed = wanted * UINT64_C(0x9e3779b97f4a7c15);
    if (bytes > 0)
        c->in.host = clprim__trial_elements(trial, CLPRIM_U8, bytes);
}

static const description samples[] = {
    {.element_size = 0},
    {.indices = true, .index_type = CLPRIM_U64},
    {.element_size = 12},
};
static const int order[] = {CLPRIM_SHUFFLE_TILES, CLPRIM_SHUFFLE_CPU_CHUNK, CLPRIM_SHUFFLE_AUTO};

static const clprim__operation operation = {
    .face = &clprim_shuffle_operation,
    .plan_size = sizeof(shuffle_plan),
    .tunables = &clprim__shuffle_tunables,
    .make = make,
    .count = count,
    .launch = launch,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(shuffle, "elements or indices in a pseudo-random order", clprim__shuffle_variants, "words",
                         "indices of 64 bits", "elements of 12 bytes")
