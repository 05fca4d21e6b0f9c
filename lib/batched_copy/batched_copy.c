// SPDX-License-Identifier: MIT
/* batched_copy.c: the whole operation: variants, kernels, launches, table, reference. */
#include <clprim/batched_copy.h>
#include <clprim/reference.h>

#include "build.h"
#include "device.h"
#include "error.h"
#include "kernels_batched_copy.h"
#include "plan_table.h"
#include "runtime_internal.h"
#include "segments.h"
#include "sizes.h"
#include "tuning.h"
#include "units.h"
#include "variants.h"

#include "batched_copy/args.h"

typedef clprim_batched_copy_desc description;
typedef clprim_batched_copy_call copy_call;

enum { SPLIT, MOVE, NUM_KERNELS, DEFAULT_SIZE = 4, MAX_ITEMS = 32 };

/* The parameters of a variant on a device. */
typedef struct clprim__batched_copy_tuning {
    size_t group_size;      /* 1 for CPUs, where it stays 1 */
    size_t items;           /* per work-item and tile; for CPUs, how many are worth another group */
    size_t loads;           /* units that a work-item loads at once */
    size_t groups_per_unit; /* for CPUs: maximum */
} clprim__batched_copy_tuning;

typedef struct clprim__batched_copy_row {
    clprim_variant_info info;
    const char *kernels[NUM_KERNELS];
    const clprim__source *source;
} clprim__batched_copy_row;

typedef struct batched_copy_plan {
    clprim_plan base;
    const clprim__batched_copy_row *row;
    size_t element_size, offset_size;
    clprim_batched_copy_packed packed;
    size_t tile;       /* items per group */
    size_t max_groups; /* 0: no limit */
    clprim__kernel kernels[NUM_KERNELS];
} batched_copy_plan;

#define OWN(name) &clprim__source_batched_copy_##name

/* id, name, summary, needs, origin, keeps order | kernels | source */
static const clprim__batched_copy_row rows[] = {
    {{CLPRIM_BATCHED_COPY_TILES, "tiles", "equal shares of elements and segments, found by a launch before", "",
      "merge path", true},
     {"batched_copy_split", "batched_copy_tiles"},
     OWN(tiles)},
    {{CLPRIM_BATCHED_COPY_CPU_CHUNK, "cpu_chunk", "equal shares of elements and segments for the cores", "",
      "for CPU devices", true},
     {NULL, "batched_copy_cpu_chunk"},
     OWN(cpu_chunk)},
};

#define FOR(name) .variant = CLPRIM_BATCHED_COPY_##name

/* The parameters of the variants, for all devices. */
CLPRIM__TUNINGS(batched_copy) = {
    {{FOR(TILES)}, {.group_size = 256, .items = 32, .loads = 8}},
    {{FOR(CPU_CHUNK)}, {.group_size = 1, .items = 8192, .groups_per_unit = 4}},
};

#define TUNABLE(...) CLPRIM__TUNABLE(batched_copy, __VA_ARGS__)

/* The parameters that a tuning file may set (docs/tuning.md): minimum, maximum, whether only powers of two. */
static const clprim__tunable tunables[] = {
    TUNABLE("tiles", group_size, 32, 1024, true),
    TUNABLE("tiles", items, 1, MAX_ITEMS, true),
    TUNABLE("tiles", loads, 1, 16, false),
    TUNABLE("cpu_chunk", items, 64, 1 << 20, true),
    TUNABLE("cpu_chunk", groups_per_unit, 1, 64, false),
};

CLPRIM__DEFINE_TUNABLES(batched_copy)
CLPRIM__DEFINE_ROWS(batched_copy)
CLPRIM__DEFINE_TUNING(batched_copy)

/* The operation's table. */

#define DESC(...) CLPRIM__DESC(batched_copy, __VA_ARGS__)
#define CALL(...) CLPRIM__CALL(batched_copy, __VA_ARGS__)

CLPRIM__ELEMENT(element, batched_copy,
                (clprim_element){.size = d->element_size == 0 ? (size_t)DEFAULT_SIZE : d->element_size})
CLPRIM__ELEMENT(offset, batched_copy, clprim__type_or(d->offsets_type, CLPRIM_U32))
CLPRIM__ELEMENT(in_begin, batched_copy, d->packed == CLPRIM_PACKED_IN ? clprim__no_element() : offset(desc, 0))
CLPRIM__ELEMENT(out_begin, batched_copy, d->packed == CLPRIM_PACKED_OUT ? clprim__no_element() : offset(desc, 0))
CLPRIM__LENGTH(in_length, batched_copy, c->in_count)
CLPRIM__LENGTH(out_length, batched_copy, c->out_count)
CLPRIM__LENGTH(begins_length, batched_copy, c->segment_count)
CLPRIM__LENGTH(offsets_length, batched_copy, c->segment_count == 0 ? 0 : clprim__plus(c->segment_count, 1))
CLPRIM__COUNT(batched_copy, clprim__larger(c->in_count, c->out_count))

