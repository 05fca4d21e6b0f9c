// SPDX-License-Identifier: MIT
/* test_names.c: a caller's text may use the names that the library's kernels use. Texts in which each of these names
 * means something else must give the same results as the operation without a text. */
#include <clprim/device.h>
#include <stdio.h>
#include <stdlib.h>

#include "assemble.h"
#include "contract.h"
#include "names.h"
#include "text.h"

enum {
    COUNT = 1000,
    POISON = 7,
    EXPRESSION_SIZE = 96,
    USED = 64 /* one in so many names is used while the kernel runs */
};

/* What the names are in a text. With macros, names of OpenCL C itself are macros, too; with TYPES, they are not
 * used. */
typedef enum names_kind { NAMES_FUNCTIONS = 0, NAMES_TYPES, NAMES_MACROS, NAMES_KINDS } names_kind;

static const char *const kind_names[NAMES_KINDS] = {"functions", "types", "macros"};

/* Names that generated text in front of the kernels declares (lib/, *_prelude). */
static const char GENERATED[] =
    "half_to_float half_from_float differs predicate element_bytes element bytes bits u v k "
    "callers_type callers_combine type_size_differs_from_the_host_callers_type parameter_initial "
    "optional_value optional_words optional_of optional_combine value_of is_there words value across";

/* Names of OpenCL C functions that kernels use for their own things; a caller cannot define them. */
static const char *const built_in[] = {"distance", "length", "log",  "round", "shuffle",
                                       "shuffle2", "sign",   "step", NULL};

/* Words in the function that an expression becomes: a macro with such a name harms only the caller's own text. */
static const char *const words_of_functions[] = {"const", "inline", "return", "static", "typedef", "void", NULL};

static const char *const parts_of_vectors[] = {"lo", "hi", "even", "odd", "x", "y", "z", "w", NULL};

static bool is_one_of(const clprim__name *name, const char *const *list)
{
    while (*list != NULL && (strlen(*list) != name->size || memcmp(*list, name->text, name->size) != 0))
        list++;
    return *list != NULL;
}

/* Only such a name is kept wherever it occurs. */
static bool is_of_the_language(const clprim__name *name)
{
    clprim__names alone = {.list = NULL};
    ASSERT_OK(clprim__names_scan(&alone, name->text, name->size));
    const bool is_kept = alone.list[0].is_kept;
    clprim__names_free(&alone);
    const bool is_number = name->text[0] == 's' && strspn(name->text + 1, "0123456789abcdef") >= name->size - 1;
    return is_kept && !is_number && !is_one_of(name, parts_of_vectors);
}

/* How a text of each kind declares a name and uses it. Each use adds one to callers_own. To check what a name means, it
 * is enough that an expression with it has a type. So most names are only used in sizeof, because a compiler needs a
 * second or more for each kernel into which a thousand calls are inlined. */
static const char *const heads[NAMES_KINDS] = {
    "#define CALLERS_DECLARE(name) static inline uint name(uint callers_own) { return callers_own + 1; }\n"
    "#define CALLERS_USE(name) callers_own = name(callers_own);\n"
    "#define CALLERS_SIZE(name) callers_own += sizeof(name(callers_own)) / sizeof(uint);\n",
    "#define CALLERS_DECLARE(name) typedef struct { uint callers_member; } name;\n"
    "#define CALLERS_USE(name) { name callers_s = {callers_own}; callers_own = callers_s.callers_member + 1; }\n"
    "#define CALLERS_SIZE(name) callers_own += sizeof(((name){callers_own}).callers_member) / sizeof(uint);\n",
    "#ifdef GROUP_SIZE\n#error the options that the library compiles with are seen\n#endif\n",
};

/* callers_of(x) is the number in an element, and callers_made(number) is the element: a 32-bit integer or, with TYPES,
 * a struct. Both work only if each name in the source has its own meaning. */
