// SPDX-License-Identifier: MIT
/* short.c: calls whose outputs have less room than the call has results (clprim_member.may_be_short). */
#include "call.h"

bool test_call_shorten(test_call *self, size_t eighths)
{
    for (size_t i = 0; i < self->num_arrays; i++) {
        test_array *array = &self->arrays[i];
        if (!array->is_there || !clprim__may_be_short(&array->slot) || array->written == 0 || self->is_unspecified)
            continue;
        const size_t room = array->written * eighths / 8;
        array->written = room > 0 ? room : 1;
        test_array_of(self, &self->call, i)->length = array->written;
        self->is_short = true;
        eighths = eighths < 6 ? eighths + 3 : eighths - 5; /* a different room for the next array */
    }
    return self->is_short;
}

void test_call_check_short(const test_call *self, bool by_run, const char *what)
{
    test_call less = *self;
    const size_t eighths = self->arrays[0].offset + self->arrays[0].length;
    if (!test_call_shorten(&less, eighths % 9))
        return;
    test_call_reset(&less);
    test_call_check_by(&less, by_run, "%s, short outputs", what);
}
