// SPDX-License-Identifier: MIT
/* text.c: the text that precedes a program's, so that its language and its numbers of groups are the device's. */
#include "double.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t used, size;
} text;

__attribute__((format(printf, 2, 3))) static void append(text *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (out->used + (size_t)length + 1 > out->size) {
        const size_t size = 2 * (out->used + (size_t)length + 1);
        char *larger = realloc(out->data, size);
        if (larger == NULL)
            return;
        out->data = larger;
        out->size = size;
    }
    va_start(list, format);
    out->used += (size_t)vsnprintf(out->data + out->used, out->size - out->used, format, list);
    va_end(list);
}

/* A reported extension has a macro, and others have none. */
static void append_macros(text *out)
{
    char name[128];
    static const char *const known[] = {
        "cl_khr_fp64",           "cl_khr_fp16",      "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
        "cl_khr_command_buffer", "cl_khr_subgroups", "cl_khr_subgroup_shuffle",   "cl_khr_subgroup_ballot",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        append(out, "#undef %s\n", known[i]);
    for (const char *list = double_extensions(); *list != '\0';) {
        const int length = (int)strcspn(list, " ");
        (void)snprintf(name, sizeof name, "%.*s", length, list);
        append(out, "#undef %s\n#define %s 1\n", name, name);
        list += length + (list[length] == ' ');
    }
}

/* Types and functions that the device lacks get undefined names, so that programs with them do not compile. (An option
 * makes constants that look like doubles single precision, as on such devices.) */
static void append_missing(text *out)
{
    static const char *const doubles[] = {"double", "double2", "double3", "double4", "double8", "double16"};
    static const char *const atomics[] = {"atom_add",     "atom_sub",    "atom_xchg",   "atom_inc", "atom_dec",
                                          "atom_cmpxchg", "atom_min",    "atom_max",    "atom_and", "atom_or",
                                          "atom_xor",     "atomic_long", "atomic_ulong"};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles && !double_has("cl_khr_fp64"); i++)
        append(out, "#undef %s\n#define %s %s_without_cl_khr_fp64\n", doubles[i], doubles[i], doubles[i]);
    if (!double_has("cl_khr_fp64"))
        append(out, "#undef __opencl_c_fp64\n");
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics && !double_has("cl_khr_int64_base_atomics"); i++)
        append(out, "#undef %s\n#define %s %s_without_cl_khr_int64_base_atomics\n", atomics[i], atomics[i], atomics[i]);
}

/* Sub-groups of one work-item: OpenCL allows them, all functions are trivial, and programs that take the width for
 * granted fail. If the driver below has sub-groups, programs get those. */
static void append_sub_groups(text *out)
{
    static const char *const words[] = {"int", "uint", "long", "ulong", "float"};
    static const char *const functions[] = {"reduce_%s", "scan_inclusive_%s"};
    static const char *const operators[] = {"add", "min", "max"};
    append(out, "#define get_sub_group_size() 1u\n#define get_max_sub_group_size() 1u\n"
                "#define get_num_sub_groups() ((uint)get_local_size(0))\n"
                "#define get_sub_group_id() ((uint)get_local_id(0))\n#define get_sub_group_local_id() 0u\n"
                "#define sub_group_barrier(...) mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
                "#define sub_group_all(x) ((int)((x) != 0))\n#define sub_group_any(x) ((int)((x) != 0))\n"
                "#define sub_group_broadcast(x, lane) (x)\n");
    for (size_t f = 0; f < 2; f++) {
        for (size_t o = 0; o < 3; o++) {
            char name[64];
            (void)snprintf(name, sizeof name, functions[f], operators[o]);
            append(out, "#define sub_group_%s(x) (x)\n", name);
        }
    }
    for (size_t w = 0; w < 5; w++)
        append(out, "static inline %s __attribute__((overloadable)) double_none(%s x) { return 0; }\n", words[w],
               words[w]);
    append(out, "#define sub_group_scan_exclusive_add(x) double_none(x)\n");
    if (double_has("cl_khr_subgroup_shuffle") || double_has("cl_qcom_subgroup_shuffle") ||
        double_has("cl_intel_subgroups"))
        append(out, "#define sub_group_shuffle(x, lane) (x)\n#define sub_group_shuffle_xor(x, mask) (x)\n"
                    "#define qcom_sub_group_shuffle_up(x, d, width, other) (x)\n"
                    "#define qcom_sub_group_shuffle_down(x, d, width, other) (x)\n"
                    "#define qcom_sub_group_shuffle_xor(x, mask, width, other) (x)\n");
    if (double_has("cl_intel_subgroups"))
        append(out, "#define intel_sub_group_shuffle(x, lane) (x)\n#define intel_sub_group_shuffle_xor(x, mask) (x)\n"
                    "#define intel_sub_group_shuffle_up(before, x, d) (x)\n"
                    "#define intel_sub_group_shuffle_down(x, after, d) (x)\n");
    if (double_has("cl_khr_subgroup_ballot"))
        append(out, "#define sub_group_ballot(x) ((uint4)((x) != 0, 0, 0, 0))\n");
}

