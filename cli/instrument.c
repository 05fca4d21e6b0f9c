// SPDX-License-Identifier: MIT
/* instrument.c: see instrument.h. */
#include "instrument.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the program's text begins with: the functions that print. They are written out, for the library passes a plan's
 * numbers to functions that it finds in the text, not in macros. */
#define NOTE_OF(SPACE, LETTER)                                                                                         \
    "static void __attribute__((overloadable)) clprim__note(uint site, const volatile " SPACE                          \
    " void *p, uint size, uint index)\n{\n    const uint value = size == 1 ? *(const volatile " SPACE                  \
    " uchar *)p : size == 2 ? *(const volatile " SPACE " ushort *)p : *(const volatile " SPACE                         \
    " uint *)p;\n    printf(\"\\001%u %u %u " LETTER                                                                   \
    " %u %u %u %u\\n\", (uint)get_group_id(0), (uint)get_local_id(0), "                                                \
    "site, index, value, (uint)(size_t)p, size);\n}\n"
#define NO_NOTE_OF(SPACE)                                                                                              \
    "static void __attribute__((overloadable)) clprim__note(uint site, const volatile " SPACE                          \
    " void *p, uint size, uint index)\n{\n}\n"
static const char PROLOGUE[] = "#pragma clang diagnostic ignored \"-Weverything\"\n"                  /**/
    NOTE_OF("__local", "l") NOTE_OF("__global", "g") NO_NOTE_OF("__private") NO_NOTE_OF("__constant") /**/
    "static void clprim__mark(uint site)\n{\n    printf(\"\\001%u %u %u - 0 0 0 0\\n\", (uint)get_group_id(0), "
    "(uint)get_local_id(0), site);\n}\n";

typedef enum token_kind { TOKEN_BLANK, TOKEN_DIRECTIVE, TOKEN_NAME, TOKEN_OTHER } token_kind;

typedef struct token {
    token_kind kind;
    const char *begin;
    size_t size;
    size_t line;
    size_t partner; /* of ( and [: the token that closes it; 0: none */
} token;

typedef struct instrumenter {
    token *tokens;
    size_t count, capacity;
    char *out;
    size_t out_size, out_capacity;
    site_list *sites;
    char file[256]; /* of the token at hand */
    bool failed;    /* memory is short */
} instrumenter;

static void *grown(instrumenter *self, void *memory, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return memory;
    const size_t most = wanted < 64 ? 64 : 2 * wanted;
    void *larger = realloc(memory, most * size);
    self->failed = self->failed || larger == NULL;
    if (larger == NULL)
        return memory;
    *capacity = most;
    return larger;
}

static void put(instrumenter *self, const char *text, size_t size)
{
    self->out = grown(self, self->out, &self->out_capacity, self->out_size + size + 1, 1);
    if (self->failed)
        return;
    memcpy(self->out + self->out_size, text, size);
    self->out_size += size;
    self->out[self->out_size] = '\0';
}

static void put_text(instrumenter *self, const char *text)
{
    put(self, text, strlen(text));
}

/* Tokens. */

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t directive_size(const char *at)
{
    const char *end = at;
    while (*end != '\0' && *end != '\n')
        end += end[0] == '\\' && end[1] == '\n' ? 2 : 1;
    return (size_t)(end - at);
}

/* #define NAME(A, B), of a macro with parameters. */
static size_t macro_head_size(const char *at)
{
    return strcspn(at, ")") + 1;
}

/* Whether the directive is a macro whose body is read like a program's text: functions, as those of clprim/device/, which
 * end with a block; or an element, PACKET_AT(p, i) ((p)[i]). */
static bool is_read(const char *at)
{
    const char *end = at + directive_size(at);
    const char *name = at + strlen("#define ");
    const char *open = name + strcspn(name, "( \n");
    if (strncmp(at, "#define ", strlen("#define ")) != 0 || *open != '(')
        return false;
    const char *body = at + macro_head_size(at);
    const bool is_element = strncmp(open - 3, "_AT", 3) == 0 && strncmp(end - 2, "])", 2) == 0;
    return is_element || (end > body && end[-1] == '}' && strncmp(body, " do", 3) != 0);
}