static const clprim_enumerator packings[] = {
    {"out", CLPRIM_PACKED_OUT}, {"in", CLPRIM_PACKED_IN}, {"none", CLPRIM_PACKED_NONE}, {0}};

static const clprim_member desc_members[] = {
    DESC(element_size, SIZE, "bytes of an element, 1 to 256; default 4"),
    DESC(packed, ENUM, "which array has the segments one behind the other; default out", .enumerators = packings),
    DESC(offsets_type, TYPE, "type of offsets and begins: u32 (default) or u64"),
    CLPRIM__PLAN_MEMBERS(batched_copy),
    {0},
};

static const clprim_member call_members[] = {
    CALL(in, INPUT, "the elements", .element = element, .length = in_length),
    CALL(in_begins, INPUT, "where each segment begins in the input", .element = in_begin, .length = begins_length),
    CALL(offsets, INPUT, "where segments begin and end, packed", .element = offset, .length = offsets_length),
    CALL(out_begins, INPUT, "where each segment begins in the output", .element = out_begin, .length = begins_length),
    CALL(in_count, SIZE, "how many elements the input has"),
    CALL(out_count, SIZE, "how many elements the output has"),
    CALL(segment_count, SIZE, "how many segments there are"),
    CALL(out, OUTPUT, "the copied segments", .element = element, .length = out_length, .is_partial = true),
    {0},
};

/* Compiling kernels for a description. */

static clprim_status check_desc(batched_copy_plan *self, const description *desc)
{
    if (desc->element_size > CLPRIM__LARGEST_ELEMENT)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "element_size %zu: elements have at most %d bytes",
                            desc->element_size, CLPRIM__LARGEST_ELEMENT);
    if ((int)desc->packed < CLPRIM_PACKED_OUT || (int)desc->packed > CLPRIM_PACKED_NONE)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "unknown packed %d", (int)desc->packed);
    self->element_size = element(desc, 0).size;
    self->packed = desc->packed;
    return clprim__offsets_type_check(&self->offset_size, desc->offsets_type);
}

static bool has_in_begins(const batched_copy_plan *self)
{
    return self->packed != CLPRIM_PACKED_IN;
}

static bool has_out_begins(const batched_copy_plan *self)
{
    return self->packed != CLPRIM_PACKED_OUT;
}

/* Size of tile_segments in kernels/batched_copy/tiles.cl, in bytes. */
static size_t local_bytes(const batched_copy_plan *self, size_t group_size, size_t items)
{
    const size_t tile = group_size * items;
    const size_t sides = (size_t)has_in_begins(self) + has_out_begins(self);
    const size_t scan = clprim__device_scan_values(&self->base.runtime->info, group_size);
    return tile * sides * self->offset_size + ((tile / 32 + 1) * 2 + scan) * sizeof(cl_uint) + self->offset_size;
}

/* The number of items per work-item. With large elements, fewer are enough to keep a work-group busy; with small
 * elements, more are needed. */
static size_t items_of(const batched_copy_plan *self, const clprim__batched_copy_tuning *tuning, size_t group_size)
{
    const size_t room = self->base.local_room;
    size_t items = tuning->items;
    const size_t unit = clprim__unit_size(self->element_size);
    for (size_t units = self->element_size / unit; units > 1 && items > 1; units /= 2)
        items /= 2;
    for (size_t size = self->element_size; size < DEFAULT_SIZE && items < MAX_ITEMS; size *= 2)
        items *= 2;
    while (items > 1 && local_bytes(self, group_size, items) > room)
        items /= 2;
    return items;
}

static clprim_status build(batched_copy_plan *self)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t unit = clprim__unit_size(self->element_size);
    clprim__batched_copy_tuning tuning =
        clprim__batched_copy_tuning_of((clprim_batched_copy_variant)self->row->info.id, self->base.runtime,
                                       (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    const bool is_serial = self->row->kernels[SPLIT] == NULL;
    size_t group_size = clprim__group_size(&self->base, tuning.group_size);
    size_t items = items_of(self, &tuning, group_size);
    clprim__text options = {0};
    const clprim__build what = {
        .source = self->row->source, .names = self->row->kernels, .count = NUM_KERNELS, .options = &options};
    while (!is_serial && group_size > 1 && local_bytes(self, group_size, items) > self->base.local_room)
        group_size /= 2;
    clprim__text_format(&options, "-DOFFSET=%s -DUNIT=%s -DUNIT_SIZE=%zu -DUNITS=%zu",
                        self->offset_size == sizeof(cl_ulong) ? "ulong" : "uint", clprim__unit_type(unit), unit,
                        self->element_size / unit);
    clprim__text_format(&options, " -DHAS_IN_BEGINS=%d -DHAS_OUT_BEGINS=%d", has_in_begins(self), has_out_begins(self));
    if (!is_serial)
        clprim__text_format(&options, " -DTILE_ITEMS=%zu -DLOADS=%zu", items, tuning.loads);
    const clprim_status status = clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what);
    clprim__text_free(&options);
    self->tile = is_serial ? tuning.items : group_size * items;
    self->max_groups = is_serial ? tuning.groups_per_unit * info->compute_units : 0;
    return status;
}

