// SPDX-License-Identifier: MIT
/* json.h: write one JSON object in a single line, to standard output or another stream. Floats that are not JSON
 * numbers become strings: "nan", "inf", "-inf". */
#ifndef CLPRIM_CLI_JSON_H
#define CLPRIM_CLI_JSON_H

#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *stream;
    bool has_member;
} json;

void json_begin(json *self); /* on standard output */
void json_begin_in(json *self, FILE *stream);
void json_key(json *self, const char *key); /* call it before the value is written */
void json_text(FILE *stream, const char *text);
void json_element(clprim_type type, const void *element); /* on standard output */
void json_member_text(json *self, const char *key, const char *text);
void json_member_count(json *self, const char *key, uint64_t value);
void json_member_number(json *self, const char *key, const char *number); /* in the format of number_text */
void json_member_bool(json *self, const char *key, bool value);
void json_end(json *self);

#endif
