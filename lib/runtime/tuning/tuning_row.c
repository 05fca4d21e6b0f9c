// SPDX-License-Identifier: MIT
/* tuning_row.c: one line of a file of parameters:
 *
 *     radix_sort onesweep device="NVIDIA H200" size=4 up_to=262144 group_size=256 items=8 speed=13.2 was=11.9 # why not
 */
#include "tuning_row.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* One word: key, or key=value, or key="value with spaces". */
typedef struct word {
    char key[CLPRIM__TUNING_NAME_SIZE];
    char value[128];
    bool has_value;
} word;

static bool refuse(const char **why, const char *sentence)
{
    *why = sentence;
    return false;
}

static bool is_name(char c)
{
    return clprim__is_letter(c) || clprim__is_digit(c) || c == '_';
}

/* Read the word at *at, and advance *at; the key is "" at the end of the line. */
static bool next_word(word *out, const char **at, const char **why)
{
    const char *p = *at + strspn(*at, " \t\r");
    size_t length = 0;
    *out = (word){0};
    *at = p;
    if (*p == '\0' || *p == '#')
        return true;
    for (; is_name(*p); p++) {
        if (length + 1 >= sizeof out->key)
            return refuse(why, "a name is too long");
        out->key[length++] = *p;
    }
    out->has_value = *p == '=';
    if (length == 0)
        return refuse(why, "it is not made of names and name=value");
    if (out->has_value) {
        const bool is_quoted = *++p == '"';
        p += is_quoted;
        for (length = 0; *p != '\0' && (is_quoted ? *p != '"' : strchr(" \t\r#", *p) == NULL); p++) {
            if (length + 1 >= sizeof out->value)
                return refuse(why, "a value is too long");
            out->value[length++] = *p;
        }
        if (is_quoted && *p++ != '"')
            return refuse(why, "a quoted value does not end");
        if (length == 0)
            return refuse(why, "a value is empty");
    }
    if (*p != '\0' && strchr(" \t\r#", *p) == NULL)
        return refuse(why, "it is not made of names and name=value");
    *at = p;
    return true;
}

static bool read_number(size_t *out, const char *text)
{
    char *end = NULL;
    errno = 0;
    if (!clprim__is_digit(text[0])) /* strtoull would accept signs */
        return false;
    const unsigned long long number = strtoull(text, &end, 10);
    *out = (size_t)number;
    return *end == '\0' && errno == 0 && number <= SIZE_MAX;
}

static bool read_kind(clprim__tuning_row *row, const char *text)
{
    static const char *const names[] = {"other", "cpu", "gpu", "accelerator"}; /* indexed by clprim_device_kind */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            row->kind = (clprim_device_kind)i;
            row->has_kind = true;
            return true;
        }
    return false;
}

static bool take(clprim__tuning_row *row, const word *w, const char **why)
{
    size_t number = 0;
    if (!w->has_value)
        return refuse(why, "after primitive and variant there may only be name=value");
    if (strcmp(w->key, "device") == 0) {
        memcpy(row->device, w->value, sizeof row->device);
        return true;
    }
    if (strcmp(w->key, "kind") == 0)
        return read_kind(row, w->value) || refuse(why, "kind is not other, cpu, gpu or accelerator");
    if (strcmp(w->key, "speed") == 0 || strcmp(w->key, "was") == 0) /* only for people who read the file */
        return true;
    if (!read_number(&number, w->value))
        return refuse(why, "a value is not a number");
    if (strcmp(w->key, "size") == 0 || strcmp(w->key, "up_to") == 0) {
        *(w->key[0] == 's' ? &row->size : &row->up_to) = number;
        return number > 0 || refuse(why, "size or up_to is 0");
    }
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->parameters[i].name, w->key) == 0)
            return refuse(why, "a parameter is given twice");
    if (row->count == CLPRIM__TUNING_MAX_PARAMETERS)
        return refuse(why, "there are more parameters than any variant has");
    memcpy(row->parameters[row->count].name, w->key, sizeof w->key);
    row->parameters[row->count++].value = number;
    return true;
}

bool clprim__tuning_row_parse(clprim__tuning_row *out, bool *has_row, const char *line, size_t size, const char **why)
{
    char text[CLPRIM__TUNING_LINE_SIZE];
    const char *at = text;
    word w;
    *out = (clprim__tuning_row){0};
    *has_row = false;
    if (size >= sizeof text)
        return refuse(why, "it is too long");
    memcpy(text, line, size);
    text[size] = '\0';
    if (strlen(text) != size)
        return refuse(why, "it is not text");
    for (int number = 0;; number++) {
        if (!next_word(&w, &at, why))
            return false;
        if (w.key[0] == '\0')
            break;
        *has_row = true;
        if (number < 2) {
            if (w.has_value)
                return refuse(why, "it does not begin with a primitive and a variant");
            memcpy(number == 0 ? out->stem : out->variant, w.key, sizeof w.key);
        } else if (!take(out, &w, why)) {
            return false;
        }
    }
    if (*has_row && out->count == 0)
        return refuse(why, "it has no parameters");
    return true;
}

bool clprim__tuning_row_fits(const clprim__tuning_row *row, const clprim_device_info *info,
                             const clprim__tuning_query *query)
{
    return strcmp(row->stem, query->tunables->stem) == 0 && strcmp(row->variant, query->variant) == 0 &&
           (!row->has_kind || row->kind == info->kind) && clprim__contains(info->name, row->device) &&
           (row->size == 0 || row->size == query->size) && (row->up_to == 0 || query->max_count <= row->up_to);
}

static const clprim__tunable *find(const clprim__tunables *tunables, const char *variant, const char *name)
{
    for (size_t i = 0; i < tunables->count; i++)
        if (strcmp(tunables->items[i].variant, variant) == 0 && strcmp(tunables->items[i].name, name) == 0)
            return &tunables->items[i];
    return NULL;
}

bool clprim__tuning_row_apply(void *tuning, const clprim__tuning_row *row, const clprim__tunables *tunables, size_t *at,
                              const clprim__tunable **item)
{
    for (*at = 0; *at < row->count; (*at)++) {
        const size_t value = row->parameters[*at].value;
        *item = find(tunables, row->variant, row->parameters[*at].name);
        if (*item == NULL || value < (*item)->least || value > (*item)->most ||
            ((*item)->is_power_of_two && (value & (value - 1)) != 0))
            return false;
    }
    for (size_t i = 0; i < row->count && tuning != NULL; i++)
        memcpy((char *)tuning + find(tunables, row->variant, row->parameters[i].name)->offset,
               &row->parameters[i].value, sizeof(size_t));
    return true;
}
