// SPDX-License-Identifier: MIT
/* is_sorted.c: find the first element that must come before the element in front of it. */
#include "is_sorted_internal.h"

#include "error.h"
#include "order.h"
#include "runtime_internal.h"

#define SAME(variant)                                                                                                  \
    _Static_assert((int)CLPRIM_IS_SORTED_##variant == (int)CLPRIM_FIND_##variant, "variants are those of find")
SAME(AUTO);
SAME(TREE);
SAME(SINGLE_PASS);
SAME(CPU_CHUNK);

clprim_status clprim__is_sorted_make(clprim_plan *plan, const void *description)
{
    clprim__find_plan *self = (void *)plan;
    const clprim_is_sorted_desc *desc = description;
    const clprim_device_info *info = &plan->runtime->info;
    clprim__order order = CLPRIM__ORDER_OF(desc, type);
    clprim__prelude prelude = {.has_fp64 = false};
    clprim_status status = CLPRIM_SUCCESS;
    order.input = desc->input;
    CLPRIM__TRY(clprim__order_check(&order, info));
    CLPRIM__TRY(clprim__find_choose(self, (clprim_find_variant)desc->variant, desc->index_type));
    CLPRIM__TRY(clprim__order_write(&prelude, &order, SIZE_MAX, info));
    clprim__text_format(&prelude.own, "#define FIRST_PLACE 1\n#define HOLDS_BY_ORDER\n"
                                      "#define HOLDS(x, earlier, i) before(IMAGE_OF(x), IMAGE_OF(earlier))\n");
    CLPRIM__TRY(clprim__prelude_status(&prelude));
    CLPRIM__TRY(clprim__find_build(self, &(clprim__find_condition){.prelude = &prelude,
                                                                   .element_size = order.key_size,
                                                                   .has_input = desc->input != NULL}));
done:
    clprim__prelude_free(&prelude);
    return status;
}

clprim_status clprim__is_sorted_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *c)
{
    const clprim_is_sorted_call *call = c->given;
    const clprim__find_arrays arrays = {call->in, call->out, call->count};
    return clprim__find_launch_on((void *)plan, chain, &arrays);
}
