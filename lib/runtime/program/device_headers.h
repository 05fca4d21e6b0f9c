/* device_headers.h: the headers of include/clprim/device, embedded in the library at build time. */
#ifndef CLPRIM_LIB_DEVICE_HEADERS_H
#define CLPRIM_LIB_DEVICE_HEADERS_H

typedef struct clprim__device_header {
    const char *name;
    const char *text; /* with that of the headers that it includes */
} clprim__device_header;

/* Behind the last one a name is NULL. */
extern const clprim__device_header clprim__device_headers[];

#endif