static char *write_source(const clprim__names *names, names_kind kind, const char *type)
{
    clprim__text source = {0};
    clprim__text body = {0};
    clprim__text macros = {0};
    size_t count = 0;
    clprim__text_format(&source, "%senum { callers_poison = %d };\n", heads[kind], POISON);
    for (size_t i = 0; i < names->count; i++) {
        const clprim__name *name = &names->list[i];
        const int size = (int)name->size;
        if (kind != NAMES_MACROS && !is_of_the_language(name) && !is_one_of(name, built_in)) {
            clprim__text_format(&source, "CALLERS_DECLARE(%.*s)\n", size, name->text);
            clprim__text_format(&body, "    CALLERS_%s(%.*s)\n", count++ % USED == 0 || test_is_full() ? "USE" : "SIZE",
                                size, name->text);
        } else if (kind != NAMES_TYPES && !is_one_of(name, words_of_functions)) {
            clprim__text_format(&macros, "#undef %.*s\n#define %.*s callers_poison\n", size, name->text, size,
                                name->text);
        }
    }
    cr_assert(kind == NAMES_MACROS || count > 1000, "only %zu names", count);
    clprim__text_format(&source,
                        "static inline uint callers_value(uint callers_own)\n{\n%s    return callers_own - %zu;\n}\n"
                        "%s",
                        body.data != NULL ? body.data : "", count, macros.data != NULL ? macros.data : "");
    if (type != NULL)
        clprim__text_format(&source,
                            "#define callers_of(element) (callers_value((element).callers_member) + n + in[0])\n"
                            "#define callers_made(number) (%s){number}\n",
                            type);
    else /* ITEMS is an option of most kernels */
        clprim__text_format(&source, "#undef ITEMS\n#define ITEMS(number) (number)\n"
                                     "#define callers_of(element) ITEMS(callers_value(element) + n + in[0])\n"
                                     "#define callers_made ITEMS\n");
    ASSERT_OK(clprim__text_status(&source));
    clprim__text_free(&body);
    clprim__text_free(&macros);
    return source.data;
}

/* Write a text with the names of all kernels. */
static char *write_text(names_kind kind, const char *type)
{
    clprim__text kernels = {0};
    clprim__names names = {.list = NULL};
    char buffer[4096];
    FILE *files = popen("find '" CLPRIM_TEST_KERNEL_DIR "' '" CLPRIM_TEST_KERNEL_DIR
                        "/../include/clprim/device' -name '*.[ch]*' -exec cat {} +",
                        "r");
    cr_assert_not_null(files);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, files)) > 0;)
        clprim__text_append(&kernels, buffer, n);
    cr_assert_eq(pclose(files), 0);
    clprim__text_format(&kernels, "\n%s\n", GENERATED);
    ASSERT_OK(clprim__text_status(&kernels));
    ASSERT_OK(clprim__names_scan(&names, kernels.data, kernels.size));
    char *source = write_source(&names, kind, type);
    clprim__names_free(&names);
    clprim__text_free(&kernels);
    return source;
}

/* These parameters also have names of the library's; contract_fill sets both to 0. */
static const clprim_parameter parameters[] = {{"n", .type = CLPRIM_U32}, {"in", .type = CLPRIM_U32, .is_array = true}};

/* The members of descriptions that are expressions. */
static const char *const expressions[][2] = {
    {"less", "callers_of(a) < callers_of(b)"},
    {"equal", "callers_of(a) == callers_of(b)"},
    {"predicate", "callers_of(x) % 3 == 1"},
    {"second_predicate", "callers_of(x) % 3 == 2"},
    {"combine", "callers_made(callers_of(a) - callers_of(b))"},
    {"bin_of", "callers_of(x)"},
    {"expressions", "i"},
    {"input", "callers_of(callers_made(i * 40503 % 1009))"},
    {"output", "callers_made(callers_of(r))"},
    {"then", "callers_of(callers_made(0 * i))"},
    {"", "callers_made(callers_of(a) + callers_of(b))"},
};

enum { NUM_EXPRESSIONS = sizeof expressions / sizeof *expressions, SUM = NUM_EXPRESSIONS - 1 };