/* Groups swap their numbers, so that groups with high numbers, or in any order, run first. */
static void append_order(text *out, double_order order)
{
    static const char *const numbers[] = {
        [DOUBLE_REVERSE] = "return n - 1 - i;",
        /* by a step that has no common divisor with n */
        [DOUBLE_STRIDE] =
            "size_t step = 7919; for (size_t x = step, y = n; x != 1; ) { size_t t = y % x; y = x; x = t; "
            "if (x == 0) { step += 2; x = step; y = n; } } return (i % n * (step % n) + n / 2) % n;",
        /* a bijection of the numbers below a power of two, repeated until the number is a group's */
        [DOUBLE_SHUFFLE] = "size_t mask = n - 1; for (uint s = 1; s < 64; s *= 2) mask |= mask >> s; "
                           "do { i = (i * 0x2545f491u + 0x1b873593u) & mask; i ^= i >> 3; i = (i * 5 + 1) & mask; } "
                           "while (i >= n); return i;",
    };
    append(out,
           "static inline size_t double_group(size_t i, size_t n) { %s }\n"
           "#define get_group_id(d) ((d) == 0 ? double_group(get_group_id(0), get_num_groups(0)) : get_group_id(d))\n"
           "#define get_global_id(d) ((d) == 0 ? get_group_id(0) * get_local_size(0) + get_local_id(0) + "
           "get_global_offset(0) : get_global_id(d))\n",
           numbers[order]);
}

/* The group that gets the first number of a counter in global memory stalls until all groups have one, or as many as
 * ever will. If others wait for that group, they never do, and the watch reports it (watch.c). */
static void append_starving(text *out)
{
    append(out,
           "static inline uint double_stay(volatile __global uint *counter, uint mine)\n{\n"
           "    volatile __global uint *page = (volatile __global uint *)%#llxul;\n"
           "    if (mine == 0 && get_num_groups(0) > 2) {\n"
           "        page[1] = 1;\n"
           "        for (uint now = *counter; now != 0 && now < get_num_groups(0) && page[1] == 1; now = *counter)\n"
           "            page[0] = now;\n"
           "        page[1] = 0;\n    }\n    return mine;\n}\n"
           "static inline uint __attribute__((overloadable)) double_inc(volatile __global uint *p) { return "
           "double_stay(p, atomic_inc(p)); }\n"
           "static inline int __attribute__((overloadable)) double_inc(volatile __global int *p) { return "
           "atomic_inc(p); }\n"
           "static inline uint __attribute__((overloadable)) double_inc(volatile __local uint *p) { return "
           "atomic_inc(p); }\n"
           "static inline int __attribute__((overloadable)) double_inc(volatile __local int *p) { return "
           "atomic_inc(p); }\n"
           "#undef atomic_inc\n#define atomic_inc(p) double_inc(p)\n",
           DOUBLE_PAGE + 0ull);
}

/* The group that starts first gets the second number, and the group that starts last the first one: as if the group
 * with the first number had stalled after it until all others had ended. If another group waits for it, the kernel
 * never ends. */
static void append_tickets(text *out, const char *name)
{
    const int first = toupper((unsigned char)name[0]);
    append(out, "#define %c%s(ticket, groups, ...) ((%s(ticket, groups, __VA_ARGS__) + 1) %% (groups))\n", first,
           name + 1, name);
    append(out,
           "#define %c%c%s(passed, ticket, groups, ...) ((%s(passed, ticket, groups, __VA_ARGS__) + 1) %% (groups))\n",
           first, toupper((unsigned char)name[1]), name + 2, name);
}

char *double_text(void)
{
    text out = {NULL};
    const double_settings *settings = double_get();
    append(&out, "#line 1 \"double\"\n");
    if (settings->profile != NULL) {
        append_macros(&out);
        append_missing(&out);
        if (double_has("cl_khr_subgroups") && !double_below_has("cl_khr_subgroups"))
            append_sub_groups(&out);
    }
    if (settings->order == DOUBLE_STARVE)
        append_starving(&out);
    else if (settings->order != DOUBLE_AS_IS)
        append_order(&out, settings->order);
    if (double_ticket() != NULL)
        append_tickets(&out, double_ticket());
    append(&out, "#line 1\n");
    return out.data;
}