static clprim_status make(clprim_plan *plan, const void *given)
{
    batched_copy_plan *self = (void *)plan;
    const description *desc = given;
    clprim_status status = CLPRIM_SUCCESS;
    plan->kernels = self->kernels;
    plan->num_kernels = NUM_KERNELS;
    CLPRIM__TRY(check_desc(self, desc));
    CLPRIM__TRY(CLPRIM__CHOOSE(self, batched_copy, desc->variant,
                               plan->runtime->info.kind == CLPRIM_DEVICE_CPU ? CLPRIM_BATCHED_COPY_CPU_CHUNK
                                                                             : CLPRIM_BATCHED_COPY_TILES));
    status = build(self);
done:
    return status;
}

/* Launching a call. */

/* Check that segments stay within the array, if offsets and begins are on the host. Returns CLPRIM_INVALID_ARGUMENT if
 * not. */
static clprim_status check_begins(const char *name, const clprim_array *begins, const clprim_array *offsets,
                                  size_t offset_size, size_t segments, size_t count)
{
    if (!clprim__is_known(begins, offset_size) || !clprim__is_known(offsets, offset_size))
        return CLPRIM_SUCCESS;
    for (size_t s = 0; s < segments; s++) {
        const size_t begin = clprim__offset_at(begins->host, offset_size, begins->offset + s);
        const size_t size = clprim__offset_at(offsets->host, offset_size, offsets->offset + s + 1) -
                            clprim__offset_at(offsets->host, offset_size, offsets->offset + s);
        if (size > 0 && (begin > count || size > count - begin))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "%s[%zu] is %zu: the segment's %zu elements reach beyond the array", name, s, begin,
                                size);
    }
    return CLPRIM_SUCCESS;
}

static clprim_status check(const clprim_plan *plan, const void *call)
{
    const batched_copy_plan *self = (const void *)plan;
    const copy_call *c = call;
    const size_t most = self->packed == CLPRIM_PACKED_OUT  ? c->out_count
                        : self->packed == CLPRIM_PACKED_IN ? c->in_count
                                                           : SIZE_MAX;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__segments_check(&c->offsets, self->offset_size, c->segment_count, CLPRIM__MOST_SEGMENTS, most));
    CLPRIM__TRY(
        check_begins("in_begins", &c->in_begins, &c->offsets, self->offset_size, c->segment_count, c->in_count));
    status = check_begins("out_begins", &c->out_begins, &c->offsets, self->offset_size, c->segment_count, c->out_count);
done:
    return status;
}

static size_t groups_for(const batched_copy_plan *self, const copy_call *call)
{
    const size_t groups = clprim__divide_up(clprim__plus(call->out_count, call->segment_count), self->tile);
    return self->max_groups == 0 ? groups : clprim__smaller(groups, self->max_groups);
}

/* Scratch memory for the position where each tile begins, and where the last one ends. */
static size_t scratch(const clprim_plan *plan, const void *call)
{
    const batched_copy_plan *self = (const void *)plan;
    return self->row->kernels[SPLIT] == NULL ? 0
                                             : clprim__times(clprim__plus(groups_for(self, call), 1), sizeof(cl_uint));
}

static clprim_status launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    batched_copy_plan *self = (void *)plan;
    const copy_call *call = c->given;
    const size_t groups = groups_for(self, call);
    batch_args args = {.buffers = {.starts = c->scratch},
                       .numbers = {.segments = call->segment_count,
                                   .in_count = call->in_count,
                                   .out_count = call->out_count,
                                   .tiles = groups}};
    if (call->segment_count == 0 || call->in_count == 0 || call->out_count == 0)
        return clprim__chain_marker(chain);
    CLPRIM__PUT(&args, in, call->in);
    CLPRIM__PUT(&args, out, call->out);
    CLPRIM__PUT(&args, offsets, call->offsets);
    CLPRIM__PUT(&args, in_begins, call->in_begins);
    CLPRIM__PUT(&args, out_begins, call->out_begins);
    if (self->row->kernels[SPLIT] == NULL)
        return clprim__launch_batch_chunks(chain, &self->kernels[MOVE], &args, groups, true);
    const clprim_status status = clprim__launch_batch_split(chain, &self->kernels[SPLIT], &args,
                                                            groups / self->kernels[SPLIT].group_size + 1, false);
    return status == CLPRIM_SUCCESS ? clprim__launch_batch_tiles(chain, &self->kernels[MOVE], &args, groups, true)
                                    : status;
}

