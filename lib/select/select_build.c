// SPDX-License-Identifier: MIT
/* select_build.c: compile kernels for a description, fitted to the device. */
#include "build.h"
#include "device.h"
#include "equality.h"
#include "error.h"
#include "expression.h"
#include "flags.h"
#include "operator.h"
#include "runtime_internal.h"
#include "select_internal.h"

enum {
    MAX_ITEMS = 8, /* each is unrolled into its own registers */
    /* Registers per work-item if groups compute missing tiles. The first is for devices without shuffles. The second is
     * the same for elements with values: it allows four groups of 256 on a compute unit of NVIDIA. The third is with
     * shuffles, for the beginnings of runs: it allows six groups, as with forward progress. */
    FALLBACK_REGISTERS = 80,
    FALLBACK_WITH_VALUES = 64,
    FALLBACK_BY_SHUFFLES = 40,
    MOVE_REGISTERS = 64,     /* in the second of two launches; allows four groups of 256 */
    OTHER_LOCAL_BYTES = 512, /* of local memory: what look_back.cl takes, and single values */
    LARGEST_TILE = 1 << 16   /* of elements with values, which are found by places of 16 bits */
};

/* Elements of built-in types are moved as integers, so that none of their bits change. */
static clprim_status write_prelude(clprim__prelude *prelude, clprim__select_plan *self, const clprim__select_how *how)
{
    const clprim_select_desc *desc = &how->desc;
    const clprim_type type = desc->type == CLPRIM_TYPE_DEFAULT ? CLPRIM_I32 : desc->type;
    const bool is_struct = desc->type_name != NULL;
    clprim__text *text = &prelude->own;
    clprim__prelude_begin(prelude, &self->base.runtime->info);
    const clprim_status status = clprim__text_write(prelude, &desc->text, &self->base.runtime->info);
    if (status != CLPRIM_SUCCESS)
        return status;
    const char *element =
        is_struct ? clprim__prelude_type(prelude, desc->type_name, self->element_size) : clprim__type_bits(type);
    clprim__text_format(text, "#define ELEMENT %s\n#define ELEMENT_SIZE %zu\n", element, self->element_size);
    if (!is_struct)
        clprim__text_format(text, "#define ELEMENT_OF_BITS(b) ((ELEMENT)(b))\n");
    if (self->heads)
        clprim__equality_write(prelude, &(clprim__equality){.text = desc->predicate,
                                                            .type = type,
                                                            .own_type = is_struct ? element : NULL,
                                                            .size = self->element_size});
    else if (desc->predicate != NULL)
        clprim__predicate_write(prelude, "predicate", desc->predicate, type, is_struct ? element : NULL);
    if (how->second_predicate != NULL)
        clprim__predicate_write(prelude, "second_predicate", how->second_predicate, type, is_struct ? element : NULL);
    clprim__input_write(prelude, desc->input, type, is_struct ? element : NULL);
    clprim__output_write(prelude, &(clprim__output)CLPRIM__OUTPUT_OF(desc), type, is_struct ? element : NULL,
                         "ELEMENT");
    return clprim__prelude_status(prelude);
}