static size_t blank_size(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? (size_t)(end + 2 - at) : strlen(at);
    }
    size_t size = strspn(at, " \t\r\n");
    while (strncmp(at + size, "\\\n", 2) == 0) /* in a macro */
        size += 2 + strspn(at + size + 2, " \t");
    return size;
}

/* A macro pastes names together: A##_b is one. */
static size_t name_size(const char *at)
{
    size_t size = 0;
    for (;;) {
        while (is_name_character(at[size]))
            size++;
        if (strncmp(at + size, "##", 2) != 0)
            return size;
        size += 2;
    }
}

static size_t other_size(const char *at)
{
    static const char *const operators[] = {"<<=", ">>=", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
                                            "|=",  "^=",  "==", "<=", ">=", "!=", "<<", ">>", "&&", "||"};
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end != '\0' && *end != *at)
            end += *end == '\\' && end[1] != '\0' ? 2 : 1;
        return (size_t)(end - at) + (*end != '\0');
    }
    if (isdigit((unsigned char)*at)) {
        size_t size = 1;
        while (is_name_character(at[size]) || at[size] == '.')
            size++;
        return size;
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(at, operators[i], strlen(operators[i])) == 0)
            return strlen(operators[i]);
    return 1;
}

static void add_token(instrumenter *self, token one)
{
    self->tokens = grown(self, self->tokens, &self->capacity, self->count + 1, sizeof *self->tokens);
    if (!self->failed)
        self->tokens[self->count++] = one;
}

static void divide(instrumenter *self, const char *text)
{
    size_t line = 1;
    bool begins_line = true;
    for (const char *at = text; *at != '\0' && !self->failed;) {
        token one = {.begin = at, .line = line};
        if ((one.size = blank_size(at)) > 0) {
            one.kind = TOKEN_BLANK;
        } else if (*at == '#' && begins_line) {
            one.kind = TOKEN_DIRECTIVE;
            one.size = is_read(at) ? macro_head_size(at) : directive_size(at);
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            one.kind = TOKEN_NAME;
            one.size = name_size(at);
        } else {
            one.kind = TOKEN_OTHER;
            one.size = other_size(at);
        }
        for (size_t i = 0; i < one.size; i++) {
            line += at[i] == '\n';
            begins_line = at[i] == '\n' || (begins_line && one.kind == TOKEN_BLANK);
        }
        if (one.kind == TOKEN_DIRECTIVE && sscanf(at, "#line %zu", &line) == 1)
            line--; /* of the next line; its end counts, too */
        add_token(self, one);
        at += one.size;
    }
}

static bool is(const instrumenter *self, size_t i, const char *text)
{
    return i < self->count && self->tokens[i].size == strlen(text) &&
           memcmp(self->tokens[i].begin, text, self->tokens[i].size) == 0;
}

static bool is_one_of(const instrumenter *self, size_t i, const char *const *texts)
{
    for (; *texts != NULL; texts++)
        if (is(self, i, *texts))
            return true;
    return false;
}

static bool is_blank(const instrumenter *self, size_t i)
{
    return self->tokens[i].kind <= TOKEN_DIRECTIVE;
}

/* The first token from i on that is no blank; self->count: none. */
static size_t skip(const instrumenter *self, size_t i)
{
    while (i < self->count && is_blank(self, i))
        i++;
    return i;
}

/* The last one before i that is no blank; self->count: none. */
static size_t before(const instrumenter *self, size_t i)
{
    while (i > 0)
        if (!is_blank(self, --i))
            return i;
    return self->count;
}

