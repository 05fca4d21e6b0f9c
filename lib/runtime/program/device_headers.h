// SPDX-License-Identifier: MIT
/* device_headers.h: the headers of include/clprim/device, embedded in the library at build time. */
#ifndef CLPRIM_LIB_DEVICE_HEADERS_H
#define CLPRIM_LIB_DEVICE_HEADERS_H

typedef struct clprim__device_header {
    const char *name;
    const char *text; /* includes the text of the headers that it includes */
} clprim__device_header;

/* The last one has the name NULL. */
extern const clprim__device_header clprim__device_headers[];

#endif
