// SPDX-License-Identifier: MIT
/* input_packets.c: compute several elements from an expression at a time, with loads of up to 16 bytes.
 *
 * A copy of the expression becomes a function in which each `x[i]` is replaced by a parameter. One load reads several
 * elements of the array, and the function is called with each of them. Compilers cannot do this by themselves, because
 * they do not know that arrays are aligned to 16 bytes. */
#include "input_packets.h"

#include <stdio.h>
#include <string.h>

#include "element_types.h"
#include "expression.h"
#include "names.h"
#include "tokens.h"

enum { PACKET_BYTES = 16, NAME_SIZE = 64, MAX_EXPRESSIONS = 8 };

/* The parameters that are read at i, one bit each, and the expression with names instead of their elements. */
typedef struct rewriting {
    const clprim__prelude *prelude;
    clprim__text text;
    unsigned always;     /* arrays that the expression reads whatever the values are, so no additional reads are
                          * introduced */
    bool is_conditional; /* the rest of the expression is evaluated only for some values */
    bool is_other;       /* the next word is a member's name, or its address may be taken */
    bool is_refused;     /* parts of the expression may not be evaluated at all */
} rewriting;

/* The index of the array with a built-in element type that has this name; -1: there is none. */
static int array_named(const clprim__prelude *prelude, const clprim__token *word)
{
    for (size_t i = 0; i < prelude->num_parameters; i++) {
        const clprim_parameter *p = &prelude->parameters[i];
        if (p->is_array && p->type_name == NULL && p->type != CLPRIM_F16 && clprim__is_word(word, p->name))
            return (int)i;
    }
    return -1;
}

/* Rewrite a word, or all tokens of `x[i]`. */
static void rewrite_word(rewriting *self, const clprim__token *word, clprim__tokens *tokens)
{
    clprim__tokens ahead = *tokens;
    const int array = self->is_other ? -1 : array_named(self->prelude, word);
    self->is_refused = self->is_refused || clprim__is_word(word, "sizeof") || clprim__is_word(word, "vec_step");
    if (array >= 0 && clprim__reads_at_i(&ahead)) {
        const unsigned bit = 1U << array;
        self->always |= self->is_conditional ? 0 : bit;
        if ((self->always & bit) != 0) {
            clprim__text_format(&self->text, CLPRIM__RESERVED "at_%d", array);
            *tokens = ahead;
            return;
        }
    }
    clprim__text_append(&self->text, word->text, word->size);
}

/* Whether the token ends an operand, so that an & after it is a binary operator. A closing parenthesis does not count:
 * it may end a cast. */
static bool ends_operand(const clprim__token *token)
{
    return token->kind == CLPRIM__WORD || clprim__is_char(token, ']') ||
           (token->size > 0 && clprim__is_digit(*token->text));
}

static void rewrite(rewriting *self, const char *input)
{
    clprim__tokens tokens = {.at = input, .end = input + strlen(input)};
    clprim__token before = {.kind = CLPRIM__OTHER, .text = "", .size = 0};
    for (clprim__token token; clprim__next_token(&token, &tokens);) {
        if (token.kind == CLPRIM__WORD)
            rewrite_word(self, &token, &tokens);
        else
            clprim__text_append(&self->text, token.text, token.size);
        if (token.kind == CLPRIM__SPACE)
            continue;
        self->is_refused = self->is_refused || clprim__is_char(&token, '#');
        self->is_conditional = self->is_conditional || clprim__is_char(&token, '?') ||
                               (clprim__is_char(&before, '&') && clprim__is_char(&token, '&')) ||
                               (clprim__is_char(&before, '|') && clprim__is_char(&token, '|'));
        self->is_other = clprim__is_char(&token, '.') ||
                         (clprim__is_char(&before, '-') && clprim__is_char(&token, '>')) ||
                         (clprim__is_char(&token, '&') && !ends_operand(&before));
        before = token;
    }
}

/* Write the function of the rewritten expression, and the macro that calls it. */
static void write_pick(clprim__prelude *prelude, const rewriting *rewritten, size_t pack, const clprim__packed *from)
{
    char function_name[NAME_SIZE];
    char names[CLPRIM_MAX_PARAMETERS][NAME_SIZE];
    clprim__text *own = &prelude->own;
    size_t count = 1;
    clprim__expression function = {.name = function_name,
                                   .type = clprim__input_type(from->type, from->own_type),
                                   .operands = {{"ulong", "i"}},
                                   .text = rewritten->text.data,
                                   .called = from->name};
    (void)snprintf(function_name, sizeof function_name, "packed_%s", from->name);
    clprim__text_format(own, "#define PICK_%s(l, k, i) (" CLPRIM__RESERVED "callers_packed_%s(i", from->name,
                        from->name);
    for (size_t i = 0; i < prelude->num_parameters; i++) {
        if ((rewritten->always >> i & 1) == 0)
            continue;
        (void)snprintf(names[i], sizeof names[i], CLPRIM__RESERVED "at_%zu", i);
        function.operands[count].type = clprim__type_storage(clprim__parameter_type(&prelude->parameters[i]));
        function.operands[count++].name = names[i];
        clprim__text_format(own, ", INPUT_LANE_%zu((l).array_%zu, k)", pack, i);
    }
    clprim__text_format(own, "))\n");
    clprim__prelude_expression(prelude, &function);
}