static void find_partners(instrumenter *self)
{
    size_t *open = malloc((self->count + 1) * sizeof *open);
    size_t depth = 0;
    self->failed = self->failed || open == NULL;
    for (size_t i = 0; i < self->count && !self->failed; i++) {
        if (is(self, i, "(") || is(self, i, "["))
            open[depth++] = i;
        else if ((is(self, i, ")") || is(self, i, "]")) && depth > 0)
            self->tokens[open[--depth]].partner = i;
        else if (is(self, i, "{") || is(self, i, "}"))
            depth = depth > 0 && is(self, open[depth - 1], "(") ? depth : 0;
    }
    free(open);
}

/* Sites. */

/* The text of tokens begin .. end - 1, on one line, without comments. */
static char *text_of(instrumenter *self, size_t begin, size_t end)
{
    size_t size = 1;
    for (size_t i = begin; i < end; i++)
        size += self->tokens[i].size;
    char *text = malloc(size);
    size_t at = 0;
    self->failed = self->failed || text == NULL;
    for (size_t i = begin; i < end && text != NULL; i++) {
        const token *one = &self->tokens[i];
        if (one->kind == TOKEN_BLANK && at > 0 && text[at - 1] != ' ' && i + 1 < end)
            text[at++] = ' ';
        if (one->kind > TOKEN_DIRECTIVE) {
            memcpy(text + at, one->begin, one->size);
            at += one->size;
        }
    }
    if (text != NULL)
        text[at] = '\0';
    return text;
}

/* Add a site at a token; index: its text is that of these tokens. */
static unsigned add_site(instrumenter *self, site_kind kind, size_t at, char *array, char *index)
{
    site_list *list = self->sites;
    list->sites = grown(self, list->sites, &list->capacity, list->count + 1, sizeof *list->sites);
    const size_t file_size = strlen(self->file) + 1;
    char *file = malloc(file_size);
    self->failed = self->failed || file == NULL || array == NULL || index == NULL;
    if (self->failed) {
        free(file);
        free(array);
        free(index);
        return 0;
    }
    memcpy(file, self->file, file_size);
    list->sites[list->count] = (site){kind, file, self->tokens[at].line, array, index};
    return (unsigned)list->count++;
}

/* Of ((__global T *)name), the name. */
static unsigned add_access_site(instrumenter *self, site_kind kind, size_t array, size_t array_end, size_t index,
                                size_t index_end)
{
    const size_t close = before(self, array_end);
    const size_t name = close < self->count ? before(self, close) : self->count;
    const size_t cast = name < self->count ? before(self, name) : self->count;
    const bool is_cast = is(self, array, "(") && is(self, close, ")") && cast < self->count && is(self, cast, ")") &&
                         self->tokens[name].kind == TOKEN_NAME && cast > array;
    return add_site(self, kind, array, text_of(self, is_cast ? name : array, is_cast ? close : array_end),
                    text_of(self, index, index_end));
}

void site_list_clear(site_list *self)
{
    for (size_t i = 0; i < self->count; i++) {
        free(self->sites[i].file);
        free(self->sites[i].array);
        free(self->sites[i].index);
    }
    free(self->sites);
    *self = (site_list){0};
}

static void put_format(instrumenter *self, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(self, text);
}

/* Expressions. */

static const char *const words[] = {"return", "else",   "do",     "case", "if", "for",
                                    "while",  "switch", "sizeof", "goto", NULL};
static const char *const assignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>=", NULL};

/* An expression with a subscript: array[index]rest. */
typedef struct subscript {
    size_t open; /* the last [ ; 0: there is none */
    size_t end;  /* behind the expression */
} subscript;

/* The longest expression of a name or parentheses, calls, members and subscripts that begins at i. */
static subscript subscript_at(const instrumenter *self, size_t i)
{
    subscript found = {.end = i + 1};
    const bool is_name = self->tokens[i].kind == TOKEN_NAME;
    if (!is_name)
        found.end = self->tokens[i].partner + 1;
    for (;;) {
        const size_t next = skip(self, found.end);
        if (is(self, next, "[") && self->tokens[next].partner != 0) {
            found.open = next;
            found.end = self->tokens[next].partner + 1;
        } else if (is(self, next, ".") || is(self, next, "->")) {
            found.end = skip(self, next + 1) + 1;
        } else if (is(self, next, "(") && is_name && found.open == 0 && self->tokens[next].partner != 0) {
            found.end = self->tokens[next].partner + 1;
        } else {
            return found;
        }
    }
}

