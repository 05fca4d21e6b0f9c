// SPDX-License-Identifier: MIT
/* png.h: pictures as PNG files. */
#ifndef CLPRIM_EXAMPLES_PNG_H
#define CLPRIM_EXAMPLES_PNG_H

#include <stdbool.h>
#include <stdio.h>

#include "image.h"

/* Write all of the file; false: errno says why not. */
bool png_write(FILE *file, const image *picture);

#endif
