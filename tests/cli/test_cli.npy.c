/* test_cli.npy.c: headers of .npy files: those that numpy writes, and hostile ones. */
#include <stdio.h>

#include "test_cli.h"

static const char *parse(npy_header *out, const char *text)
{
    static char why[128];
    return npy_parse_text(out, text, strlen(text), why);
}

Test(cli, headers_are_read_as_numpy_means_them)
{
    static const struct {
        const char *text;
        npy_header expected;
    } rows[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n",
         {.type = CLPRIM_F32, .is_fortran = false, .dimensions = 2, .count = 12}},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }\n",
         {.type = CLPRIM_U8, .is_fortran = false, .dimensions = 1, .count = 5}},
        {"{'descr': '<u1', 'fortran_order': False, 'shape': (5,), }\n",
         {.type = CLPRIM_U8, .is_fortran = false, .dimensions = 1, .count = 5}},
        {"{'descr': '>i1', 'fortran_order': False, 'shape': (5,), }\n",
         {.type = CLPRIM_I8, .is_fortran = false, .dimensions = 1, .count = 5}},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 5), }\n",
         {.type = CLPRIM_F64, .is_fortran = true, .dimensions = 3, .count = 30}},
        {"{'descr': '<f2', 'fortran_order': True, 'shape': (7,), }\n",
         {.type = CLPRIM_F16, .is_fortran = false, .dimensions = 1, .count = 7}},
        {"{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n",
         {.type = CLPRIM_I64, .is_fortran = false, .dimensions = 0, .count = 1}},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (0,), }\n",
         {.type = CLPRIM_I16, .is_fortran = false, .dimensions = 1, .count = 0}},
        {"{'descr': '<u2', 'fortran_order': False, 'shape': (18446744073709551615, 0), }\n",
         {.type = CLPRIM_U16, .is_fortran = false, .dimensions = 2, .count = 0}},
        {"{\"shape\": (6, 1), \"descr\": \"<u4\", \"fortran_order\": False}\n",
         {.type = CLPRIM_U32, .is_fortran = false, .dimensions = 2, .count = 6}},
        {"{'descr':'<u8','fortran_order':False,'shape':(1,2,)}\n",
         {.type = CLPRIM_U64, .is_fortran = false, .dimensions = 2, .count = 2}},
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n",
         {.type = CLPRIM_F32, .is_big_endian = true, .dimensions = 1, .count = 2}},
        {"{'descr': '>u2', 'fortran_order': False, 'shape': (2,), }\n",
         {.type = CLPRIM_U16, .is_big_endian = true, .dimensions = 1, .count = 2}},
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (9,), }\n",
         {.type = CLPRIM_U8, .is_bool = true, .dimensions = 1, .count = 9}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        npy_header got = {0};
        const char *wrong = parse(&got, rows[i].text);
        cr_assert_null(wrong, "%s: %s", rows[i].text, wrong);
        cr_assert_eq(got.type, rows[i].expected.type, "%s", rows[i].text);
        cr_assert_eq(got.is_bool, rows[i].expected.is_bool, "%s", rows[i].text);
        cr_assert_eq(got.is_big_endian, rows[i].expected.is_big_endian, "%s", rows[i].text);
        cr_assert_eq(got.is_fortran, rows[i].expected.is_fortran, "%s", rows[i].text);
        cr_assert_eq(got.dimensions, rows[i].expected.dimensions, "%s", rows[i].text);
        cr_assert_eq(got.count, rows[i].expected.count, "%s", rows[i].text);
    }
}

#define REST          ", 'fortran_order': False, 'shape': (3,), }\n"
#define SHAPED(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"