/* Whether a line ends among the blanks before the token at i. */
static bool begins_line(const instrumenter *self, size_t i)
{
    for (; i > 0 && is_blank(self, i - 1); i--)
        if (memchr(self->tokens[i - 1].begin, '\n', self->tokens[i - 1].size) != NULL)
            return true;
    return false;
}

/* Whether the name at i is being declared: a type comes before it. */
static bool is_declared(const instrumenter *self, size_t i)
{
    const size_t last = before(self, i);
    return last < self->count && !begins_line(self, i) && self->tokens[last].kind == TOKEN_NAME &&
           !is_one_of(self, last, words);
}

static void put_tokens(instrumenter *self, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        put(self, self->tokens[i].begin, self->tokens[i].size);
}

static void put_expression(instrumenter *self, size_t begin, size_t end);

/* Begin a block in which clprim__b is where the array begins, and clprim__k the index. */
static void put_place(instrumenter *self, size_t array, size_t array_end, size_t index, size_t index_end)
{
    put_text(self, "{ __typeof__(&(");
    put_tokens(self, array, array_end);
    put_text(self, ")[0]) clprim__b = &(");
    put_tokens(self, array, array_end);
    put_text(self, ")[0]; const ulong clprim__k = (ulong)(");
    put_expression(self, index, index_end);
    put_text(self, "); ");
}

static void put_note(instrumenter *self, unsigned number)
{
    put_format(self, "clprim__note(%uu, clprim__b + clprim__k, (uint)sizeof *clprim__b, (uint)clprim__k); ", number);
}

static void put_access(instrumenter *self, site_kind kind, size_t array, size_t array_end, size_t index,
                       size_t index_end)
{
    const unsigned number = add_access_site(self, kind, array, array_end, index, index_end);
    put_text(self, kind == SITE_READ ? "(*(" : "(");
    put_place(self, array, array_end, index, index_end);
    put_note(self, number);
    put_text(self, kind == SITE_READ ? "clprim__b + clprim__k; }))" : "clprim__b + clprim__k; })");
}

/* Begin a block in which clprim__b is a pointer; its index is not known. */
static void put_pointer(instrumenter *self, size_t begin, size_t end)
{
    put_text(self, "{ __typeof__(&(");
    put_tokens(self, begin, end);
    put_text(self, ")[0]) clprim__b = ");
    put_expression(self, begin, end);
    put_text(self, "; const ulong clprim__k = 0; ");
}

static unsigned add_pointer_site(instrumenter *self, site_kind kind, size_t begin, size_t end)
{
    return add_site(self, kind, begin, text_of(self, begin, end), calloc(1, 1));
}

/* The first token with this text within parentheses that begin before `begin`, outside of further ones; else `end`. */
static size_t find(const instrumenter *self, size_t begin, size_t end, const char *text)
{
    for (size_t i = begin; i < end; i++) {
        if (is(self, i, text))
            return i;
        if (self->tokens[i].partner != 0)
            i = self->tokens[i].partner;
    }
    return end;
}

/* An atomic function's call: its first argument is `array + index`, or any other pointer. Returns where to go on. */
static size_t put_atomic(instrumenter *self, size_t open)
{
    const size_t close = self->tokens[open].partner;
    const size_t comma = find(self, open + 1, close, ",");
    const size_t plus = find(self, open + 1, comma, "+");
    put_tokens(self, open, open + 1);
    if (plus < comma) {
        put_access(self, SITE_UPDATE, open + 1, plus, plus + 1, comma);
        return comma;
    }
    put_text(self, "(");
    put_pointer(self, open + 1, comma);
    put_note(self, add_pointer_site(self, SITE_UPDATE, open + 1, comma));
    put_text(self, "clprim__b; })");
    return comma;
}

