// SPDX-License-Identifier: MIT
/* radix_sort_native.c: sorts by the host's code, for CPU devices. */
#include "host_sort.h"
#include "kinds.h"
#include "native.h"
#include "order.h"
#include "plan_table.h"
#include "radix_sort_internal.h"

static bool has_one_key(const clprim_radix_sort_desc *d)
{
    bool others = d->input != NULL;
    for (size_t k = 0; k < CLPRIM_MAX_KEYS - 1; k++)
        others =
            others || d->then.inputs[k] != NULL || d->then.types[k] != CLPRIM_TYPE_DEFAULT || d->then.descending[k];
    return !others;
}

/* The sort of a description, without arrays. */
static clprim_status sort_of(clprim__host_sort *out, const clprim_radix_sort_desc *d)
{
    const clprim_key_order by = {.key_type = d->key_type,
                                 .descending = d->descending,
                                 .nan_order = d->nan_order,
                                 .bit_range = d->bit_range,
                                 .begin_bit = d->begin_bit,
                                 .end_bit = d->end_bit};
    clprim_status status = CLPRIM_SUCCESS;
    *out = (clprim__host_sort){.indices = d->argsort};
    CLPRIM__TRY(clprim__key_image_of(&out->image, &by));
    status = clprim__value_check(&out->value_size, d->value_size, d->argsort, d->index_type,
                                 clprim__max_count_or(d->max_count));
done:
    return status;
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_radix_sort_desc *d = desc;
    clprim__host_sort sort;
    (void)info; /* images are integers, whatever the device can compute */
    return has_one_key(d) && clprim__max_count_or(d->max_count) <= UINT32_MAX &&
           (d->key_type == CLPRIM_TYPE_DEFAULT || clprim__is_key_type(d->key_type)) &&
           sort_of(&sort, d) == CLPRIM_SUCCESS;
}

/* Keys alone. Values move along with their keys in kernels, and afterwards here. */
static bool is_faster(const void *desc)
{
    const clprim_radix_sort_desc *d = desc;
    return d->value_size == 0 && !d->argsort && !d->bit_range;
}

static size_t scratch(const void *desc, const void *call)
{
    const clprim_radix_sort_call *c = call;
    clprim__host_sort sort;
    (void)sort_of(&sort, desc);
    sort.count = c->count;
    return clprim__host_sort_scratch(&sort);
}

static void run(const void *desc, const void *call, void *scratch)
{
    const clprim_radix_sort_call *c = call;
    clprim__host_sort sort;
    (void)sort_of(&sort, desc);
    sort.count = c->count;
    sort.keys_in = c->keys_in.host;
    sort.keys_out = c->keys_out.host;
    sort.values_in = c->values_in.host;
    sort.values_out = c->values_out.host;
    clprim__host_sort_run(&sort, scratch);
}

const clprim__native clprim__radix_sort_native = {CLPRIM__NATIVE_NAMES(radix_sort), .can = can, .is_faster = is_faster,
                                                  .scratch = scratch, .run = run};