Test(cli, headers_that_are_not_numpys_are_refused)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "line feed"},
        {"\n", "no dict"},
        {"{'descr': '<f4'" REST "{}\n", "follows"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "line feed"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), \n", "no dict"},
        {"{'descr': '<f4', 'fortran_order': False}\n", "missing"},
        {"{'descr': '<f4', 'descr': '<f4'" REST, "twice"},
        {"{'descr': '<f4', 'order': 'C'" REST, "unknown"},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (3,), }\n", "no dict"},
        {"{'descr': '<f4'; 'fortran_order': False, 'shape': (3,), }\n", "no dict"},
        {"['descr', '<f4']\n", "no dict"},
        {"{descr: '<f4'" REST, "no dict"},
        {"{'descr': '<f4" REST, "no"},
        {"{'descr': <f4" REST, "'descr'"},
        {"{'descr': '\\x3cf4'" REST, "'descr'"},
        {"{'descr': '|f4'" REST, "'|f4'"},
        {"{'descr': '|b2'" REST, "'|b2'"},
        {"{'descr': '=f4'" REST, "'=f4'"},
        {"{'descr': '<f16'" REST, "'<f16'"},
        {"{'descr': '<c8'" REST, "'<c8'"},
        {"{'descr': '|O'" REST, "'|O'"},
        {"{'descr': ''" REST, "''"},
        {"{'descr': '<U9999999999999999999999999999999999999999999999999999999999999999999999999999999999'" REST,
         "'<U9"},
        {"{'descr': [('a', '<f4')]" REST, "records"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (3,), }\n", "'fortran_order'"},
        {"{'descr': '<f4', 'fortran_order': 'True', 'shape': (3,), }\n", "'fortran_order'"},
        {SHAPED("3"), "'shape'"},
        {SHAPED("(3)"), "'shape'"},
        {SHAPED("(3 4)"), "'shape'"},
        {SHAPED("(3,,4)"), "'shape'"},
        {SHAPED("(,)"), "'shape'"},
        {SHAPED("(-3,)"), "'shape'"},
        {SHAPED("(+3,)"), "'shape'"},
        {SHAPED("(03,)"), "'shape'"},
        {SHAPED("(3.0,)"), "'shape'"},
        {SHAPED("(0x3,)"), "'shape'"},
        {SHAPED("(3L,)"), "'shape'"},
        {SHAPED("(2*3,)"), "'shape'"},
        {SHAPED("(3,"), "'shape'"},
        {SHAPED("(18446744073709551616,)"), "'shape'"},
        {SHAPED("(18446744073709551615,)"), "more elements"},
        {SHAPED("(4294967296, 4294967296)"), "more elements"},
        {SHAPED("(4294967296, 4294967297, 4294967296)"), "more elements"},
        {SHAPED("(2305843009213693952, 8)"), "more elements"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        npy_header got = {.count = 77};
        const char *wrong = parse(&got, rows[i].text);
        cr_assert_not_null(wrong, "taken: %s", rows[i].text);
        cr_assert_not_null(strstr(wrong, rows[i].why), "%s: %s", rows[i].text, wrong);
        cr_assert_eq(got.count, 77, "%s", rows[i].text);
    }
}

/* Each beginning of a header, and each of its bytes changed: never a crash, and never a result from less than all. */
Test(cli, damaged_headers_are_safe)
{
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n";
    char why[128];
    npy_header got;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        char *part = test_allocate(size + 1); /* its end is the sanitizer's */
        memcpy(part, text, size);
        cr_assert_not_null(npy_parse_text(&got, part, size, why), "%zu", size);
        free(part);
    }
    for (size_t i = 0; i < sizeof text - 1; i++) {
        for (int byte = 0; byte < 256; byte++) {
            char changed[sizeof text];
            memcpy(changed, text, sizeof text);
            changed[i] = (char)byte;
            if (npy_parse_text(&got, changed, sizeof text - 1, why) == NULL)
                cr_assert(got.count <= 99 * 99 && clprim_type_size(got.type) > 0, "%s", changed);
        }
    }
}

Test(cli, headers_that_are_written_are_read)
{
    static const size_t counts[] = {0, 1, 1000000, (size_t)1 << 50};
    for (int type = CLPRIM_I8; type < CLPRIM_TYPE_END; type++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            unsigned char bytes[NPY_WRITTEN_SIZE];
            char why[128];
            size_t prefix = 0;
            size_t text = 0;
            npy_header got = {0};
            npy_write(bytes, (clprim_type)type, false, counts[i]);
            cr_assert(npy_is_magic(bytes, sizeof bytes));
            cr_assert_null(npy_parse_prefix(&prefix, &text, bytes));
            cr_assert_eq(prefix + text, NPY_WRITTEN_SIZE);
            cr_assert_null(npy_parse_text(&got, (const char *)bytes + prefix, text, why));
            cr_assert(got.type == (clprim_type)type && got.count == counts[i] && got.dimensions == 1);
            cr_assert(!got.is_bool && !got.is_big_endian);
            npy_write(bytes, CLPRIM_U8, true, counts[i]);
            cr_assert_null(npy_parse_text(&got, (const char *)bytes + prefix, text, why));
            cr_assert(got.type == CLPRIM_U8 && got.is_bool && got.count == counts[i]);
        }
    }
}

Test(cli, prefixes_of_other_versions_are_refused)
{
    unsigned char bytes[NPY_PREFIX_SIZE + 1] = "\x93NUMPY\x03\x00\x00\x01\x00\x00";
    size_t prefix = 0;
    size_t text = 0;
    cr_assert_null(npy_parse_prefix(&prefix, &text, bytes));
    cr_assert(prefix == 12 && text == 256);
    bytes[11] = 1; /* 16 MiB */
    cr_assert_not_null(npy_parse_prefix(&prefix, &text, bytes));
    bytes[6] = 1;
    cr_assert_null(npy_parse_prefix(&prefix, &text, bytes));
    cr_assert(prefix == 10 && text == 256);
    bytes[6] = 4;
    cr_assert_not_null(npy_parse_prefix(&prefix, &text, bytes));
    bytes[6] = 0;
    cr_assert_not_null(npy_parse_prefix(&prefix, &text, bytes));
    bytes[6] = 1;
    bytes[7] = 1;
    cr_assert_not_null(npy_parse_prefix(&prefix, &text, bytes));
}
