/* fleeting.c: descriptions that are gone once create has returned. */
#include "fleeting.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct copies {
    void *memory[MOST];
    size_t bytes[MOST];
    size_t count;
} copies;

/* What was pointed to is replaced by its copy. */
static void copy(copies *self, void *pointer, size_t bytes)
{
    const void *from = NULL;
    memcpy(&from, pointer, sizeof from);
    void *memory = from != NULL && self->count < MOST ? malloc(bytes + 1) : NULL;
    if (memory == NULL)
        return;
    memcpy(memory, from, bytes);
    memcpy(pointer, &memory, sizeof memory);
    self->memory[self->count] = memory;
    self->bytes[self->count++] = bytes;
}

static void copy_text(copies *self, const char **text)
{
    if (*text != NULL)
        copy(self, text, strlen(*text) + 1);
}

static void copy_operator(copies *self, clprim_custom_op **op)
{
    copy(self, op, sizeof **op);
    if (*op == NULL)
        return;
    copy_text(self, &(*op)->type_name);
    copy_text(self, &(*op)->source);
    copy_text(self, &(*op)->combine);
    copy_text(self, &(*op)->identity);
}

clprim_status test_create_fleeting(clprim_plan **out, clprim_runtime *runtime, const clprim_operation *face,
                                   const test_struct *desc)
{
    test_struct own = *desc;
    copies self = {.count = 0};
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        char *place = own.bytes + m->place;
        if (m->kind == CLPRIM_MEMBER_TEXT)
            copy_text(&self, (const char **)(void *)place);
        else if (m->kind == CLPRIM_MEMBER_CUSTOM_OP)
            copy_operator(&self, (clprim_custom_op **)(void *)place);
        else if (m->kind == CLPRIM_MEMBER_DATA)
            copy(&self, place, m->element(desc->bytes, 0).size * m->length(desc->bytes, NULL));
    }
    const clprim_status status = face->create(out, runtime, own.bytes);
    memset(&own, 0xff, sizeof own);
    while (self.count-- > 0) {
        memset(self.memory[self.count], '?', self.bytes[self.count]);
        free(self.memory[self.count]);
    }
    return status;
}