typedef struct names_row {
    const clprim_operation *face;
    const void *desc;                                               /* the description without the text */
    clprim_status (*reference)(const void *desc, const void *call); /* NULL: the operation's own reference */
    bool is_another;                                                /* its kernels are also those of an operation before
                                                                     * it */
    bool has_input;                                                 /* the text has an expression for the elements */
    bool has_no_less;                                               /* and none for their order */
    bool has_then;                                                  /* an additional key, which is always the same */
    bool lacks_identity;
} names_row;

static clprim_status select_by_hand(const void *desc, const void *call)
{
    const clprim_select_call *c = call;
    const uint32_t *in = c->in.host;
    uint32_t *selected = c->out_count.host;
    (void)desc;
    *selected = 0;
    for (size_t i = 0; i < c->count; i++)
        if (in[i] % 3 == 1)
            ((uint32_t *)c->out.host)[(*selected)++] = in[i];
    return CLPRIM_SUCCESS;
}

static clprim_status find_by_hand(const void *desc, const void *call)
{
    const clprim_find_call *c = call;
    const uint32_t *in = c->in.host;
    uint32_t *found = c->out.host;
    (void)desc;
    for (*found = 0; *found < c->count && in[*found] % 3 != 1;)
        (*found)++;
    return CLPRIM_SUCCESS;
}

static clprim_status partition_by_hand(const void *desc, const void *call)
{
    const clprim_partition_call *c = call;
    const uint32_t *in = c->in.host;
    const clprim_array *outs[] = {&c->rest_out, &c->out, &c->second_out};
    uint32_t *counts[] = {c->rest_count.host, c->out_count.host, c->second_count.host};
    (void)desc;
    for (size_t p = 0; p < 3; p++)
        *counts[p] = 0;
    for (size_t i = 0; i < c->count; i++)
        ((uint32_t *)outs[in[i] % 3]->host)[(*counts[in[i] % 3])++] = in[i];
    return CLPRIM_SUCCESS;
}

