// SPDX-License-Identifier: MIT
/* image.c: PGM and PPM files to read, PNG files to write. */
#include "image.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"
#include "png.h"

enum { LARGEST_SIDE = 65536, MOST_PIXELS = 1 << 28 };

/* The next number of the header. Between numbers there is white space, and there may be comments: # to the line's end.
 * One character behind the number is taken too: behind the last one, the samples begin. */
static bool read_number(size_t *out, FILE *file)
{
    int c = fgetc(file);
    while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        else
            c = fgetc(file);
    }
    size_t value = 0;
    bool is_number = false;
    for (; c >= '0' && c <= '9' && value <= LARGEST_SIDE; c = fgetc(file)) {
        value = value * 10 + (size_t)(c - '0');
        is_number = true;
    }
    *out = value;
    return is_number && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

static clprim_status read_header(image *out, FILE *file, const char *path)
{
    const int p = fgetc(file);
    const int kind = fgetc(file);
    if (p != 'P' || (kind != '5' && kind != '6'))
        return example_fail("%s is not a binary PGM or PPM file (P5, P6)", path);
    size_t largest = 0;
    if (!read_number(&out->width, file) || !read_number(&out->height, file) || !read_number(&largest, file))
        return example_fail("%s: its header is damaged", path);
    if (out->width == 0 || out->height == 0 || out->width > LARGEST_SIDE || out->height > LARGEST_SIDE)
        return example_fail("%s: width and height must be 1 to %d", path, LARGEST_SIDE);
    if (out->width > MOST_PIXELS / out->height)
        return example_fail("%s has more than %d pixels", path, MOST_PIXELS);
    if (largest != 255)
        return example_fail("%s has samples up to %zu; only 8 bits (255) can be read", path, largest);
    out->channels = kind == '5' ? 1 : 3;
    return CLPRIM_SUCCESS;
}

clprim_status image_read(image *out, const char *path)
{
    image self = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return example_fail("cannot open %s: %s", path, strerror(errno));
    clprim_status status = read_header(&self, file, path);
    if (status == CLPRIM_SUCCESS) {
        const size_t bytes = self.width * self.height * self.channels;
        self.samples = bytes > 0 ? malloc(bytes) : NULL;
        if (self.samples == NULL)
            status = example_fail("no memory for the %zu bytes of %s", bytes, path);
        else if (fread(self.samples, 1, bytes, file) != bytes)
            status = example_fail("%s ends before its last pixel", path);
    }
    (void)fclose(file); /* was only read */
    if (status == CLPRIM_SUCCESS)
        *out = self;
    else
        image_clear(&self);
    return status;
}

clprim_status image_write(const image *self, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return example_fail("cannot write %s: %s", path, strerror(errno));
    const bool is_written = png_write(file, self);
    if (fclose(file) != 0 || !is_written)
        return example_fail("cannot write %s: %s", path, strerror(errno));
    return CLPRIM_SUCCESS;
}

void image_to_grey(image *self)
{
    if (self->channels != 3)
        return;
    const uint8_t *rgb = self->samples;
    for (size_t i = 0; i < self->width * self->height; i++) /* the pixel written never lies behind the one read */
        self->samples[i] =
            (uint8_t)((299u * rgb[3 * i] + 587u * rgb[3 * i + 1] + 114u * rgb[3 * i + 2] + 500u) / 1000u);
    self->channels = 1;
}

void image_clear(image *self)
{
    free(self->samples);
    *self = (image){0};
}
