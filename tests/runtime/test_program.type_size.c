/* test_program.type_size.c: where a caller's type has another size on the device than on the host, both are named. */
#include <stdio.h>

#include "support.h"

static void expect_sizes(clprim_status status, size_t host, size_t device)
{
    char words[64];
    ASSERT_STATUS(status, CLPRIM_BUILD_FAILED);
    (void)snprintf(words, sizeof words, "type_size is %zu bytes", host);
    cr_assert_not_null(strstr(clprim_last_error(), words), "\"%s\" is not in: %s", words, clprim_last_error());
    (void)snprintf(words, sizeof words, "the type has %zu bytes on the device", device);
    cr_assert_not_null(strstr(clprim_last_error(), words), "\"%s\" is not in: %s", words, clprim_last_error());
}

/* Of operators, orders and predicates; where it is more on the device, and where it is less. */
Test(program, says_both_sizes_of_a_type, .timeout = 120)
{
    static const struct {
        const char *source;
        size_t host, device;
    } rows[] = {{"typedef struct { int3 a; } thing;", 12, 16},
                {"typedef struct { char a; short b; } thing;", 3, 4},
                {"typedef struct { long a[40]; char b; } thing;", 400, 328}};
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const clprim_custom_op op = {.type_name = "thing",
                                     .type_size = rows[i].host,
                                     .source = rows[i].source,
                                     .combine = "a",
                                     .identity = "(thing){0}"};
        const clprim_reduce_desc reduce = {.variant = CLPRIM_REDUCE_SEQUENTIAL, .custom = &op};
        const clprim_merge_desc merge = {
            .less = "sizeof a < sizeof b", .source = rows[i].source, .type_name = "thing", .type_size = rows[i].host};
        const clprim_select_desc select = {
            .predicate = "x.a > 1", .source = rows[i].source, .type_name = "thing", .type_size = rows[i].host};
        clprim_plan *sum = NULL;
        clprim_plan *merged = NULL;
        clprim_plan *selected = NULL;
        if (i == 0)
            expect_sizes(clprim_merge_create(&merged, runtime, &merge), rows[i].host, rows[i].device);
        else if (i == 1)
            expect_sizes(clprim_select_create(&selected, runtime, &select), rows[i].host, rows[i].device);
        else
            expect_sizes(clprim_reduce_create(&sum, runtime, &reduce), rows[i].host, rows[i].device);
        cr_assert(sum == NULL && merged == NULL && selected == NULL);
    }
    clprim_runtime_destroy(runtime);
}