/* Define the reference of a sort whose keys come from the expression. */
#define BY_KEYS(operation)                                                                                             \
    static clprim_status operation##_by_keys(const void *desc, const void *call)                                       \
    {                                                                                                                  \
        static uint32_t keys[COUNT], sorted[COUNT];                                                                    \
        clprim_##operation##_call with_keys = *(const clprim_##operation##_call *)call;                                \
        for (size_t i = 0; i < COUNT; i++)                                                                             \
            keys[i] = (uint32_t)(i * 40503 % 1009);                                                                    \
        if (with_keys.keys_out.host == NULL)                                                                           \
            with_keys.keys_out.host = sorted;                                                                          \
        with_keys.keys_in.host = keys;                                                                                 \
        return test_reference(&clprim_##operation##_operation, desc, &with_keys);                                      \
    }
BY_KEYS(radix_sort)
BY_KEYS(sort_by_key)
BY_KEYS(segmented_sort)
BY_KEYS(top_k)
BY_KEYS(nth_element)

#define ROW(operation, ...)                                                                                            \
    .desc = &(const clprim_##operation##_desc){__VA_ARGS__}, .face = &clprim_##operation##_operation

static const names_row calls[] = {
    {ROW(reduce, .type = CLPRIM_U32)},
    {ROW(reduce, .type = CLPRIM_U32, .has_initial_at = true), .is_another = true, .lacks_identity = true},
    {ROW(scan, .type = CLPRIM_U32)},
    {ROW(scan, .type = CLPRIM_U32, .segments = CLPRIM_SEGMENTS_BY_FLAG, .segments_type = CLPRIM_U8,
         .has_initial_at = true),
     .is_another = true, .lacks_identity = true},
    {ROW(reduce_by_key, .key_type = CLPRIM_U32, .type = CLPRIM_U32), .is_another = true},
    {ROW(run_length_encode, .type = CLPRIM_U32), .is_another = true},
    {ROW(run_length_encode, .type = CLPRIM_U32, .offsets = true), .is_another = true},
    {ROW(select, .type = CLPRIM_U32), .reference = select_by_hand},
    {ROW(unique, .type = CLPRIM_U32), .is_another = true},
    {ROW(partition, .type = CLPRIM_U32, .separate = true), .reference = partition_by_hand, .is_another = true},
    {ROW(histogram, .type = CLPRIM_U8, .bins = 64)},
    {ROW(histogram, .type = CLPRIM_U8, .bins = 64, .weights_type = CLPRIM_F32), .is_another = true},
    {ROW(adjacent_difference, .type = CLPRIM_U32)},
    {ROW(transform, .types = {CLPRIM_U32})},
    {ROW(segmented_reduce, .type = CLPRIM_U32)},
    {ROW(comparison_sort, .key_type = CLPRIM_U32, .value_size = 4)},
    {ROW(bitonic_sort, .key_type = CLPRIM_U32, .value_size = 4, .max_count = COUNT)},
    {ROW(bitonic_sort, .key_type = CLPRIM_U32, .segmented = true)},
    {ROW(merge, .key_type = CLPRIM_U32, .value_size = 4)},
    {ROW(set_operation, .key_type = CLPRIM_U32, .value_size = 4)},
    {ROW(find, .type = CLPRIM_U32), .reference = find_by_hand},
    {ROW(is_sorted, .type = CLPRIM_U32), .is_another = true},
    {ROW(search, .type = CLPRIM_U32, .needles_are_sorted = true)},
    {ROW(radix_sort, .value_size = 4, .max_count = COUNT), .reference = radix_sort_by_keys, .has_input = true},
    {ROW(radix_sort, .argsort = true), .reference = radix_sort_by_keys, .has_input = true, .is_another = true,
     .has_then = true},
    {ROW(segmented_sort, .argsort = true), .reference = segmented_sort_by_keys, .has_input = true},
    {ROW(top_k, .k = 9, .value_size = 4), .reference = top_k_by_keys, .has_input = true},
    {ROW(nth_element, .descending = true), .reference = nth_element_by_keys, .has_input = true},
    {ROW(sort_by_key, .num_arrays = 2), .is_another = true},
    {ROW(sort_by_key, .num_arrays = 2), .reference = sort_by_key_by_keys, .has_input = true, .has_no_less = true,
     .is_another = true},
};

/* Check that the result with the text is that of the reference without it. Returns false if the device does not have
 * the variant. */
static bool run(clprim_runtime *runtime, const names_row *row, int variant, names_kind kind, const char *source,
                const char *type)
{
    char texts[NUM_EXPRESSIONS][EXPRESSION_SIZE];
    const clprim_custom_op op = {.source = source,
                                 .type_name = type,
                                 .type_size = type != NULL ? sizeof(uint32_t) : 0,
                                 .combine = texts[SUM],
                                 .identity = row->lacks_identity ? NULL : "callers_made(0)"};
    const clprim_member *members = row->face->desc_members;
    test_struct known = {.bytes = {0}};
    test_call self;
    memcpy(known.bytes, row->desc, row->face->desc_size);
    test_struct desc = known;
    if (!test_put(&desc, members, "custom", (uintptr_t)&op))
        test_put(&desc, members, "source", (uintptr_t)source);
    test_put(&desc, members, "type_name", (uintptr_t)type);
    test_put(&desc, members, "type_size", op.type_size);
    test_put(&desc, members, "key_type_name", (uintptr_t)type);
    test_put(&desc, members, "key_type_size", op.type_size);
    test_put(&desc, members, "mapping", CLPRIM_HISTOGRAM_CUSTOM);
    test_put(&desc, members, "variant", (uint64_t)variant);
    memcpy(desc.bytes + test_member(members, "parameters")->place, parameters, sizeof parameters);
    for (size_t i = 0; i < NUM_EXPRESSIONS; i++) { /* macros apply in expressions, too */
        (void)snprintf(texts[i], EXPRESSION_SIZE, "%s%s", kind == NAMES_MACROS ? "tile - GROUP_SIZE + " : "",
                       expressions[i][1]);
        const bool is_then = strcmp(expressions[i][0], "then") == 0;
        if (is_then ? row->has_then : row->has_input || strcmp(expressions[i][0], "input") != 0)
            test_put(&desc, members, expressions[i][0], (uintptr_t)texts[i]);
    }
    if (row->has_no_less) {
        test_put(&desc, members, "less", 0);
        test_put(&desc, members, "type_name", 0);
        test_put(&desc, members, "type_size", 0);
    }
    if (!test_call_create(&self, runtime, row->face, desc.bytes))
        return false;
    self.desc = known;
    self.reference = row->reference;
    contract_fill(&self, COUNT, TEST_SEED);
    test_call_check(&self, "names as %s", kind_names[kind]);
    test_call_destroy(&self);
    return true;
}

/* Test all names at once, with all operations. As functions, names may collide with any kernel, so each variant that
 * the device can run is tried. How types and macros are kept apart does not depend on the kernel. */
TEST_EACH(names, may_be_the_callers, NAMES_KINDS, .timeout = 900)
{
    static const char *const types[] = {"item", "array", "x", "load", "packet_words"}; /* for elements */
    const names_kind kind = (names_kind)*number;
    size_t num_operations = 0;
    const clprim_operation *const *operations = clprim_operations(&num_operations);
    clprim_runtime *runtime = test_runtime(NULL);
    for (const names_row *row = calls; row < calls + sizeof calls / sizeof *calls; row++) {
        size_t count = 0;
        size_t ran = 0;
        const char *type = kind == NAMES_TYPES ? types[(row - calls) % 5] : NULL;
        const clprim_variant_info *variants = test_variants(row->face, &count);
        const bool runs_all = test_is_full() || (kind == NAMES_FUNCTIONS && !row->is_another);
        if (kind == NAMES_TYPES && row->face == &clprim_histogram_operation) /* elements must have built-in types */
            continue;
        char *source = write_text(kind, type);
        for (size_t i = 0; i < count && (runs_all || ran == 0); i++)
            ran += run(runtime, row, variants[i].id, kind, source, type);
        if (count == 0)
            ran += run(runtime, row, 0, kind, source, type);
        free(source);
        cr_assert(ran > 0 || test_is_sample(), "no variant of %s ran: %s", row->face->name, clprim_last_error());
    }
    for (size_t o = 0; o < num_operations; o++) {
        const clprim_member *members = operations[o]->desc_members;
        bool is_tried = test_member(members, "source") == NULL && test_member(members, "custom") == NULL;
        for (size_t r = 0; r < sizeof calls / sizeof *calls; r++)
            is_tried = is_tried || calls[r].face == operations[o];
        cr_assert(is_tried, "%s takes a caller's text, and is not tried", operations[o]->name);
    }
    clprim_runtime_destroy(runtime);
}

/* A caller's text may also contain the headers that kernels include. */
Test(names, may_be_of_the_public_headers, .timeout = 300)
{
    static const char functions[] =
        "CLPRIM_WORK_GROUP_SCAN(callers, uint, a + b, 0, 64)\n"
        "#define callers_of(element) ((element) + n + in[0] + (clprim_sub_group_lane() >= clprim_sub_group_width()))\n"
        "#define callers_made(number) (number)\n";
    clprim_runtime *runtime = test_runtime(NULL);
    clprim__text source = {0};
    clprim__text_format(&source, "%s%s", clprim_device_source("work_group_scan.h"), functions);
    ASSERT_OK(clprim__text_status(&source));
    for (const names_row *row = calls; row < calls + sizeof calls / sizeof *calls; row++)
        if (!row->is_another && row->face != &clprim_histogram_operation)
            run(runtime, row, 0, NAMES_FUNCTIONS, source.data, NULL);
    clprim__text_free(&source);
    clprim_runtime_destroy(runtime);
}

/* Without a caller's text, the options for the compiler do not change. */
Test(names, options_are_lines_behind_a_callers_text)
{
    static const clprim__source source = {"f.cl", (const unsigned char *)"F A", 3, NULL};
    const clprim__assembly with = {.common_options = "-cl-std=CL1.2 -DCLPRIM_A=2 -DA=1 -w"};
    clprim__program_request request = {.source = &source, .prelude = "P\n", .options = "-DB -DC=x*y -cl-more"};
    static const char *const parts[] = {"\ntext\n", "\n#undef F\n#define F clprim__F\n",
                                        "\n#define A 1\n#define B 1\n#define C x*y\n", "\nP\n",
                                        "\n#line 1 \"kernels/f.cl\"\nF A\n"};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (int has_callers = 0; has_callers < 2; has_callers++) {
        clprim__text options = {0}, text = {0};
        request.callers = has_callers ? "text\n" : NULL;
        ASSERT_OK(clprim__assemble_options(&options, &with, &request));
        ASSERT_OK(clprim__assemble_source(&text, &with, &request));
        cr_assert_str_eq(options.data, has_callers ? " -cl-std=CL1.2 -DCLPRIM_A=2 -w -cl-more"
                                                   : "-cl-std=CL1.2 -DCLPRIM_A=2 -DA=1 -w -DB -DC=x*y -cl-more");
        const char *kernel = strstr(text.data, parts[PARTS - 1]);
        cr_assert(kernel != NULL && (has_callers || kernel[strlen(parts[PARTS - 1])] == '\0'), "%s", text.data);
        const char *at = text.data;
        for (size_t i = 0; i < PARTS && has_callers; i++) { /* in this order */
            at = strstr(at, parts[i]);
            cr_assert_not_null(at, "part %zu of %s", i, text.data);
        }
        clprim__text_free(&options);
        clprim__text_free(&text);
    }
}

/* What is an identifier, and which ones are renamed. */
Test(names, are_found)
{
    static const struct {
        const char *text;
        const char *names; /* in the order of their first occurrence; those kept with a '+' */
    } rows[] = {
        {"a = b_1 + _c;", "a b_1 _c"},
        {"uint4 v = (uint4)(min(v.x, 1));", "+uint4 v +min +x"},
        {"/* a */ b /*/ c */ d // e\nf", "b d f"},
        {"a /* \n */ b", "a b"},
        {"\"a \\\" b\" c 'd' '\\'' e", "c e"},
        {"0x1p+3f a 1.e+5b .5f c 7ul 0xffu", "a c"},
        {"# define A(b) b a\nA c", "+A b a c"},
        {" #\tdefine A\\\n b\nc", "+A b c"},
        {"#if defined(A) && !B \\\n || C\n#endif\na", "+A +B +C a"},
        {"#ifdef A\n#elif B\n#else\n#error a b\n#endif", "+A +B"},
        {"#line 7 \"a\"\nb", "b"},
        {"#pragma unroll N\na", "+unroll +N a"},
        {"/* a */ #define B\nb", "+B b"},
        {"#define A a##b\n", "+A a b"},
        {"a A\n#define A\n", "a +A"},
        {"__global _Pragma clprim__a clprim_a CLPRIM_A _a", "_a"},
        {"lo hi s0 sAF S1 s0g sum xyz xy1 uint3 uints as_int4",
         "+lo +hi +s0 +sAF +S1 s0g sum +xyz xy1 +uint3 uints +as_int4"},
        {"/* a", ""},
        {"\"a", ""},
        {"a \\", "a"},
        {"#", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clprim__names names = {.list = NULL};
        clprim__text found = {0};
        ASSERT_OK(clprim__names_scan(&names, rows[i].text, strlen(rows[i].text)));
        for (size_t n = 0; n < names.count; n++)
            clprim__text_format(&found, "%s%s%.*s", n > 0 ? " " : "", names.list[n].is_kept ? "+" : "",
                                (int)names.list[n].size, names.list[n].text);
        cr_assert_str_eq(found.data != NULL ? found.data : "", rows[i].names, "%s", rows[i].text);
        clprim__names_free(&names);
        clprim__text_free(&found);
    }
}
