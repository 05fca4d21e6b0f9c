/* fuzz_npy.c: the header of a .npy file, as the tool reads it: what is taken is sane, and is the same when it is
 * written and read once more. */
#include <string.h>

#include "fuzz.h"
#include "npy.h"

/* In memory that ends where the text ends. */
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    npy_header header = {0};
    char why[128] = "";
    size_t prefix_size = 0;
    size_t text_size = 0;
    /* As a whole file, and as its text alone. */
    if (size >= NPY_PREFIX_SIZE && npy_is_magic(bytes, size) &&
        npy_parse_prefix(&prefix_size, &text_size, bytes) == NULL) {
        EXPECT((prefix_size == 10 || prefix_size == 12) && text_size <= NPY_MAX_TEXT_SIZE);
        if (text_size <= size - prefix_size && parse(&header, bytes + prefix_size, text_size, why) == NULL)
            expect_sane(&header);
    }
    if (parse(&header, bytes, size, why) == NULL)
        expect_sane(&header);
    return 0;
}
