// SPDX-License-Identifier: MIT
/* guide.h: what the guides' programs share. */
#ifndef CLPRIM_GUIDES_GUIDE_H
#define CLPRIM_GUIDES_GUIDE_H

#include <clprim/clprim.h>
#include <stdio.h>

/* For clPRIM's functions and OpenCL's: say what failed, then go where things are released. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        status = (clprim_status)(call);                                                                                \
        if (status != CLPRIM_SUCCESS) {                                                                                \
            fprintf(stderr, "%s: %s\n%s\n", #call, clprim_status_string(status), clprim_last_error());                 \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/* The guides' results are known: exit code 1 where one is another. */
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            status = CLPRIM_INVALID_ARGUMENT;                                                                          \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

#endif
