// SPDX-License-Identifier: MIT
/* names.c: keep the names in a caller's text apart from those in the library's text. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* The names of OpenCL C that kernels use, besides names with the beginnings below. If a name is missing here, the build
 * fails, because the compiler does not know clprim__NAME. Sorted. */
static const char *const language[] = {
    "INFINITY",
    "INT_MAX",
    "INT_MIN",
    "LONG_MAX",
    "LONG_MIN",
    "NAN",
    "NULL",
    "UINT_MAX",
    "ULONG_MAX",
    "all",
    "always_inline",
    "any",
    "asm",
    "barrier",
    "break",
    "case",
    "clamp",
    "clz",
    "const",
    "constant",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extern",
    "fabs",
    "false",
    "fmax",
    "fmin",
    "for",
    "global",
    "goto",
    "if",
    "inline",
    "intptr_t",
    "isfinite",
    "isinf",
    "isnan",
    "kernel",
    "local",
    "mad24",
    "max",
    "mem_fence",
    "min",
    "mul24",
    "mul_hi",
    "noinline",
    "packed",
    "popcount",
    "private",
    "ptrdiff_t",
    "register",
    "reqd_work_group_size",
    "restrict",
    "return",
    "rotate",
    "select",
    "sizeof",
    "sqrt",
    "static",
    "struct",
    "switch",
    "true",
    "typedef",
    "uintptr_t",
    "union",
    "unroll",
    "void",
    "volatile",
    "while",
};
static const char *const beginnings[] = {"CLK_",     "as_",        "atom_",  "atomic_",       "cl_",
                                         "convert_", "get_",       "intel_", "memory_order_", "memory_scope_",
                                         "qcom_",    "sub_group_", "vload",  "vstore",        "work_group_"};
/* ... and vectors of these types */
static const char *const scalars[] = {"bool",   "char",   "double", "float", "half",  "int",      "long",  "short",
                                      "signed", "size_t", "uchar",  "uint",  "ulong", "unsigned", "ushort"};

static bool begins_with(const clprim__name *name, const char *beginning)
{
    const size_t size = strlen(beginning);
    return name->size >= size && memcmp(name->text, beginning, size) == 0;
}

static bool consists_of(const char *text, size_t size, const char *letters)
{
    for (size_t i = 0; i < size; i++)
        if (strchr(letters, text[i]) == NULL)
            return false;
    return true;
}

static int compare_with_word(const void *key, const void *row)
{
    const clprim__name *name = key;
    const char *word = *(const char *const *)row;
    const int order = strncmp(name->text, word, name->size);
    return order != 0 ? order : word[name->size] == '\0' ? 0 : -1;
}

static bool is_of_the_language(const clprim__name *name)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins_with(name, beginnings[i]))
            return true;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        const size_t size = strlen(scalars[i]);
        if (begins_with(name, scalars[i]) && consists_of(name->text + size, name->size - size, "0123456789"))
            return true;
    }
    return bsearch(name, language, sizeof language / sizeof *language, sizeof *language, compare_with_word) != NULL;
}

/* Components of vectors: v.x, v.s01, v.hi. No function or type of the kernels has such a name, and the kernels'
 * variables hide the caller's. */
static bool is_part_of_vectors(const clprim__name *name)
{
    static const char *const halves[] = {"lo", "hi", "even", "odd"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        if (begins_with(name, halves[i]) && name->size == strlen(halves[i]))
            return true;
    return consists_of(name->text, name->size, "xyzw") ||
           ((name->text[0] == 's' || name->text[0] == 'S') && name->size > 1 &&
            consists_of(name->text + 1, name->size - 1, "0123456789abcdefABCDEF"));
}

static bool is_reserved(const clprim__name *name)
{
    return begins_with(name, "clprim_") || begins_with(name, "CLPRIM_") || begins_with(name, "__") ||
           (name->size > 1 && name->text[0] == '_' && name->text[1] >= 'A' && name->text[1] <= 'Z');
}

static size_t bucket_of(const clprim__name *name)
{
    unsigned hash = 5381;
    for (size_t i = 0; i < name->size; i++)
        hash = hash * 33 + (unsigned char)name->text[i];
    return hash % CLPRIM__NAME_BUCKETS;
}

static clprim_status add(clprim__names *names, clprim__name name)
{
    size_t *bucket = &names->buckets[bucket_of(&name)];
    for (size_t i = *bucket; i != 0; i = names->list[i - 1].next) {
        clprim__name *known = &names->list[i - 1];
        if (known->size == name.size && memcmp(known->text, name.text, name.size) == 0) {
            known->is_kept |= name.is_kept;
            return CLPRIM_SUCCESS;
        }
    }
    if (is_reserved(&name))
        return CLPRIM_SUCCESS;
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity != 0 ? names->capacity * 2 : 512;
        clprim__name *list = realloc(names->list, capacity * sizeof *list);
        if (list == NULL)
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a kernel's names");
        names->list = list;
        names->capacity = capacity;
    }
    name.is_kept |= is_of_the_language(&name) || is_part_of_vectors(&name);
    name.next = *bucket;
    names->list[names->count++] = name;
    *bucket = names->count;
    return CLPRIM_SUCCESS;
}

