// SPDX-License-Identifier: MIT
/* sum.c: `clprim sum`, `min` and `max`.
 *
 * Integer sums are exact. The device sums each piece in 64 bits, which is enough for integers of up to 32 bits, and the
 * host adds the pieces' sums in 128 bits. For 64-bit integers, the extremes of a piece show whether its sum may not fit
 * 64 bits. If so, the host sums the piece element by element. Sums of floats are computed in double precision if the
 * device has it, in an order that depends only on the number of elements. The sums of the pieces are added with
 * compensation for rounding errors. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "folds.h"
#include "json.h"
#include "number.h"
#include "ranks.h"

typedef struct sum {
    folds folds;
    clprim_type type;
    clprim_type result_type;
    bool is_signed;
    wide whole;        /* for integers */
    double real, rest; /* for floats: the sum, and its accumulated rounding error */
} sum;

static cli_result launch(void *user, stream_slot *slot)
{
    sum *self = user;
    return folds_launch(&self->folds, slot, &slot->done);
}

/* Neumaier's summation. */
static void add_real(sum *self, double value)
{
    const double before = self->real;
    self->real = before + value;
    if (isfinite(self->real))
        self->rest += fabs(before) >= fabs(value) ? (before - self->real) + value : (value - self->real) + before;
}

static cli_result fold(void *user, stream_slot *slot)
{
    sum *self = user;
    const wide nothing = {0, 0};
    const clprim_indexed *results[FOLDS_MOST];
    for (size_t i = 0; i < FOLDS_MOST; i++)
        results[i] = &self->folds.each[i].results[slot->number];
    if (number_is_float(self->type)) {
        add_real(self, number_to_double(self->result_type, results[0]));
    } else if (clprim_type_size(self->type) < 8 ||
               !wide_may_leave(&nothing, self->is_signed, slot->count, number_to_bits(self->type, results[1]),
                               number_to_bits(self->type, results[2]))) {
        wide_add(&self->whole, self->is_signed, number_to_bits(self->result_type, results[0]));
    } else {
        for (size_t i = 0; i < slot->count; i++)
            wide_add(&self->whole, self->is_signed, ((const uint64_t *)slot->host)[i]);
    }
    return CLI_OK;
}

/* Add the sums of all ranks, in the order of the ranks. */
static void add_ranks(sum *self)
{
    const sum mine = *self;
    self->whole = (wide){0, 0};
    self->real = self->rest = 0;
    for (unsigned rank = 0; rank < ranks_size(); rank++) {
        wide whole = mine.whole;
        double real[] = {mine.real, mine.rest};
        ranks_broadcast(rank, &whole, sizeof whole);
        ranks_broadcast(rank, real, sizeof real);
        wide_add_wide(&self->whole, &whole);
        add_real(self, real[0]);
        self->rest += real[1];
    }
}

static clprim_type sum_type(const cli_device *device, clprim_type type)
{
    if (!number_is_float(type))
        return number_is_signed(type) ? CLPRIM_I64 : CLPRIM_U64;
    return type == CLPRIM_F64 || clprim_runtime_info(device->runtime)->has_fp64 ? CLPRIM_F64 : CLPRIM_F32;
}

static cli_result run(sum *self, const cli_device *device, source *from)
{
    self->type = from->type;
    self->is_signed = number_is_signed(from->type);
    self->result_type = sum_type(device, from->type);
    const clprim_reduce_desc descs[] = {{.type = self->type,
                                         .op = CLPRIM_SUM,
                                         .accumulator_type = self->result_type,
                                         .reproducible = number_is_float(self->type)},
                                        {.type = self->type, .op = CLPRIM_MIN},
                                        {.type = self->type, .op = CLPRIM_MAX}};
    const size_t sizes[] = {clprim_type_size(self->result_type), from->size, from->size};
    const bool needs_extremes = !number_is_float(self->type) && from->size == 8;
    const size_t most = cli_device_piece(device, 2 * from->size, from->size);
    const size_t usual = STREAM_PIECE_BYTES / from->size;
    cli_result result = CLI_OK;
    CLI_TRY(folds_begin(&self->folds, device, descs, sizes, needs_extremes ? 3 : 1));
    CLI_TRY(stream_run(device, from, "sum",
                       &(stream_work){.piece = most < usual ? most : usual,
                                      .num_slots = STREAM_MOST_SLOTS,
                                      .launch = launch,
                                      .fold = fold,
                                      .user = self}));
done:
    return result;
}

/* Print one value as text, with its index if that is wanted. */
static void print(const cli_options *options, const source *from, const char *type, const char *value,
                  const uint64_t *index)
{
    json object;
    if (!options->json) {
        printf("%s", value);
        if (index != NULL)
            printf("\t%" PRIu64, *index);
        printf("\n");
        return;
    }
    json_begin(&object);
    json_member_text(&object, "command", options->command);
    json_member_text(&object, "file", options->file);
    json_member_text(&object, "type", source_type_name(from, from->type));
    json_member_count(&object, "count", from->count + from->elsewhere);
    json_member_text(&object, "value_type", type);
    json_member_number(&object, "value", value);
    if (index != NULL)
        json_member_count(&object, "index", *index);
    json_end(&object);
}

cli_result cli_sum(const cli_options *options)
{
    char text[NUMBER_TEXT_SIZE];
    source from;
    cli_device device = {0};
    sum self = {0};
    cli_result result = CLI_OK;
    CLI_TRY(source_open(&from, options));
    CLI_TRY(cli_device_open(&device, options));
    CLI_TRY(ranks_agree(run(&self, &device, &from)));
    add_ranks(&self);
    cli_progress_end();
    if (number_is_float(from.type)) {
        const double value = isfinite(self.real) ? self.real + self.rest : self.real;
        number_text(text, CLPRIM_F64, &value);
        print(options, &from, clprim_type_name(CLPRIM_F64), text, NULL);
        goto done;
    }
    wide_text(text, &self.whole);
    if (options->wide)
        print(options, &from, self.is_signed ? "i128" : "u128", text, NULL);
    else if (wide_fits(&self.whole, self.is_signed))
        print(options, &from, clprim_type_name(self.result_type), text, NULL);
    else
        result = cli_fail(from.name, "the sum is %s, which does not fit the 64 bits of %s; --wide prints it", text,
                          clprim_type_name(self.result_type));
done:
    folds_end(&self.folds);
    cli_device_close(&device);
    source_close(&from);
    return result;
}

static cli_result find_extreme(const cli_options *options, bool is_max)
{
    source from;
    cli_device device = {0};
    clprim_indexed found[2];
    char text[NUMBER_TEXT_SIZE];
    size_t count = 0;
    cli_result result = CLI_OK;
    CLI_TRY(source_open(&from, options));
    if (options->with_index)
        CLI_TRY(ranks_agree(source_needs_order(&from)));
    CLI_TRY(cli_device_open(&device, options));
    CLI_TRY(folds_extremes(&found[0], &found[1], &count, &device, &from, options->nan, false));
    cli_progress_end();
    if (count == 0) {
        result = cli_refuse(from.name, "has no elements, so there is no %s", options->command);
        goto done;
    }
    number_text(text, from.type, &found[is_max].value);
    print(options, &from, source_type_name(&from, from.type), text, options->with_index ? &found[is_max].index : NULL);
done:
    cli_device_close(&device);
    source_close(&from);
    return result;
}

cli_result cli_min(const cli_options *options)
{
    return find_extreme(options, false);
}

cli_result cli_max(const cli_options *options)
{
    return find_extreme(options, true);
}
