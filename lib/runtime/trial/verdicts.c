// SPDX-License-Identifier: MIT
/* verdicts.c: verdicts on variants, in memory and on disk. */
#include "verdicts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "program_cache.h"

typedef struct verdict {
    struct verdict *next;
    clprim__text key;
    char why[CLPRIM__WHY_SIZE]; /* "<name>: <sentence>", or "" */
} verdict;

struct clprim__verdicts {
    clprim__disk_cache *disk;
    bool is_off;
    bool takes_notes;
    bool are_wanted; /* changed atomically */
    pthread_mutex_t mutex;
    verdict *first; /* newest first */
};

/* Whether the project's own tests run on this driver (docs/reliability.md). */
static bool is_known(const clprim_device_info *info)
{
    return info->vendor == CLPRIM_VENDOR_POCL || info->vendor == CLPRIM_VENDOR_NVIDIA ||
           (info->vendor == CLPRIM_VENDOR_INTEL && info->kind == CLPRIM_DEVICE_CPU) ||
           strstr(info->platform_name, "Oclgrind") != NULL;
}

clprim_status clprim__verdicts_create(clprim__verdicts **out, const clprim_device_info *info,
                                      const clprim__programs *programs)
{
    const char *mode = getenv("CLPRIM_SELF_TEST");
    const bool is_given = mode != NULL && mode[0] != '\0';
    if (is_given && strcmp(mode, "always") != 0 && strcmp(mode, "off") != 0)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "CLPRIM_SELF_TEST must be \"always\" or \"off\", not \"%s\"",
                            mode);
    clprim__verdicts *self = calloc(1, sizeof *self);
    if (self == NULL)
        return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a runtime");
    pthread_mutex_init(&self->mutex, NULL);
    self->disk = clprim__programs_disk(programs);
    self->is_off = is_given && strcmp(mode, "off") == 0;
    self->are_wanted = is_given ? strcmp(mode, "always") == 0 : !is_known(info);
    self->takes_notes = self->are_wanted && self->disk != NULL;
    *out = self;
    return CLPRIM_SUCCESS;
}

void clprim__verdicts_destroy(clprim__verdicts *self)
{
    if (self == NULL)
        return;
    for (verdict *next, *v = self->first; v != NULL; v = next) {
        next = v->next;
        clprim__text_free(&v->key);
        free(v);
    }
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

bool clprim__verdicts_are_wanted(const clprim__verdicts *self)
{
    return __atomic_load_n(&self->are_wanted, __ATOMIC_RELAXED);
}

bool clprim__verdicts_take_notes(const clprim__verdicts *self)
{
    return self->takes_notes;
}

clprim__disk_cache *clprim__verdicts_disk(const clprim__verdicts *self)
{
    return self->disk;
}

/* Find the verdict for a key. The mutex must be held. */
static verdict *find(const clprim__verdicts *self, const clprim__text *key)
{
    for (verdict *v = self->first; v != NULL; v = v->next)
        if (v->key.size == key->size && memcmp(v->key.data, key->data, key->size) == 0)
            return v;
    return NULL;
}

/* Add a verdict. The mutex must be held. */
static clprim_status enter(clprim__verdicts *self, const clprim__text *key, const char *why)
{
    verdict *v = find(self, key);
    if (v == NULL) {
        v = calloc(1, sizeof *v);
        if (v == NULL)
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a verdict");
        clprim__text_append(&v->key, key->data, key->size);
        if (v->key.failed) {
            free(v);
            return clprim__fail(CLPRIM_OUT_OF_MEMORY, "out of host memory for a verdict");
        }
        v->next = self->first;
        self->first = v;
    }
    (void)snprintf(v->why, sizeof v->why, "%s", why);
    return CLPRIM_SUCCESS;
}

/* A verdict on disk is "right", or "wrong: " and the sentence. */
static const char right[] = "right";
static const char wrong[] = "wrong: ";

static bool load(char why[CLPRIM__WHY_SIZE], const clprim__verdicts *self, const clprim__text *key)
{
    size_t size = 0;
    bool rejected = false;
    bool is_sound = false;
    char *bytes = clprim__disk_cache_get(&size, &rejected, self->disk, key->data, key->size);
    const char *text = bytes != NULL ? bytes + key->size : "";
    if (size == sizeof right - 1 && memcmp(text, right, size) == 0) {
        why[0] = '\0';
        is_sound = true;
    } else if (size >= sizeof wrong && memcmp(text, wrong, sizeof wrong - 1) == 0) {
        (void)snprintf(why, CLPRIM__WHY_SIZE, "%.*s", (int)(size - (sizeof wrong - 1)), text + sizeof wrong - 1);
        is_sound = true;
    }
    free(bytes);
    return is_sound;
}

bool clprim__verdicts_find(char why[CLPRIM__WHY_SIZE], clprim__verdicts *self, const clprim__text *key)
{
    pthread_mutex_lock(&self->mutex);
    const verdict *known = find(self, key);
    bool is_found = known != NULL;
    if (is_found)
        memcpy(why, known->why, CLPRIM__WHY_SIZE);
    else if (load(why, self, key))
        is_found = enter(self, key, why) == CLPRIM_SUCCESS;
    pthread_mutex_unlock(&self->mutex);
    return is_found;
}

clprim_status clprim__verdicts_keep(clprim__verdicts *self, const clprim__text *key, const char *name, const char *why,
                                    bool for_good)
{
    char sentence[CLPRIM__WHY_SIZE] = "";
    char entry[CLPRIM__WHY_SIZE + sizeof wrong];
    if (why[0] != '\0') {
        (void)snprintf(sentence, sizeof sentence, "%s: %s", name, why);
        if (!self->is_off) /* even if the driver was assumed to work */
            __atomic_store_n(&self->are_wanted, true, __ATOMIC_RELAXED);
    }
    for (char *p = sentence; *p != '\0'; p++)
        *p = *p == '\n' ? ' ' : *p; /* the sentence may come from a build log */
    const int size = snprintf(entry, sizeof entry, "%s%s", why[0] != '\0' ? wrong : right, sentence);
    if (for_good)
        (void)clprim__disk_cache_put(self->disk, key->data, key->size, entry, (size_t)size);
    pthread_mutex_lock(&self->mutex);
    const clprim_status status = enter(self, key, sentence);
    pthread_mutex_unlock(&self->mutex);
    return status;
}

size_t clprim__verdicts_set_aside(clprim__verdicts *self, char *out, size_t capacity)
{
    size_t count = 0;
    size_t at = 0;
    if (capacity > 0)
        out[0] = '\0';
    pthread_mutex_lock(&self->mutex);
    for (const verdict *v = self->first; v != NULL; v = v->next) {
        if (v->why[0] == '\0')
            continue;
        count++;
        if (at < capacity)
            at += (size_t)snprintf(out + at, capacity - at, "%s\n", v->why);
    }
    pthread_mutex_unlock(&self->mutex);
    return count;
}
