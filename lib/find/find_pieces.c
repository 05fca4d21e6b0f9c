// SPDX-License-Identifier: MIT
/* find_pieces.c: search arrays that do not fit the device, up to the first piece in which something is found. */
#include "find_internal.h"

clprim_status clprim__find_in_piece(clprim__cutting *self, const clprim_array *out, size_t count)
{
    size_t *place = (void *)self->notes.bytes;
    size_t found = 0;
    const clprim_status status =
        clprim__cutting_get_number(&found, self, out->buffer, out->offset, self->plan->index_size);
    *place = self->begin - self->left + found;
    if (found < count)
        __atomic_store_n(&self->is_over, true, __ATOMIC_RELEASE);
    return status;
}

clprim_status clprim__find_in_pieces(clprim__cutting *self, const void *desc)
{
    const size_t *place = (const void *)self->notes.bytes;
    (void)desc;
    return clprim__cutting_put_number(self, "out", *place);
}
