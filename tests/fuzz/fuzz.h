// SPDX-License-Identifier: MIT
/* fuzz.h: the interface of a target, which gets inputs. It is built with libFuzzer (./dev fuzz), or with main.c and any
 * compiler. */
#ifndef CLPRIM_TEST_FUZZ_H
#define CLPRIM_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* If `condition` does not hold, the fuzzer has found an error. */
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                              \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
