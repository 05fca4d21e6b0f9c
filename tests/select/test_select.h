/* test_select.h: one selection; test_select.c has the function. */
#ifndef CLPRIM_TEST_SELECT_H
#define CLPRIM_TEST_SELECT_H

#include <clprim/select.h>

#include "call.h"

/* Of in[0 .. count) those are selected whose keep[i] is not 0. By flags: by the given ones, or where they are NULL by
 * flags that tell the same as keep. */
void select_check(test_call *self, const void *in, const void *flags, const uint8_t *keep, size_t count, uint64_t seed,
                  const char *what);

#endif