static void write_loads(clprim__prelude *prelude, unsigned arrays, size_t pack)
{
    clprim__text *own = &prelude->own;
    clprim__text loads = {0};
    clprim__text_format(own, "typedef struct {");
    for (size_t i = 0; i < prelude->num_parameters; i++) {
        const char *type = clprim__type_storage(clprim__parameter_type(&prelude->parameters[i]));
        if ((arrays >> i & 1) == 0)
            continue;
        clprim__text_format(own, " %s%zu array_%zu;", type, pack, i);
        clprim__text_format(
            &loads,
            "    const __global %s *in_%zu = " CLPRIM__RESERVED "parameter_%zu + " CLPRIM__RESERVED "offset_%zu;\n"
            "    l.array_%zu = is_packed ? ((const __global %s%zu *)in_%zu)[p] : vload%zu(p, in_%zu);\n",
            type, i, i, i, i, type, pack, i, pack, i);
    }
    clprim__text_format(own, " } input_loads;\nstatic inline bool input_is_packed(void)\n{\n    return true");
    for (size_t i = 0; i < prelude->num_parameters; i++)
        if ((arrays >> i & 1) != 0)
            clprim__text_format(own,
                                " && (uintptr_t)(" CLPRIM__RESERVED "parameter_%zu + " CLPRIM__RESERVED
                                "offset_%zu) %% sizeof(%s%zu) == 0",
                                i, i, clprim__type_storage(clprim__parameter_type(&prelude->parameters[i])), pack);
    clprim__text_format(own,
                        ";\n}\nstatic inline input_loads input_load(ulong p, bool is_packed)\n{\n    input_loads l;\n");
    clprim__text_append(own, loads.data, loads.size);
    clprim__text_format(own, "    return l;\n}\n");
    own->failed = own->failed || loads.failed;
    clprim__text_free(&loads);
}

/* How many elements one load reads from the widest of the arrays. The other data of one element must also fit into 16
 * bytes as often. 0: there are no arrays. */
static size_t pack_of(const clprim__prelude *prelude, unsigned arrays, size_t widest)
{
    for (size_t i = 0; i < prelude->num_parameters; i++) {
        const size_t size =
            (arrays >> i & 1) != 0 ? clprim_type_size(clprim__parameter_type(&prelude->parameters[i])) : 0;
        widest = size > widest ? size : widest;
    }
    return arrays != 0 && widest <= PACKET_BYTES ? PACKET_BYTES / widest : 0;
}

static void write_lanes(clprim__text *text, size_t pack)
{
    clprim__text_format(text,
                        "#define INPUT_PACK %zu\n"
                        "#define INPUT_LANE_2(v, k) ((k) == 0 ? (v).lo : (v).hi)\n"
                        "#define INPUT_LANE_4(v, k) ((k) < 2 ? INPUT_LANE_2((v).lo, k) : "
                        "INPUT_LANE_2((v).hi, (k) - 2))\n"
                        "#define INPUT_LANE_8(v, k) ((k) < 4 ? INPUT_LANE_4((v).lo, k) : "
                        "INPUT_LANE_4((v).hi, (k) - 4))\n"
                        "#define INPUT_LANE_16(v, k) ((k) < 8 ? INPUT_LANE_8((v).lo, k) : "
                        "INPUT_LANE_8((v).hi, (k) - 8))\n",
                        pack);
}

size_t clprim__packets_write(clprim__prelude *prelude, const clprim__packed *expressions, size_t count, size_t widest,
                             const char *const sources[2])
{
    rewriting rewritten[MAX_EXPRESSIONS] = {{0}};
    bool is_refused = count > MAX_EXPRESSIONS || prelude->options != NULL || clprim__has_first_index(prelude);
    unsigned arrays = 0;
    for (int i = 0; i < 2; i++)
        is_refused = is_refused || (sources[i] != NULL && strchr(sources[i], '#') != NULL);
    for (size_t k = 0; k < count && !is_refused; k++) {
        rewritten[k].prelude = prelude;
        rewrite(&rewritten[k], expressions[k].text);
        is_refused = rewritten[k].is_refused;
        arrays |= rewritten[k].always;
    }
    const size_t pack = is_refused ? 0 : pack_of(prelude, arrays, widest);
    if (pack > 1) {
        write_lanes(&prelude->own, pack);
        write_loads(prelude, arrays, pack);
        for (size_t k = 0; k < count; k++)
            write_pick(prelude, &rewritten[k], pack, &expressions[k]);
    }
    for (size_t k = 0; k < count && k < MAX_EXPRESSIONS; k++) {
        prelude->own.failed = prelude->own.failed || rewritten[k].text.failed;
        clprim__text_free(&rewritten[k].text);
    }
    return pack > 1 ? pack : 0;
}
