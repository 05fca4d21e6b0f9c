/* json.h: enough of JSON for tests: whether a text is valid, and what its objects have. */
#ifndef CLPRIM_TEST_JSON_H
#define CLPRIM_TEST_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* The whole text is one value: RFC 8259. */
bool json_is_valid(const char *text);

/* The array's first element, or NULL; the element after another one, or NULL. All in valid texts. */
const char *json_first(const char *array);
const char *json_next(const char *element);

/* The value of a member of an object, or NULL. */
const char *json_member(const char *object, const char *key);

/* The value is this string; a number's value, `otherwise` for NULL. */
bool json_is(const char *value, const char *string);
double json_number(const char *value, double otherwise);

#endif
