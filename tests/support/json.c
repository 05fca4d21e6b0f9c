/* json.c: enough of JSON for tests. */
#define _XOPEN_SOURCE 700 /* newlocale */

#include "json.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *string_end(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20)
            return NULL;
        if (*p != '\\')
            continue;
        if (*++p == '\0' || strchr("\"\\/bfnrtu", *p) == NULL)
            return NULL;
        for (int digits = *p == 'u' ? 4 : 0; digits > 0; digits--)
            if (!isxdigit((unsigned char)*++p))
                return NULL;
    }
    return p + 1;
}

static const char *digits_end(const char *p)
{
    const size_t count = strspn(p, "0123456789");
    return count > 0 ? p + count : NULL;
}

static const char *number_end(const char *p)
{
    p += *p == '-';
    if (p[0] == '0' && isdigit((unsigned char)p[1]))
        return NULL;
    p = digits_end(p);
    if (p != NULL && *p == '.')
        p = digits_end(p + 1);
    if (p != NULL && (*p == 'e' || *p == 'E')) {
        p++;
        p = digits_end(p + (*p == '+' || *p == '-'));
    }
    return p;
}

/* The end of the value at `p` with the white space around it, NULL where there is none. */
static const char *json_end(const char *p);

/* Behind the bracket at `p`, up to behind the one that closes. */
static const char *members_end(const char *p, bool is_object)
{
    const char close = is_object ? '}' : ']';
    p = space(p + 1);
    if (*p == close)
        return p + 1;
    for (;; p = space(p + 1)) {
        if (is_object && ((p = string_end(p)) == NULL || *(p = space(p)) != ':'))
            return NULL;
        p = json_end(is_object ? p + 1 : p);
        if (p == NULL || *p == close)
            return p != NULL ? p + 1 : NULL;
        if (*p != ',')
            return NULL;
    }
}

static const char *json_end(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    p = space(p);
    const char *end = NULL;
    for (size_t i = 0; i < 3; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            end = p + strlen(words[i]);
    if (end == NULL)
        end = *p == '{' || *p == '[' ? members_end(p, *p == '{') : *p == '"' ? string_end(p) : number_end(p);
    return end != NULL ? space(end) : NULL;
}

bool json_is_valid(const char *text)
{
    const char *end = json_end(text);
    return end != NULL && *end == '\0';
}

const char *json_first(const char *array)
{
    const char *p = space(space(array) + 1);
    return *p != ']' && *p != '}' ? p : NULL;
}

const char *json_next(const char *element)
{
    const char *end = json_end(element);
    return end != NULL && *end == ',' ? space(end + 1) : NULL;
}

bool json_is(const char *value, const char *string)
{
    if (value == NULL || *value++ != '"')
        return false;
    for (; *string != '\0'; string++, value++) {
        if (*value == '"')
            return false;
        value += *value == '\\'; /* before a quote or a backslash: no text of the tests has other escapes */
        if (*value != *string)
            return false;
    }
    return *value == '"';
}

const char *json_member(const char *object, const char *key)
{
    for (const char *p = json_first(object); p != NULL;) {
        const char *value = space(space(string_end(p)) + 1);
        if (json_is(p, key))
            return value;
        p = json_next(value);
    }
    return NULL;
}

/* JSON's decimal point is a dot in every locale; strtod() reads that of the process. */
double json_number(const char *value, double otherwise)
{
    if (value == NULL)
        return otherwise;
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = uselocale(c);
    const double number = strtod(value, NULL);
    uselocale(before);
    freelocale(c);
    return number;
}