static bool is_atomic(const instrumenter *self, size_t i)
{
    const token *one = &self->tokens[i];
    return (one->size > 7 && memcmp(one->begin, "atomic_", 7) == 0) ||
           (one->size > 5 && memcmp(one->begin, "atom_", 5) == 0);
}

/* Whether the * at i reads through a pointer: no operand comes before it. */
static bool is_dereference(const instrumenter *self, size_t i)
{
    static const char *const ends[] = {")", "]", "}", NULL};
    const size_t last = before(self, i);
    if (!is(self, i, "*") || last == self->count || is_one_of(self, last, ends))
        return false;
    return self->tokens[last].kind == TOKEN_NAME ? is_one_of(self, last, words)
                                                 : !isdigit((unsigned char)*self->tokens[last].begin);
}

/* *pointer, where it is read. Returns where to go on. */
static size_t put_dereference(instrumenter *self, size_t i)
{
    const size_t pointer = skip(self, i + 1);
    const size_t end = subscript_at(self, pointer).end;
    put_text(self, "(*(");
    put_pointer(self, pointer, end);
    put_note(self, add_pointer_site(self, SITE_READ, pointer, end));
    put_text(self, "clprim__b; }))");
    return end;
}

/* The token at i with what belongs to it. Returns where to go on. */
static size_t put_primary(instrumenter *self, size_t i)
{
    const bool is_name = self->tokens[i].kind == TOKEN_NAME;
    const size_t next = skip(self, i + 1);
    const bool is_call = is_name && is(self, next, "(") && self->tokens[next].partner != 0;
    if (is_call && is(self, i, "ELEMENT_AT")) {
        const size_t close = self->tokens[next].partner;
        const size_t comma = find(self, next + 1, close, ",");
        put_access(self, SITE_READ, next + 1, comma, comma + 1, close);
        return close + 1;
    }
    if (is_call && is_atomic(self, i)) {
        put_tokens(self, i, next);
        return put_atomic(self, next);
    }
    if (is_dereference(self, i) && next < self->count && self->tokens[next].kind == TOKEN_NAME)
        return put_dereference(self, i);
    if (is_name ? !is_one_of(self, i, words) : is(self, i, "(") && self->tokens[i].partner != 0) {
        const subscript found = subscript_at(self, i);
        if (found.open != 0 && is_name && is_declared(self, i)) {
            put_tokens(self, i, found.end);
            return found.end;
        }
        if (found.open != 0) {
            const size_t close = self->tokens[found.open].partner;
            put_access(self, SITE_READ, i, found.open, found.open + 1, close);
            put_expression(self, close + 1, found.end);
            return found.end;
        }
    }
    put_tokens(self, i, i + 1);
    return i + 1;
}

static void put_expression(instrumenter *self, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && !self->failed;) {
        if (is_blank(self, i)) {
            put_tokens(self, i, i + 1);
            i++;
        } else {
            i = put_primary(self, i);
        }
    }
}

/* Statements. */

/* The statement's ; or the } of the block around it, which has no ; before. */
static size_t statement_end(const instrumenter *self, size_t i)
{
    size_t depth = 0;
    for (; i < self->count; i++) {
        if ((is(self, i, ";") || is(self, i, "}")) && depth == 0)
            break;
        depth += is(self, i, "{");
        depth -= is(self, i, "}");
        if (self->tokens[i].partner != 0)
            i = self->tokens[i].partner;
    }
    return i;
}

/* array[index]rest op expression; */
static size_t put_store(instrumenter *self, size_t i, subscript left, size_t operator)
{
    const size_t close = self->tokens[left.open].partner;
    const size_t end = statement_end(self, i);
    const bool is_plain = is(self, operator, "=");
    put_place(self, i, left.open, left.open + 1, close);
    if (!is_plain)
        put_note(self, add_access_site(self, SITE_READ, i, left.open, left.open + 1, close));
    put_text(self, "clprim__b[clprim__k]");
    put_tokens(self, close + 1, operator+ 1);
    put_expression(self, operator+ 1, end);
    put_text(self, "; ");
    put_note(self, add_access_site(self, SITE_WRITE, i, left.open, left.open + 1, close));
    put_text(self, "}");
    return end + 1;
}