/* The reference, and samples. */

clprim_status clprim_reference_batched_copy(void *out, const void *in, size_t element_size, clprim_type offsets_type,
                                            const void *in_begins, const void *offsets, const void *out_begins,
                                            size_t num_segments)
{
    size_t size = 0;
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(clprim__offsets_type_check(&size, offsets_type));
    CLPRIM__TRY(clprim__offsets_check(offsets, size, num_segments, SIZE_MAX));
    for (size_t s = 0; s < num_segments; s++) {
        const size_t count = clprim__offset_at(offsets, size, s + 1) - clprim__offset_at(offsets, size, s);
        const size_t from = clprim__offset_at(in_begins != NULL ? in_begins : offsets, size, s);
        const size_t to = clprim__offset_at(out_begins != NULL ? out_begins : offsets, size, s);
        if (count > 0 && (in == NULL || out == NULL))
            return clprim__fail(CLPRIM_INVALID_ARGUMENT, "clprim_reference_batched_copy: %s is NULL",
                                in == NULL ? "in" : "out");
        if (count > 0)
            memcpy((char *)out + to * element_size, (const char *)in + from * element_size, count * element_size);
    }
done:
    return status;
}

static clprim_status reference(const void *desc, const void *call)
{
    const copy_call *c = call;
    const clprim_element of_element = element(desc, 0);
    return clprim_reference_batched_copy(c->out.host, c->in.host, of_element.size, offset(desc, 0).type,
                                         in_begin(desc, 0).size > 0 ? c->in_begins.host : NULL, c->offsets.host,
                                         out_begin(desc, 0).size > 0 ? c->out_begins.host : NULL, c->segment_count);
}

/* The sample's segments are at arbitrary places of the input, and in the opposite order in the output. */
static void sample(clprim__trial *trial, const void *desc, void *call, size_t wanted)
{
    copy_call *c = call;
    const clprim_element number = offset(desc, 0);
    c->in_count = wanted;
    c->out_count = wanted;
    c->in.host = clprim__trial_memory(trial, wanted * element(desc, 0).size + 1);
    c->offsets.host =
        clprim__trial_offsets(trial, &c->segment_count, number.size, wanted, SIZE_MAX, CLPRIM__MOST_SEGMENTS);
    if (in_begin(desc, 0).size > 0)
        c->in_begins.host = clprim__trial_memory(trial, (c->segment_count + 1) * number.size);
    if (out_begin(desc, 0).size > 0)
        c->out_begins.host = clprim__trial_memory(trial, (c->segment_count + 1) * number.size);
    if (trial->is_over) /* not enough memory */
        return;
    for (size_t b = 0; b < wanted * element(desc, 0).size; b++)
        ((unsigned char *)c->in.host)[b] = (unsigned char)((b * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
    for (size_t s = 0; s < c->segment_count; s++) {
        const size_t size =
            clprim__offset_at(c->offsets.host, number.size, s + 1) - clprim__offset_at(c->offsets.host, number.size, s);
        const uint64_t from = s * UINT64_C(2654435761) % (wanted - size + 1);
        const uint64_t to = wanted - clprim__offset_at(c->offsets.host, number.size, s + 1);
        if (c->in_begins.host != NULL)
            memcpy((char *)c->in_begins.host + s * number.size, &from, number.size); /* little-endian */
        if (c->out_begins.host != NULL)
            memcpy((char *)c->out_begins.host + s * number.size, &to, number.size);
    }
}

static const description samples[] = {
    {.element_size = 0},
    {.element_size = 1, .packed = CLPRIM_PACKED_IN},
    {.element_size = 12, .packed = CLPRIM_PACKED_NONE, .offsets_type = CLPRIM_U64},
};
static const int order[] = {CLPRIM_BATCHED_COPY_TILES, CLPRIM_BATCHED_COPY_CPU_CHUNK, CLPRIM_BATCHED_COPY_AUTO};

static const clprim__operation operation = {
    .face = &clprim_batched_copy_operation,
    .plan_size = sizeof(batched_copy_plan),
    .tunables = &clprim__batched_copy_tunables,
    .make = make,
    .count = count,
    .check = check,
    .scratch = scratch,
    .launch = launch,
    .sample = sample,
    .reference = reference,
};

CLPRIM__DEFINE_OPERATION(batched_copy, "copy many segments from one array to another", clprim__batched_copy_variants,
                         "gather words", "scatter bytes", "12 bytes from anywhere to anywhere")