/* Macros of the OpenCL implementation refer to other names: for NVIDIA's compiler, atomic_inc is a macro that expands
 * to atom_inc. */
static clprim_status add_atom(clprim__names *names, const clprim__name *name)
{
    static const char *const atoms[] = {"atom_add", "atom_sub", "atom_xchg", "atom_inc", "atom_dec", "atom_cmpxchg",
                                        "atom_min", "atom_max", "atom_and",  "atom_or",  "atom_xor"};
    enum { ATOMIC = sizeof "atomic_" - 1, ATOM = sizeof "atom_" - 1 };
    for (size_t i = 0; begins_with(name, "atomic_") && i < sizeof atoms / sizeof *atoms; i++) {
        const size_t size = strlen(atoms[i]);
        if (size - ATOM == name->size - ATOMIC && memcmp(atoms[i] + ATOM, name->text + ATOMIC, size - ATOM) == 0)
            return add(names, (clprim__name){.text = atoms[i], .size = size});
    }
    return CLPRIM_SUCCESS;
}

clprim_status clprim__names_scan(clprim__names *names, const char *text, size_t size)
{
    clprim__tokens tokens = {.at = text, .end = text + size};
    for (clprim__token token; clprim__next_token(&token, &tokens);) {
        const clprim__name name = {.text = token.text,
                                   .size = token.size,
                                   .is_kept = token.line == CLPRIM__DEFINES || token.line == CLPRIM__TESTS};
        const bool is_operator = token.line == CLPRIM__TESTS && clprim__is_word(&token, "defined");
        if (token.kind == CLPRIM__WORD && token.line != CLPRIM__SAYS && !is_operator &&
            (add(names, name) != CLPRIM_SUCCESS || add_atom(names, &name) != CLPRIM_SUCCESS))
            return CLPRIM_OUT_OF_MEMORY;
    }
    return CLPRIM_SUCCESS;
}

void clprim__names_free(clprim__names *names)
{
    free(names->list);
    *names = (clprim__names){.list = NULL};
}

/* Append the parts, with the name between them. (There are thousands of lines; clprim__text_format would take longer
 * than everything else.) */
static void append_around(clprim__text *out, const clprim__name *name, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            clprim__text_append(out, name->text, name->size);
        clprim__text_append(out, parts[i], strlen(parts[i]));
    }
}

/* Save macros with these names. Some are macros of the compiler's own headers, which must be restored after the
 * caller's text. A compiler without push_macro leaves the caller's definitions in place. */
void clprim__names_save(clprim__text *out, const clprim__names *names)
{
    static const char *const parts[] = {"#ifdef ", "\n#define " CLPRIM__RESERVED "had_", "\n#pragma push_macro(\"",
                                        "\")\n#endif\n"};
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].is_kept)
            append_around(out, &names->list[i], parts, sizeof parts / sizeof *parts);
}

void clprim__names_separate(clprim__text *out, const clprim__names *names)
{
    static const char *const restored[] = {"#ifdef " CLPRIM__RESERVED "had_", "\n#pragma pop_macro(\"",
                                           "\")\n#else\n#undef ", "\n#endif\n"};
    static const char *const renamed[] = {"#undef ", "\n#define ", (" " CLPRIM__RESERVED), "\n"};
    for (size_t i = 0; i < names->count; i++) {
        const clprim__name *name = &names->list[i];
        if (name->is_kept)
            append_around(out, name, restored, sizeof restored / sizeof *restored);
        else
            append_around(out, name, renamed, sizeof renamed / sizeof *renamed);
    }
}
