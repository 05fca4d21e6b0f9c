/* bitonic_sort_build.c: from a description to kernels that fit the device. */
#include <string.h>

#include "bitonic_sort_internal.h"
#include "error.h"
#include "operator.h"
#include "runtime_internal.h"

enum {
    MIN_ITEMS_LOG = 1,
    MAX_ITEMS_LOG = 5,
    MIN_GROUP = 64,        /* below, a smaller tile is not worth it */
    NEIGHBOUR_BYTES = 128, /* that are worth reading together: a cache line */
    MIN_CHUNK_LOG = 6,     /* as in kernels/bitonic_sort/cpu_chunk.cl */
    STREAMS_LOG = 3,
    GROUPS_PER_UNIT = 4,
    BANKS = 32
};

/* What the kernels are compiled for. */
typedef struct sort_shape {
    size_t group_size;
    unsigned items_log, neighbours_log; /* of WINDOWS */
    unsigned chunk_log;                 /* of STREAMS; of SHARED_PAIRS that of all elements */
} sort_shape;

static unsigned log2_below(size_t n)
{
    unsigned log = 0;
    while (n >> log > 1)
        log++;
    return log;
}

static size_t item_size(const clprim_bitonic_sort *self)
{
    return self->setting.key_size + self->setting.value_size;
}

static bool is_whole_array(const clprim_bitonic_sort *self)
{
    return self->row->steps == CLPRIM__BITONIC_SORT_NO_STEPS;
}

static size_t tile_of(const clprim_bitonic_sort *self, const sort_shape *shape)
{
    return is_whole_array(self)                               ? (size_t)1 << shape->chunk_log
           : self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS ? shape->group_size << shape->items_log
                                                              : shape->group_size * self->row->items;
}

static bool fits(const clprim_bitonic_sort *self, const sort_shape *shape)
{
    const clprim_device_info *info = &self->runtime->info;
    const size_t tile = tile_of(self, shape);
    const size_t room = info->local_memory_size / 8 * 7;                     /* some drivers need of it themselves */
    return shape->group_size <= info->max_work_group_size && tile <= room && /* no overflow below */
           (tile + tile / BANKS) * item_size(self) <= room;
}

static clprim_status fit_array(sort_shape *shape, const clprim_bitonic_sort *self)
{
    const size_t count = self->setting.max_count;
    shape->chunk_log = count > 2 ? clprim__bitonic_sort_log2(count) : 1;
    while (shape->group_size > self->runtime->info.max_work_group_size ||
           (shape->group_size > 1 && shape->group_size > (size_t)1 << (shape->chunk_log - 1)))
        shape->group_size /= 2;
    if (!fits(self, shape))
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s cannot sort up to %zu elements of %zu bytes in a work-group of %s; give a smaller "
                            "max_count",
                            self->row->info.name, count, item_size(self), self->runtime->info.name);
    return CLPRIM_SUCCESS;
}

/* The group, halved from what is wanted until its tile fits; no larger than all elements need. */
static clprim_status fit_tile(sort_shape *shape, const clprim_bitonic_sort *self)
{
    while (shape->group_size > MIN_GROUP && self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS &&
           tile_of(self, shape) / 2 >= self->setting.max_count)
        shape->group_size /= 2;
    while (shape->group_size > 0 && !fits(self, shape))
        shape->group_size /= 2;
    if (shape->group_size == 0)
        return clprim__fail(CLPRIM_UNSUPPORTED, "elements of %zu bytes take more local memory than %s has (%zu bytes)",
                            item_size(self), self->runtime->info.name, self->runtime->info.local_memory_size);
    return CLPRIM_SUCCESS;
}

static clprim_status choose_shape(sort_shape *out, const clprim_bitonic_sort *self, size_t work_group_size)
{
    const clprim__bitonic_sort_tuning tuning =
        clprim__bitonic_sort_tuning_of((clprim_bitonic_sort_variant)self->row->info.id, &self->runtime->info);
    const size_t size = item_size(self);
    const unsigned items_log = log2_below(tuning.bytes / size);
    sort_shape shape = {.group_size = work_group_size != 0 ? work_group_size : tuning.group_size};
    clprim_status status = CLPRIM_SUCCESS;
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        shape.group_size = 1;
        shape.chunk_log = items_log > MIN_CHUNK_LOG ? items_log : MIN_CHUNK_LOG;
    } else if (is_whole_array(self)) {
        CLPRIM__TRY(fit_array(&shape, self));
    } else {
        shape.items_log = items_log < MIN_ITEMS_LOG   ? MIN_ITEMS_LOG
                          : items_log > MAX_ITEMS_LOG ? MAX_ITEMS_LOG
                                                      : items_log;
        shape.neighbours_log = log2_below(NEIGHBOUR_BYTES / size);
        CLPRIM__TRY(fit_tile(&shape, self));
    }
    *out = shape;
done:
    return status;
}

static void write_order(clprim__text *text, const clprim_bitonic_sort_desc *desc, clprim_type type)
{
    const bool is_struct = desc->type_name != NULL;
    const bool is_half = !is_struct && type == CLPRIM_F16;
    const char *seen = is_struct ? desc->type_name : is_half ? "float" : clprim__type_storage(type);
    const char *turn = is_struct ? "" : is_half ? "half_to_float" : "as_";
    const char *into = is_struct || is_half ? "" : seen;
    clprim__text_format(text,
                        "static inline bool must_come_before(%s a, %s b)\n{\n    return (\n"
                        "#line 1 \"less\"\n%s\n#line 1 \"prelude\"\n    ) != 0;\n}\n",
                        seen, seen, desc->less);
    clprim__text_format(text, "#define LESS(a, b) must_come_before(%s%s(a), %s%s(b))\n", turn, into, turn, into);
}

