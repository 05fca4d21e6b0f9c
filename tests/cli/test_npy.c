// SPDX-License-Identifier: MIT
/* test_npy.c: the tool's reader of .npy headers, tested alone: damaged headers, more of them than processes could be
 * started for, and headers of arrays that are larger than any file here. */
#include "npy.h"
#include "support.h"

static char why[128];

/* Each beginning of a header, and each of its bytes changed: the reader must not crash, and must not accept an
 * incomplete header. */
Test(npy, damaged_headers_are_safe)
{
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n";
    npy_header got = {.count = 77};
    for (size_t size = 0; size < sizeof text - 1; size++) {
        char *part = test_allocate(size + 1); /* a sanitizer detects reads past its end */
        memcpy(part, text, size);
        cr_assert(npy_parse_text(&got, part, size, why) != NULL && got.count == 77, "%zu", size);
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

Test(npy, headers_that_are_written_are_read)
{
    static const size_t counts[] = {0, 1, 1000000, SIZE_MAX >> 14};
    for (int type = CLPRIM_I8; type <= CLPRIM_TYPE_END; type++) {
        const bool is_bool = type == CLPRIM_TYPE_END; /* after all types */
        const clprim_type expected = is_bool ? CLPRIM_U8 : (clprim_type)type;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            unsigned char bytes[NPY_WRITTEN_SIZE];
            size_t prefix = 0;
            size_t text = 0;
            npy_header got = {0};
            npy_write(bytes, expected, is_bool, counts[i]);
            cr_assert(npy_is_magic(bytes, sizeof bytes));
            cr_assert_null(npy_parse_prefix(&prefix, &text, bytes));
            cr_assert_eq(prefix + text, NPY_WRITTEN_SIZE);
            cr_assert_null(npy_parse_text(&got, (const char *)bytes + prefix, text, why));
            cr_assert(got.type == expected && got.count == counts[i] && got.dimensions == 1);
            cr_assert(got.is_bool == is_bool && !got.is_big_endian);
        }
    }
}
