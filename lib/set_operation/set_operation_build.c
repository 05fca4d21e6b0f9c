// SPDX-License-Identifier: MIT
/* set_operation_build.c: compile kernels for a description, fitted to the device. */
#include <stdint.h>

#include "build.h"
#include "device.h"
#include "error.h"
#include "runtime_internal.h"
#include "set_operation_internal.h"

enum {
    FALLBACK_REGISTERS = 64, /* per work-item, if groups may compute missing tiles: enough for keys of up to 4 bytes */
    MAX_ITEMS = 31,          /* per work-item: kernels/set_operation/parts/tile.cl */
    PLACE = 2,               /* size of a place in the output, in local memory, in bytes */
    OTHER_LOCAL_BYTES = 640  /* local memory for the window of look_back.cl, and for single values */
};

typedef struct shape {
    size_t group_size;
    size_t items; /* per work-item and tile */
} shape;

/* The local memory for a tile's keys and its staged part, and for scans and sums. */
static size_t local_bytes(const clprim__set_operation_plan *self, const shape *of)
{
    const size_t index_size = self->base.max_count > UINT32_MAX ? sizeof(cl_ulong) : sizeof(cl_uint);
    const size_t values = clprim__device_tile_scan_values(&self->base.runtime->info, of->group_size, 1);
    const size_t scan = values * index_size;
    const size_t sums = self->row->looks_back ? 0 : values * 2 * sizeof(cl_ulong);
    return of->group_size * of->items * (self->key_size + PLACE) + 2 * self->key_size + scan + sums + OTHER_LOCAL_BYTES;
}

/* Choose the largest group, halved from the wanted size, and the most items that fit. The number of items is odd, so
 * that neighbouring work-items use different banks of local memory. group_size 0: nothing fits. */
static shape fit(const clprim__set_operation_plan *self, const clprim__set_operation_tuning *tuning)
{
    const clprim_device_info *info = &self->base.runtime->info;
    const size_t wanted = clprim__smaller(tuning->bytes / (self->key_size + PLACE), MAX_ITEMS);
    shape of = {clprim__group_size(&self->base, tuning->group_size), 1};
    if (self->row->is_for_cores)
        return (shape){1, 1};
    for (; of.group_size > 0; of.group_size /= 2)
        for (of.items = wanted > 1 ? (wanted - 1) | 1 : 1; of.items <= MAX_ITEMS; of.items -= 2)
            if (of.group_size <= info->max_work_group_size && local_bytes(self, &of) <= self->base.local_room)
                return of;
    return of;
}

static void describe_program(clprim__text *options, const clprim__set_operation_plan *self, clprim_set_op op,
                             const clprim__set_operation_tuning *tuning, const shape *of)
{
    static const char *const payloads[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const bool is_wide = self->base.max_count > UINT32_MAX;
    clprim__text_format(options, "-DPATH_ITEMS=%zu -DINDEX_SIZE=%d -DCOUNT_TYPE=%s -DSTREAMS=%d", of->items,
                        is_wide ? 8 : 4, self->base.index_size == sizeof(cl_ulong) ? "ulong" : "uint",
                        CLPRIM__SET_OPERATION_STREAMS);
    clprim__text_format(options, " -DONLY_A=%d -DIN_BOTH=%d -DONLY_B=%d", op != CLPRIM_SET_INTERSECTION,
                        op == CLPRIM_SET_UNION || op == CLPRIM_SET_INTERSECTION, clprim__set_op_takes_b(op));
    if (self->row->looks_back)
        clprim__text_format(options, " -DCLPRIM_LOOK_BACK_LOOKS=%zu", tuning->looks);
    if (self->value_size > 0)
        clprim__text_format(options, " -DPAYLOAD=%s", payloads[self->value_size]);
}

clprim_status clprim__set_operation_build(clprim__set_operation_plan *self, const clprim__order *order,
                                          clprim_set_op op)
{
    const clprim__set_operation_tuning tuning = clprim__set_operation_tuning_of(
        (clprim_set_operation_variant)self->row->info.id, self->base.runtime,
        (clprim__tuned_for){.size = self->key_size, .value_size = self->value_size, .max_count = self->base.max_count});
    clprim__order keys = *order; /* values are not moved together with the keys */
    shape of = fit(self, &tuning);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim__text options = {0};
    const bool falls_back = self->row->looks_back && !self->base.runtime->info.has_forward_progress;
    const clprim__build what = {.source = self->row->source,
                                .names = self->row->kernels,
                                .count = CLPRIM__SET_OPERATION_KERNELS,
                                .prelude = &prelude,
                                .options = &options,
                                .counts = self->base.counts,
                                .max_registers =
                                    falls_back && self->key_size <= sizeof(cl_uint) ? FALLBACK_REGISTERS : 0};
    clprim_status status = CLPRIM_SUCCESS;
    if (of.group_size == 0)
        return clprim__device_lacks_local(&self->base.runtime->info, self->key_size);
    keys.value_size = 0;
    CLPRIM__TRY(clprim__order_write(&prelude, &keys, self->base.max_count, &self->base.runtime->info));
    describe_program(&options, self, op, &tuning, &of);
    CLPRIM__TRY(clprim__build_kernels(self->kernels, &of.group_size, self->base.runtime, &what));
    self->tile = self->row->is_for_cores ? clprim__larger(tuning.bytes / self->key_size, 1) : of.group_size * of.items;
    self->max_groups =
        self->row->looks_back ? SIZE_MAX : tuning.groups_per_unit * self->base.runtime->info.compute_units;
    self->cuts_from = tuning.cuts_from;
done:
    clprim__prelude_free(&prelude);
    clprim__text_free(&options);
    return status;
}