/* Elements of built-in types are moved as integers, so that no bit of them changes. */
clprim_status clprim__bitonic_sort_prelude(clprim__text *text, const clprim__bitonic_sort_setting *setting,
                                           const clprim_bitonic_sort_desc *desc, const clprim_device_info *info)
{
    static const char *const values[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const clprim_type type = setting->type;
    const bool is_struct = desc->type_name != NULL;
    const bool is_float = type == CLPRIM_F16 || type == CLPRIM_F32 || type == CLPRIM_F64;
    const bool is_signed = type == CLPRIM_I8 || type == CLPRIM_I16 || type == CLPRIM_I32 || type == CLPRIM_I64;
    const char *element = is_struct ? desc->type_name : clprim__type_bits(type);
    clprim__prelude_begin(text, info);
    if (desc->source != NULL)
        clprim__text_format(text, "#line 1 \"source\"\n%s\n#line 1 \"prelude\"\n", desc->source);
    clprim__text_format(text, "#define ELEMENT %s\n#define ELEMENT_BITS %zu\n#define ELEMENT_KIND %d\n", element,
                        setting->key_size * 8,
                        is_float    ? 2
                        : is_signed ? 1
                                    : 0);
    clprim__text_format(text, "#define CUSTOM %d\n#define DESCENDING %d\n#define VALUE_SIZE %zu\n#define INDEX %s\n",
                        desc->less != NULL, desc->descending, setting->value_size,
                        setting->max_count > UINT32_MAX ? "ulong" : "uint");
    if (setting->value_size > 0)
        clprim__text_format(text, "#define VALUE %s\n", values[setting->value_size]);
    if (is_struct)
        clprim__text_format(text, "typedef char type_size_differs_from_the_host[sizeof(%s) == %zu ? 1 : -1];\n",
                            element, setting->key_size);
    if (desc->less != NULL)
        write_order(text, desc, type);
    return clprim__text_status(text);
}

static clprim_status write_options(clprim__text *text, const clprim_bitonic_sort *self, const sort_shape *shape)
{
    clprim__text_format(text, "-DBITONIC_SORT=1"); /* some drivers take no empty options */
    if (self->row->steps == CLPRIM__BITONIC_SORT_WINDOWS)
        clprim__text_format(text, " -DITEMS_LOG=%u -DNEIGHBOURS_LOG=%u -DUNROLL=%d", shape->items_log,
                            shape->neighbours_log, self->runtime->info.kind != CLPRIM_DEVICE_CPU);
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS)
        clprim__text_format(text, " -DCHUNK_LOG=%u", shape->chunk_log);
    if (is_whole_array(self))
        clprim__text_format(text, " -DCAPACITY=%zu", tile_of(self, shape));
    return clprim__text_status(text);
}

/* What the launches must know of the kernels' tiles. */
static void note_shape(clprim_bitonic_sort *self, sort_shape *shape, size_t group_size)
{
    shape->group_size = group_size;
    self->max_groups = GROUPS_PER_UNIT * (size_t)self->runtime->info.compute_units;
    if (self->row->steps == CLPRIM__BITONIC_SORT_STREAMS) {
        self->tile_log = shape->chunk_log;
        self->window_log = STREAMS_LOG;
        return;
    }
    self->tile_log = log2_below(tile_of(self, shape));
    self->window_log = shape->neighbours_log < self->tile_log ? self->tile_log - shape->neighbours_log : 1;
}

clprim_status clprim__bitonic_sort_build(clprim_bitonic_sort *self, const clprim_bitonic_sort_desc *desc)
{
    const char *names[CLPRIM__BITONIC_SORT_KERNELS] = {NULL};
    size_t kept[CLPRIM__BITONIC_SORT_KERNELS];
    size_t count = 0;
    const char *path = NULL;
    sort_shape shape = {0};
    size_t group_size = 0;
    cl_kernel kernels[CLPRIM__BITONIC_SORT_KERNELS] = {NULL};
    clprim__text prelude = {0};
    clprim__text options = {0};
    clprim__program_request request = {.prelude = NULL};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(choose_shape(&shape, self, desc->work_group_size));
    CLPRIM__TRY(clprim__bitonic_sort_prelude(&prelude, &self->setting, desc, &self->runtime->info));
    CLPRIM__TRY(write_options(&options, self, &shape));
    for (size_t i = 0; i < CLPRIM__BITONIC_SORT_KERNELS; i++)
        if (self->row->kernels[i] != NULL) {
            names[count] = self->row->kernels[i];
            kept[count++] = i;
        }
    for (int s = 0; s < CLPRIM__MAX_SOURCES && self->row->sources[s] != NULL; s++)
        path = self->row->sources[s]->path;
    request.prelude = prelude.data;
    request.options = options.data;
    memcpy(request.sources, self->row->sources, sizeof request.sources);
    group_size = shape.group_size;
    CLPRIM__TRY(clprim__kernels_create(kernels, &group_size, self->runtime->programs, &request, names, count));
    for (size_t i = 0; i < count; i++)
        self->kernels[kept[i]] =
            (clprim__kernel){.kernel = kernels[i], .name = names[i], .program = path, .group_size = group_size};
    note_shape(self, &shape, group_size);
done:
    clprim__text_free(&prelude);
    clprim__text_free(&options);
    return status;
}
