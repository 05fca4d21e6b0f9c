// SPDX-License-Identifier: MIT
/* pictures.c: writes pictures as the examples do, for test_pictures.py to read: one for each WIDTH HEIGHT CHANNELS
 * PATH. */
#include <stdlib.h>

#include "image.h"

int main(int argc, char **argv)
{
    for (int at = 1; at + 3 < argc; at += 4) {
        image picture = {.width = strtoul(argv[at], NULL, 10),
                         .height = strtoul(argv[at + 1], NULL, 10),
                         .channels = strtoul(argv[at + 2], NULL, 10)};
        const size_t count = picture.width * picture.height * picture.channels;
        picture.samples = malloc(count);
        if (picture.samples == NULL)
            return 1;
        for (size_t i = 0; i < count; i++)
            picture.samples[i] = (uint8_t)(i * i / 7 + i);
        const clprim_status status = image_write(&picture, argv[at + 3]);
        image_clear(&picture);
        if (status != CLPRIM_SUCCESS)
            return 1;
    }
    return 0;
}