/* *pointer = expression; */
static size_t put_store_through(instrumenter *self, size_t pointer, size_t pointer_end, size_t operator)
{
    const size_t end = statement_end(self, pointer);
    put_pointer(self, pointer, pointer_end);
    put_text(self, "*clprim__b = ");
    put_expression(self, operator+ 1, end);
    put_text(self, "; ");
    put_note(self, add_pointer_site(self, SITE_WRITE, pointer, pointer_end));
    put_text(self, "}");
    return end + 1;
}

static size_t put_barrier(instrumenter *self, size_t i)
{
    const size_t end = statement_end(self, i);
    put_format(self, "{ clprim__mark(%uu); ", add_pointer_site(self, SITE_BARRIER, i, i + 1));
    put_tokens(self, i, end + 1);
    put_text(self, " }");
    return end + 1;
}

/* Where a macro at i ends that is a statement without a ; of its own, such as SEGMENTS_HERE; 0: there is none. */
static size_t macro_end(const instrumenter *self, size_t i)
{
    for (size_t k = 0; k < self->tokens[i].size; k++)
        if (islower((unsigned char)self->tokens[i].begin[k]))
            return 0;
    const size_t open = skip(self, i + 1);
    const size_t end = is(self, open, "(") && self->tokens[open].partner != 0 ? self->tokens[open].partner + 1 : i + 1;
    const size_t next = skip(self, end);
    return next < self->count && self->tokens[next].kind == TOKEN_NAME && begins_line(self, next) ? end : 0;
}

/* The statement at i, or its beginning, behind which another one begins. Returns where to go on. */
static size_t put_statement(instrumenter *self, size_t i)
{
    static const char *const with_head[] = {"if", "for", "while", "switch", NULL};
    static const char *const single[] = {"else", "do", "{", "}", ";", NULL};
    const size_t next = skip(self, i + 1);
    if (is_one_of(self, i, single)) {
        put_tokens(self, i, i + 1);
        return i + 1;
    }
    if (is_one_of(self, i, with_head) && is(self, next, "(") && self->tokens[next].partner != 0) {
        put_tokens(self, i, next + 1);
        put_expression(self, next + 1, self->tokens[next].partner);
        put_text(self, ")");
        return self->tokens[next].partner + 1;
    }
    if (is(self, i, "barrier") && is(self, next, "("))
        return put_barrier(self, i);
    if (self->tokens[i].kind == TOKEN_NAME && macro_end(self, i) > 0) {
        const size_t end = macro_end(self, i);
        put_expression(self, i, end);
        return end;
    }
    if (is(self, i, "*") && next < self->count && self->tokens[next].kind == TOKEN_NAME) {
        const size_t end = subscript_at(self, next).end;
        if (is(self, skip(self, end), "="))
            return put_store_through(self, next, end, skip(self, end));
    }
    if (self->tokens[i].kind == TOKEN_NAME || (is(self, i, "(") && self->tokens[i].partner != 0)) {
        const subscript left = subscript_at(self, i);
        const size_t operator= skip(self, left.end);
        if (left.open != 0 && is_one_of(self, operator, assignments) && !is_declared(self, i))
            return put_store(self, i, left, operator);
    }
    const size_t end = statement_end(self, i);
    const size_t behind = is(self, end, ";") ? end + 1 : end;
    put_expression(self, i, end);
    put_tokens(self, end, behind);
    return behind;
}

/* Outside of functions. */

