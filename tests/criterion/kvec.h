// SPDX-License-Identifier: MIT
/* kvec.h: what Criterion uses of klib's arrays that grow, which htslib does without. */
#ifndef CLPRIM_TEST_KVEC_H
#define CLPRIM_TEST_KVEC_H

#include <stdlib.h>

#define kvec_t(type)                                                                                                   \
    struct {                                                                                                           \
        size_t size, room;                                                                                             \
        type *at;                                                                                                      \
    }
#define kv_init(v)    ((v).size = (v).room = 0, (v).at = NULL)
#define kv_destroy(v) free((v).at)
#define kv_A(v, i)    ((v).at[i])
#define kv_size(v)    ((v).size)
#define kv_push(type, v, x)                                                                                            \
    do {                                                                                                               \
        if ((v).size == (v).room) {                                                                                    \
            (v).room = (v).room > 0 ? 2 * (v).room : 2;                                                                \
            (v).at = realloc((v).at, sizeof(type) * (v).room);                                                         \
            if ((v).at == NULL)                                                                                        \
                abort();                                                                                               \
        }                                                                                                              \
        (v).at[(v).size++] = (x);                                                                                      \
    } while (0)

#endif
