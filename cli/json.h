/* json.h: one JSON object in one line, on standard output or another stream. Floats that JSON has no numbers for are strings: "nan",
 * "inf", "-inf". */
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
void json_key(json *self, const char *key); /* the value follows */
void json_text(FILE *stream, const char *text);
void json_element(clprim_type type, const void *element); /* on standard output */
void json_member_text(json *self, const char *key, const char *text);
void json_member_count(json *self, const char *key, uint64_t value);
void json_member_number(json *self, const char *key, const char *number); /* as number_text writes it */
void json_member_bool(json *self, const char *key, bool value);
void json_end(json *self);

#endif
