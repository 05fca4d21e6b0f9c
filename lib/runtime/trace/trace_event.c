// SPDX-License-Identifier: MIT
/* trace_event.c: the kinds of events in a timeline, in the Trace Event Format. */
#include "trace_event.h"

clprim__text *clprim__trace_event_begin(const clprim__trace_process *self, char kind, size_t track, const char *name)
{
    clprim__text *text = clprim__trace_file_begin(self->file);
    clprim__text_format(text, "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%zu,\"name\":", kind, self->number, track);
    clprim__trace_append_string(text, name);
    return text;
}

void clprim__trace_event_end(const clprim__trace_process *self, clprim__text *text)
{
    clprim__text_append(text, "}", 1);
    clprim__trace_file_end(self->file);
}

static void append_number(clprim__text *text, const char *key, size_t number)
{
    clprim__text_format(text, ",\"%s\":%zu", key, number);
}

void clprim__trace_describe(const clprim__trace_process *self, const char *what, size_t track, const char *name,
                            size_t place)
{
    clprim__text title = {0};
    clprim__text_format(&title, "%s_name", what);
    clprim__text *text = clprim__trace_event_begin(self, 'M', track, title.data != NULL ? title.data : what);
    clprim__text_format(text, ",\"args\":{\"name\":");
    clprim__trace_append_string(text, name);
    clprim__text_append(text, "}", 1);
    clprim__trace_event_end(self, text);
    title.size = 0;
    clprim__text_format(&title, "%s_sort_index", what);
    text = clprim__trace_event_begin(self, 'M', track, title.data != NULL ? title.data : what);
    clprim__text_format(text, ",\"args\":{\"sort_index\":%zu}", place);
    clprim__trace_event_end(self, text);
    clprim__text_free(&title);
}

void clprim__trace_append_facts(clprim__text *text, const clprim__trace_command *command)
{
    if (command->program != NULL) {
        clprim__text_format(text, "\"program\":");
        clprim__trace_append_string(text, command->program);
        append_number(text, "groups", command->groups);
        append_number(text, "group_size", command->group_size);
    } else {
        clprim__text_format(text, "\"bytes\":%zu", command->bytes);
    }
}

void clprim__trace_instant(const clprim__trace_process *self, size_t track, const char *name, long long when,
                           const clprim__trace_command *command, const char *why)
{
    clprim__text *text = clprim__trace_event_begin(self, 'i', track, name);
    clprim__text_format(text, ",\"s\":\"t\"");
    clprim__trace_append_time(text, "ts", when);
    clprim__text_format(text, ",\"args\":{");
    clprim__trace_append_facts(text, command);
    clprim__text_format(text, ",\"no_times\":");
    clprim__trace_append_string(text, why);
    clprim__text_append(text, "}", 1);
    clprim__trace_event_end(self, text);
}

void clprim__trace_arrow(const clprim__trace_process *self, size_t from, long long began, size_t to, long long start)
{
    static unsigned last;
    const unsigned id = __atomic_add_fetch(&last, 1U, __ATOMIC_RELAXED);
    clprim__text *text = clprim__trace_event_begin(self, 's', from, "enqueued");
    clprim__text_format(text, ",\"cat\":\"flow\",\"id\":%u", id);
    clprim__trace_append_time(text, "ts", began);
    clprim__trace_event_end(self, text);
    text = clprim__trace_event_begin(self, 'f', to, "enqueued");
    clprim__text_format(text, ",\"cat\":\"flow\",\"bp\":\"e\",\"id\":%u", id);
    clprim__trace_append_time(text, "ts", start);
    clprim__trace_event_end(self, text);
}
