// SPDX-License-Identifier: MIT
/* variants.c: of the guide of that name: which variants there are, which one AUTO takes, and one asked for by name. */
#include "guide.h"

static void list(void)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_reduce_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        printf("%-14s %s%s%s\n", variants[i].name, variants[i].summary, variants[i].needs[0] != '\0' ? "; needs " : "",
               variants[i].needs);
}

/* SINGLE_PASS where the device can do it, else whatever is best. */
static clprim_status make(clprim_plan **out, clprim_runtime *runtime)
{
    const clprim_reduce_desc wanted = {.type = CLPRIM_F32, .op = CLPRIM_MAX, .variant = CLPRIM_REDUCE_SINGLE_PASS};
    clprim_status status = clprim_reduce_create(out, runtime, &wanted);
    if (status == CLPRIM_UNSUPPORTED) {
        printf("%s\n", clprim_last_error());
        const clprim_reduce_desc any = {.type = CLPRIM_F32, .op = CLPRIM_MAX};
        status = clprim_reduce_create(out, runtime, &any);
    }
    return status;
}

int main(void)
{
    clprim_runtime *runtime = NULL;
    clprim_plan *plan = NULL;
    clprim_status status = CLPRIM_SUCCESS;
    list();
    TRY(clprim_runtime_create(&runtime, NULL));
    TRY(make(&plan, runtime));
    printf("%s: %s\n", clprim_runtime_info(runtime)->name, clprim_plan_variant(plan)->name);
    EXPECT(clprim_plan_variant(plan)->id != CLPRIM_REDUCE_AUTO);
done:
    clprim_plan_destroy(plan);
    clprim_runtime_destroy(runtime);
    return status != CLPRIM_SUCCESS;
}
