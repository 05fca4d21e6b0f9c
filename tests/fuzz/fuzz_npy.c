// SPDX-License-Identifier: MIT
/* fuzz_npy.c: the header of a .npy file, and text, as the tool reads them: everything that is accepted is valid, and is
 * the same after it is written and read again. */
#include <string.h>

#include "fuzz.h"
#include "npy.h"
#include "number.h"
#include "text_reader.h"

/* The text is copied to memory that ends where the text ends. */
static const char *parse(npy_header *out, const uint8_t *text, size_t size, char why[static 128])
{
    char *copy = malloc(size + (size == 0));
    EXPECT(copy != NULL);
    if (size > 0)
        memcpy(copy, text, size);
    const char *wrong = npy_parse_text(out, copy, size, why);
    if (wrong != NULL)
        EXPECT(strlen(wrong) > 0 && strlen(wrong) < 128);
    free(copy);
    return wrong;
}

static void expect_sane(const npy_header *header)
{
    unsigned char written[NPY_WRITTEN_SIZE];
    npy_header again = {0};
    char why[128] = "";
    size_t prefix_size = 0;
    size_t text_size = 0;
    EXPECT(clprim_type_size(header->type) > 0);
    EXPECT(header->dimensions <= NPY_MAX_DIMENSIONS && header->count <= SIZE_MAX / clprim_type_size(header->type));
    EXPECT(header->dimensions > 0 || header->count == 1);
    EXPECT(!header->is_bool || header->type == CLPRIM_U8);
    EXPECT(!header->is_big_endian || clprim_type_size(header->type) > 1);
    npy_write(written, header->type, header->is_bool, header->count);
    EXPECT(npy_is_magic(written, sizeof written));
    EXPECT(npy_parse_prefix(&prefix_size, &text_size, written) == NULL && prefix_size + text_size == sizeof written);
    EXPECT(npy_parse_text(&again, (const char *)written + prefix_size, text_size, why) == NULL);
    EXPECT(again.type == header->type && again.count == header->count && again.dimensions == 1 && !again.is_fortran);
    EXPECT(again.is_bool == header->is_bool && !again.is_big_endian);
}

/* Reading the element's text gives its bits again; for a NaN, only the sign. */
static void expect_same(clprim_type type, const void *element)
{
    uint64_t again = 0;
    char number[NUMBER_TEXT_SIZE];
    const size_t size = clprim_type_size(type);
    number_text(number, type, element);
    EXPECT(strlen(number) < sizeof number && number_parse(&again, type, number) == NUMBER_FINE);
    const bool is_nan = number_is_float(type) && strstr(number, "nan") != NULL;
    EXPECT(is_nan || memcmp(&again, element, size) == 0);
}

/* The first byte is the type. The text is passed in pieces, whose sizes the second byte determines, and finally as a
 * whole. */
static void take_text(const uint8_t *bytes, size_t size)
{
    static text_reader reader; /* a large one */
    const clprim_type type = (clprim_type)(CLPRIM_I8 + bytes[0] % (CLPRIM_TYPE_END - CLPRIM_I8));
    const size_t part = bytes[1] % 16 + 1;
    char why[TEXT_WHY_SIZE];
    text_reset(&reader);
    for (size_t at = 2; !text_is_at_end(&reader);) {
        uint64_t elements[4];
        size_t got = 0;
        size_t room = 0;
        if (!text_take(&reader, elements, type, 4, &got, why)) {
            EXPECT(strlen(why) > 0 && strlen(why) < sizeof why);
            return;
        }
        EXPECT(got <= 4 && reader.at <= reader.size && reader.size <= TEXT_BLOCK);
        for (size_t i = 0; i < got; i++)
            expect_same(type, (const char *)elements + i * clprim_type_size(type));
        if (got == 4)
            continue;
        char *to = text_room(&reader, &room);
        const size_t some = size - at < part ? size - at : part;
        if (room < part)
            return;
        memcpy(to, bytes + at, some);
        reader.size += some;
        reader.is_last = at + some == size;
        at += some;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    npy_header header = {0};
    char why[128] = "";
    size_t prefix_size = 0;
    size_t text_size = 0;
    /* As a whole file, and only its text. */
    if (size >= NPY_PREFIX_SIZE && npy_is_magic(bytes, size) &&
        npy_parse_prefix(&prefix_size, &text_size, bytes) == NULL) {
        EXPECT((prefix_size == 10 || prefix_size == 12) && text_size <= NPY_MAX_TEXT_SIZE);
        if (text_size <= size - prefix_size && parse(&header, bytes + prefix_size, text_size, why) == NULL)
            expect_sane(&header);
    }
    if (parse(&header, bytes, size, why) == NULL)
        expect_sane(&header);
    if (size >= 2)
        take_text(bytes, size);
    return 0;
}
