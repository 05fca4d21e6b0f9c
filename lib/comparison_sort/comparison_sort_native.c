// SPDX-License-Identifier: MIT
/* comparison_sort_native.c: sorts in the total order by the host's code, for CPU devices: those of radix_sort. */
#include "comparison_sort_internal.h"
#include "native.h"
#include "radix_sort_internal.h"

static clprim_radix_sort_desc radix_of(const clprim_comparison_sort_desc *d)
{
    return (clprim_radix_sort_desc){.key_type = d->key_type,
                                    .descending = d->descending,
                                    .nan_order = d->nan_order,
                                    .value_size = d->value_size,
                                    .argsort = d->argsort,
                                    .index_type = d->index_type,
                                    .max_count = d->max_count};
}

static clprim_radix_sort_call radix_call_of(const clprim_comparison_sort_call *c)
{
    return (clprim_radix_sort_call){.keys_in = c->keys_in,
                                    .values_in = c->values_in,
                                    .count = c->count,
                                    .keys_out = c->keys_out,
                                    .values_out = c->values_out};
}

static bool can(const void *desc, const clprim_device_info *info)
{
    const clprim_comparison_sort_desc *d = desc;
    const clprim_radix_sort_desc radix = radix_of(d);
    return d->less == NULL && d->type_name == NULL && d->type_size == 0 && !d->in_place_only &&
           clprim__radix_sort_native.can(&radix, info);
}

static bool is_faster(const void *desc)
{
    const clprim_radix_sort_desc radix = radix_of(desc);
    return clprim__radix_sort_native.is_faster(&radix);
}

static size_t scratch(const void *desc, const void *call)
{
    const clprim_radix_sort_desc radix = radix_of(desc);
    const clprim_radix_sort_call c = radix_call_of(call);
    return clprim__radix_sort_native.scratch(&radix, &c);
}

static void run(const void *desc, const void *call, void *scratch)
{
    const clprim_radix_sort_desc radix = radix_of(desc);
    const clprim_radix_sort_call c = radix_call_of(call);
    clprim__radix_sort_native.run(&radix, &c, scratch);
}

const clprim__native clprim__comparison_sort_native = {CLPRIM__NATIVE_NAMES(comparison_sort), .can = can,
                                                       .is_faster = is_faster, .scratch = scratch, .run = run};