/* Follow a directive: which file the next lines are of, and how deep blocks are in a conditional's next branch. */
static void follow(instrumenter *self, size_t i, size_t *depth, size_t *depths, size_t *conditionals)
{
    enum { MOST = 64 };
    const char *at = self->tokens[i].begin + 1;
    at += strspn(at, " \t");
    size_t line = 0;
    if (sscanf(at, "line %zu \"%255[^\"]\"", &line, self->file) == 2)
        return;
    if (strncmp(at, "if", 2) == 0 && *conditionals < MOST)
        depths[(*conditionals)++] = *depth;
    else if (strncmp(at, "el", 2) == 0 && *conditionals > 0)
        *depth = depths[*conditionals - 1];
    else if (strncmp(at, "endif", 5) == 0 && *conditionals > 0)
        (*conditionals)--;
}

/* The name of the function whose block begins at `open`; self->count: it is no function. */
static size_t function_name(const instrumenter *self, size_t open)
{
    const size_t close = before(self, open);
    if (!is(self, close, ")"))
        return self->count;
    for (size_t i = close; i > 0; i--)
        if (is(self, i, "(") && self->tokens[i].partner == close) {
            const size_t name = before(self, i);
            return name < self->count && self->tokens[name].kind == TOKEN_NAME ? name : self->count;
        }
    return self->count;
}

static void put_program(instrumenter *self)
{
    size_t depth = 0;
    size_t depths[64];
    size_t conditionals = 0;
    bool is_kernel = false;
    for (size_t i = 0; i < self->count && !self->failed;) {
        if (self->tokens[i].kind == TOKEN_DIRECTIVE)
            follow(self, i, &depth, depths, &conditionals);
        if (is_blank(self, i)) {
            put_tokens(self, i, i + 1);
            i++;
            const size_t body = i < self->count && self->tokens[i - 1].kind == TOKEN_DIRECTIVE ? skip(self, i) : i;
            if (body < self->count && self->tokens[body].line == self->tokens[i - 1].line &&
                self->tokens[body].partner != 0) { /* of an element's macro */
                put_expression(self, i, self->tokens[body].partner + 1);
                i = self->tokens[body].partner + 1;
            }
            continue;
        }
        const size_t depth_here = depth;
        depth += is(self, i, "{");
        depth -= is(self, i, "}") && depth > 0;
        is_kernel = is_kernel || is(self, i, "__kernel");
        if (depth_here > 0 && depth > 0) {
            i = put_statement(self, i);
            continue;
        }
        put_tokens(self, i, i + 1);
        const size_t name = depth_here == 0 && depth == 1 ? function_name(self, i) : self->count;
        if (name < self->count && is_kernel) {
            put_format(self, " clprim__mark(%uu);", add_pointer_site(self, SITE_BEGIN, name, name + 1));
        }
        is_kernel = is_kernel && !is(self, i, "{") && !is(self, i, ";");
        i++;
    }
}

/* A plan's numbers, which the library has passed to all functions and will pass again: take them out. */
static char *without_numbers(const char *text)
{
    static const char *const passed[] = {"PARAMETERS", "PASSED"};
    char *made = calloc(strlen(text) + 1, 1);
    char *to = made;
    for (const char *at = text; made != NULL && *at != '\0';) {
        size_t size = 0;
        for (size_t i = 0; i < 2 && *at == '('; i++)
            if (strncmp(at + 1, passed[i], strlen(passed[i])) == 0 && !is_name_character(at[1 + strlen(passed[i])]))
                size = strlen(passed[i]);
        *to++ = *at++;
        at += size;
        if (size > 0 && *at == ',')
            at += 1 + strspn(at + 1, " ");
    }
    if (made != NULL)
        *to = '\0';
    return made;
}

bool instrument(char **out, site_list *sites, const char *program)
{
    instrumenter self = {.sites = sites};
    char *text = without_numbers(program);
    self.failed = text == NULL;
    divide(&self, self.failed ? "" : text);
    find_partners(&self);
    put_text(&self, PROLOGUE);
    put_program(&self);
    free(self.tokens);
    free(text);
    if (self.failed) {
        free(self.out);
        return false;
    }
    *out = self.out;
    return true;
}