static void describe_program(clprim__text *options, const clprim__select_plan *self, const clprim_select_desc *desc,
                             const clprim__select_tuning *tuning, size_t items)
{
    static const char *const flag_types[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    static const char *const payloads[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    clprim__text_format(
        options, "-DITEMS=%zu -DPACKET_BYTES=%d -DPARTITION=%d -DTHREE_WAY=%d -DFLAGGED=%d -DHEADS=%d -DCOUNT_TYPE=%s",
        items, CLPRIM__PACKET_BYTES, self->rest, self->is_three_way, self->flag_size != 0, self->heads,
        self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint");
    if (self->row->looks_back)
        clprim__text_format(options, " -DCLPRIM_LOOK_BACK_LOOKS=%zu", tuning->looks);
    clprim__text_format(options, " -DPAYLOAD_SIZE=%zu", self->value_size);
    if (self->value_size > 0)
        clprim__text_format(options, " -DPAYLOAD=%s -DINDICES=%d", payloads[self->value_size], self->indices);
    if (self->flag_size != 0) {
        clprim__text_format(options, " -DFLAG=%s", flag_types[self->flag_size]);
        clprim__flags_option(options, desc->flags_type != CLPRIM_TYPE_DEFAULT ? desc->flags_type : CLPRIM_U8);
    }
}

/* The local memory of a tile. It collects the elements before they are stored, with the places of their values. Without
 * shuffles, the counts are scanned in the same memory. */
static size_t local_bytes(const clprim__select_plan *self, size_t group_size, size_t items, size_t pack)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t counts = clprim__device_tile_scan_values(info, group_size, items);
    const size_t group_sums = self->row->looks_back ? 0 : 2 * clprim__device_scan_values(info, group_size);
    const size_t place = self->value_size > 0 ? sizeof(cl_ushort) : 0;
    return group_size * items * pack * (self->output_size + place) + counts * sizeof(cl_uint) +
           group_sums * sizeof(cl_ulong) + OTHER_LOCAL_BYTES;
}

/* Whether a tile is small enough that one VALUE can count two parts, and that the place of a value fits 16 bits. */
static bool can_count(const clprim__select_plan *self, size_t tile)
{
    const bool counts_parts = !self->is_three_way || self->row->largest_group == 1 || tile <= UINT16_MAX;
    return counts_parts && (self->value_size == 0 || tile <= LARGEST_TILE);
}

/* Choose the largest group, halved from the wanted size, then the most packets per work-item, that fit. */
static clprim_status fit(size_t *group_size, size_t *items, const clprim__select_plan *self, size_t pack)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t wanted = *items;
    if (self->row->largest_group != 0 && *group_size > self->row->largest_group)
        *group_size = self->row->largest_group;
    for (; *group_size > 0; *group_size /= 2)
        for (*items = wanted; *items > 0; (*items)--)
            if (*group_size <= info->max_work_group_size && can_count(self, *group_size * *items * pack) &&
                (*group_size == 1 || local_bytes(self, *group_size, *items, pack) <= self->base.local_room))
                return CLPRIM_SUCCESS;
    return clprim__fail(CLPRIM_UNSUPPORTED, "%s allows no work-group for this selection", info->name);
}

/* The number of registers per work-item that allows enough groups at once; 0: no limit. */
static unsigned registers_of(const clprim__select_plan *self, const clprim__select_how *how, size_t group_size)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const bool has_warps = clprim__device_has_warps(info, group_size);
    const bool are_words = self->element_size <= sizeof(cl_uint) && self->value_size <= sizeof(cl_uint);
    if (!self->row->looks_back)
        return has_warps && self->row->largest_group != 1 ? MOVE_REGISTERS : 0;
    if (info->has_forward_progress || how->rest != CLPRIM__REST_NOWHERE)
        return 0;
    if (self->value_size == 0)
        return has_warps ? 0 : FALLBACK_REGISTERS;
    if (!has_warps)
        return are_words ? FALLBACK_WITH_VALUES : 0;
    return are_words && self->heads && how->desc.predicate == NULL ? FALLBACK_BY_SHUFFLES : 0;
}

clprim_status clprim__select_build(clprim__select_plan *self, const clprim__select_how *how)
{
    const clprim_select_desc *desc = &how->desc;
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t packet =
        CLPRIM__PACKET_BYTES % self->element_size == 0 ? CLPRIM__PACKET_BYTES / self->element_size : 1;
    const bool is_alone = desc->input != NULL; /* such elements are computed one by one */
    const size_t pack = is_alone ? 1 : packet;
    const size_t most = is_alone ? CLPRIM__MAX_ALONE : MAX_ITEMS;
    const clprim_select_variant variant = (clprim_select_variant)self->row->info.id;
    const clprim__select_tuning tuning = clprim__select_tuning_of(
        variant, self->base.runtime, (clprim__tuned_for){.size = self->element_size, .max_count = SIZE_MAX});
    size_t group_size = self->base.work_group_size != 0 ? self->base.work_group_size : tuning.group_size;
    size_t items = desc->items_per_work_item != 0 ? clprim__divide_up(desc->items_per_work_item, pack)
                   : is_alone                     ? clprim__items_alone(tuning.items, packet)
                                                  : tuning.items;
    if (self->value_size > 0 && desc->items_per_work_item == 0) /* a tile moves as many bytes as without values */
        items = clprim__divide_up(items, 2);
    items = items > most ? most : items;
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const clprim__build what = {.source = self->row->source,
                                .names = self->row->kernels,
                                .count = sizeof self->kernels / sizeof *self->kernels,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts,
                                .max_registers = registers_of(self, how, group_size)};
    clprim_status status = CLPRIM_SUCCESS;
    CLPRIM__TRY(fit(&group_size, &items, self, pack));
    CLPRIM__TRY(write_prelude(&prelude, self, how));
    describe_program(&options, self, desc, &tuning, items);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &group_size, self->base.runtime, &what));
    self->tile = self->row->largest_group == 1 ? 1024 : group_size * items * pack;
    self->max_groups = tuning.groups_per_unit * info->compute_units;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
