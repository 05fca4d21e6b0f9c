/* test_names.text.c: the names, and what a caller makes of them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "names.h"
#include "test_names.h"
#include "text.h"

enum { POISON = 7 };

/* What generated text in front of the kernels declares (lib/, *_prelude). */
static const char GENERATED[] =
    "half_to_float half_from_float differs predicate element_bytes element bytes bits u v k "
    "callers_type callers_combine type_size_differs_from_the_host";

/* Names that kernels use for their own things, while OpenCL C has a function of that name: it is not the caller's. */
static const char *const built_in[] = {"distance", "length", "log", "round", "step"};

/* Words of the function that an expression becomes: a macro of such a name harms the caller's own text. */
static const char *const words_of_functions[] = {"inline", "return", "static", "typedef", "void"};

static bool is_one_of(const clprim__name *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == name->size && memcmp(list[i], name->text, name->size) == 0)
            return true;
    return false;
}

static bool is_part_of_vectors(const clprim__name *name)
{
    static const char *const halves[] = {"lo", "hi", "even", "odd", "x", "y", "z", "w"};
    return is_one_of(name, halves, sizeof halves / sizeof *halves) ||
           (name->text[0] == 's' && strspn(name->text + 1, "0123456789abcdef") >= name->size - 1);
}

/* Only then is it kept wherever it occurs. */
static bool is_of_the_language(const clprim__name *name)
{
    clprim__names alone = {.list = NULL};
    ASSERT_OK(clprim__names_scan(&alone, name->text, name->size));
    const bool is_kept = alone.list[0].is_kept;
    clprim__names_free(&alone);
    return is_kept && !is_part_of_vectors(name);
}

static void append_file(clprim__text *out, const char *path)
{
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        clprim__text_append(out, buffer, n);
    (void)fclose(file);
}

/* All that are below the folder. */
static void append_folder(clprim__text *out, const char *path)
{
    char inner[4 * TEST_PATH_SIZE];
    DIR *folder = opendir(path);
    cr_assert_not_null(folder, "%s", path);
    for (const struct dirent *item; (item = readdir(folder)) != NULL;) {
        (void)snprintf(inner, sizeof inner, "%s/%s", path, item->d_name);
        if (strstr(item->d_name, ".cl") != NULL)
            append_file(out, inner);
        else if (strchr(item->d_name, '.') == NULL)
            append_folder(out, inner);
    }
    (void)closedir(folder);
}

/* A name as the kind has it, declared in `source` and used in `body`, which adds one to callers_own for each. */
static void append_name(clprim__text *source, clprim__text *body, const clprim__name *name, names_kind kind)
{
    const int size = (int)name->size;
    if (kind == NAMES_FUNCTIONS) {
        clprim__text_format(source, "static inline uint %.*s(uint callers_own) { return callers_own + 1; }\n", size,
                            name->text);
        clprim__text_format(body, "    callers_own = %.*s(callers_own);\n", size, name->text);
    } else if (kind == NAMES_TYPES) {
        clprim__text_format(source, "typedef struct { uint callers_member; } %.*s;\n", size, name->text);
        clprim__text_format(
            body, "    { %.*s callers_struct = {callers_own}; callers_own = callers_struct.callers_member + 1; }\n",
            size, name->text);
    }
}

/* callers_value(x) is x. */
static char *write_source(const clprim__names *names, names_kind kind)
{
    clprim__text source = {0};
    clprim__text body = {0};
    clprim__text macros = {0};
    size_t count = 0;
    clprim__text_format(&source, "enum { callers_poison = %d };\n", POISON);
    for (size_t i = 0; i < names->count; i++) {
        const clprim__name *name = &names->list[i];
        const bool is_of_language = is_of_the_language(name);
        const bool is_callers = !is_of_language && !is_one_of(name, built_in, sizeof built_in / sizeof *built_in);
        if (kind != NAMES_MACROS && is_callers) {
            append_name(&source, &body, name, kind);
            count++;
        } else if (kind != NAMES_TYPES &&
                   !is_one_of(name, words_of_functions, sizeof words_of_functions / sizeof *words_of_functions)) {
            clprim__text_format(&macros, "#undef %.*s\n#define %.*s callers_poison\n", (int)name->size, name->text,
                                (int)name->size, name->text);
        }
    }
    cr_assert(kind == NAMES_MACROS || count > 1000, "only %zu names", count);
    clprim__text_format(&source,
                        "static inline uint callers_value(uint callers_own)\n{\n%s    return callers_own - %zu;\n}\n",
                        body.data != NULL ? body.data : "", count);
    clprim__text_format(&source, "%s", macros.data != NULL ? macros.data : "");
    ASSERT_OK(clprim__text_status(&source));
    clprim__text_free(&body);
    clprim__text_free(&macros);
    return source.data;
}

const char *names_kind_name(names_kind kind)
{
    static const char *const names[NAMES_KINDS] = {"functions", "types", "macros"};
    return names[kind];
}

void names_text_create(names_text *out, names_kind kind)
{
    clprim__text kernels = {0};
    clprim__names names = {.list = NULL};
    append_folder(&kernels, CLPRIM_TEST_KERNEL_DIR);
    clprim__text_format(&kernels, "\n%s\n", GENERATED);
    ASSERT_OK(clprim__text_status(&kernels));
    ASSERT_OK(clprim__names_scan(&names, kernels.data, kernels.size));
    if (kind == NAMES_TYPES)
        *out = (names_text){.type_name = "item",
                            .type_size = sizeof(uint32_t),
                            .combine = "(a.callers_member = callers_value(a.callers_member) + b.callers_member, a)",
                            .identity = "(item){0}",
                            .less = "callers_value(a.callers_member) < callers_value(b.callers_member)",
                            .equal = "callers_value(a.callers_member) % 8 == b.callers_member % 8",
                            .predicate = "callers_value(x.callers_member) % 3 == 1"};
    else
        *out = (names_text){.combine = "callers_value(a) + b",
                            .identity = "0",
                            .less = "callers_value(a) < callers_value(b)",
                            .equal = "callers_value(a) % 8 == b % 8",
                            .predicate = "callers_value(x) % 3 == 1",
                            .bin_of = "callers_value(x) % 64"};
    if (kind == NAMES_MACROS) { /* and they hold in expressions */
        out->less = "callers_value(a) + tile < callers_value(b) + 7u";
        out->combine = "callers_value(a) + b + tile - 7u";
    }
    out->kind = kind;
    out->source = write_source(&names, kind);
    clprim__names_free(&names);
    clprim__text_free(&kernels);
}

void names_text_destroy(names_text *text)
{
    free(text->source);
    *text = (names_text){.source = NULL};
}
