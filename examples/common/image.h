// SPDX-License-Identifier: MIT
/* image.h: pictures of 8 bits a sample. They are read as PGM and PPM (binary: P5, P6) and written as PNG, which
 * browsers and viewers show. */
#ifndef CLPRIM_EXAMPLES_IMAGE_H
#define CLPRIM_EXAMPLES_IMAGE_H

#include <clprim/status.h>
#include <stddef.h>
#include <stdint.h>

typedef struct image {
    size_t width;
    size_t height;
    size_t channels;  /* 1: grey, 3: red, green, blue */
    uint8_t *samples; /* row by row from the top, the channels of a pixel side by side */
} image;

/* Errors: CLPRIM_INVALID_ARGUMENT, with a sentence on stderr; then *out is untouched. */
clprim_status image_read(image *out, const char *path);
clprim_status image_write(const image *self, const char *path);

/* Replace colour by luminance (ITU-R BT.601). */
void image_to_grey(image *self);

/* Release the samples; a zeroed image is allowed. */
void image_clear(image *self);

#endif
