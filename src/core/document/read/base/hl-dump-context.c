/* SPDX-License-Identifier: MIT */
/* What the functions that read one example of a dump share: where it is, what was odd about it, and its tensors by their
 * names, of weights and of what weights follow from. */
#include "core/document/read/base/hl-dump-context.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/document/read/base/hl-dump-steps.h"

/* What names of each kind of attention begin with, where a model has several. */
static const char *const prefixes[HL_N_ATTENTION_KINDS] = {
  [HL_ATTENTION_ENCODER] = "encoder_",
  [HL_ATTENTION_DECODER] = "decoder_",
  [HL_ATTENTION_CROSS] = "cross_",
};

/* Returns the name as it is for the kind of attention that is read; it stays. */
const char *
hl_dump_context_get_name (const HlDumpContext *self,
                          const char          *name)
{
  if (self->prefix == NULL)
    return name;
  g_autofree char *whole = g_strconcat (self->prefix, name, NULL);
  return g_intern_string (whole);
}

/* Returns what names of that kind begin with, perhaps nothing. */
const char *
hl_dump_get_prefix (HlAttentionKind kind)
{
  return prefixes[kind] != NULL ? prefixes[kind] : "";
}

HlDumpContext
hl_dump_context_of_kind (const HlDumpContext *self,
                         HlAttentionKind      kind)
{
  HlDumpContext own = *self;

  own.prefix = prefixes[kind];
  return own;
}

char *
hl_dump_context_get_path (const HlDumpContext *self,
                          const char          *name)
{
  const char *own = hl_dump_context_get_name (self, name);
  char *elsewhere =
    self->layout != NULL ? hl_layout_get_path (self->layout, own, self->step, self->batch, self->archive) : NULL;

  if (elsewhere != NULL)
    return elsewhere;
  return hl_archive_join (self->group, own);
}

HlMemberKind
hl_dump_context_get_kind (const HlDumpContext *self,
                          const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (self, name);

  return hl_archive_get_kind (self->archive, path);
}

/* Notes something odd. A sentence that is there already is not said twice: attentions share their tokens and
 * attributes. */
void
hl_dump_context_add_check (const HlDumpContext *self,
                           HlSeverity           severity,
                           const char          *format,
                           ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  hl_utf8_flatten (message);
  for (guint i = 0; i < self->checks->len; i++)
    if (g_str_equal (hl_check_get_message (g_ptr_array_index (self->checks, i)), message))
      return;
  g_ptr_array_add (self->checks, hl_check_new (severity, "%s", message));
}

/* What is of the model stands with the example, or once for all of them. */
HlDumpContext
hl_dump_context_of_model (const HlDumpContext *self,
                          const char          *name)
{
  HlDumpContext found = *self;

  if (hl_dump_context_get_kind (self, name) == HL_MEMBER_NONE)
    found.group = "";
  return found;
}

/* Takes the reason and says what is wrong, unless somebody stopped it; the caller leaves out what it was about. */
gboolean
hl_dump_context_leave_out (const HlDumpContext *self,
                           GError              *reason,
                           GError             **error)
{
  g_autoptr (GError) owned = reason;

  if (g_error_matches (owned, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&owned));
      return FALSE;
    }
  hl_dump_context_add_check (self, HL_SEVERITY_WARNING, _ ("%s; it is left out"), owned->message);
  return TRUE;
}

/* The two names of the weights of each kind of attention. */
static const char *const weight_names[][2] = {
  [HL_ATTENTION_SELF] = { "attention", "attentions" },
  [HL_ATTENTION_ENCODER] = { "encoder_attention", "encoder_attentions" },
  [HL_ATTENTION_DECODER] = { "decoder_attention", "decoder_attentions" },
  [HL_ATTENTION_CROSS] = { "cross_attention", "cross_attentions" },
};

/* Members that are named when nothing was found. */
#define MAX_NAMED 5

/* Opens the maps of that name, if there are any. */
gboolean
hl_dump_open_maps (const HlDumpContext *context,
                   const char          *name,
                   HlDumpMapsKind       kind,
                   HlDumpMaps          *maps,
                   GError             **error)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);

  return hl_archive_get_kind (context->archive, path) == HL_MEMBER_NONE ||
         hl_dump_maps_open (maps, context->archive, path, kind, context->cancellable, error);
}

static gboolean
open_attention (const HlDumpContext     *context,
                const HlLayoutAttention *attention,
                HlDumpMaps              *weights,
                GError                 **error)
{
  if (attention->n_steps == 0)
    return hl_dump_maps_open_layout (weights, context->archive, attention, context->cancellable, error);
  /* Kinds of attention that do not have the same steps cannot be shown together. */
  if (attention->n_steps != hl_layout_get_n_steps (context->layout) ||
      attention->is_generation != hl_layout_is_generation (context->layout))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” is one of %u steps or examples, and other attention is not of the same"),
                   attention->paths[0], attention->n_steps);
      return FALSE;
    }
  if (attention->is_generation)
    return hl_dump_steps_open (weights, context->archive, attention, context->step, context->cancellable, error);

  /* An example of a list is read as if there were no others. */
  const guint n_paths = hl_layout_attention_get_per_step (attention);
  HlLayoutAttention example = hl_layout_attention_get_step (attention, (guint) context->step);
  char **paths = g_new0 (char *, n_paths + 1);
  for (guint i = 0; i < n_paths; i++)
    paths[i] = example.paths[i];
  example.paths = paths;
  const gboolean opened = hl_dump_maps_open_layout (weights, context->archive, &example, context->cancellable, error);
  g_free (example.paths);
  return opened;
}

/* Opens the weights of that kind, if there are any. */
gboolean
hl_dump_open_weights (const HlDumpContext *context,
                      HlAttentionKind      kind,
                      HlDumpMaps          *weights,
                      GError             **error)
{
  const char *const *names = weight_names[kind];

  if (context->layout != NULL)
    {
      const HlLayoutAttention *attention = hl_layout_find_attention (context->layout, kind);
      return attention == NULL || open_attention (context, attention, weights, error);
    }
  const gboolean has_alias = hl_dump_context_get_kind (context, names[1]) != HL_MEMBER_NONE;

  if (has_alias && hl_dump_context_get_kind (context, names[0]) != HL_MEMBER_NONE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” and “%s” are both there; only one of them can be meant"),
                   names[0], names[1]);
      return FALSE;
    }
  return hl_dump_open_maps (context, names[has_alias], HL_DUMP_MAPS_WEIGHTS, weights, error);
}

const char *
hl_dump_find_weights (const HlDumpContext *context,
                      HlAttentionKind      kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (weight_names[kind]); i++)
    if (hl_dump_context_get_kind (context, weight_names[kind][i]) != HL_MEMBER_NONE)
      return weight_names[kind][i];
  return NULL;
}

/* A tensor of the size that attention has, but of whole numbers or truth values: its type, or -1. */
static int
get_other_type (const HlDumpContext *context,
                const char          *name)
{
  g_autofree char *path = hl_dump_context_get_path (context, name);
  g_autoptr (HlTensor) tensor = hl_archive_get_kind (context->archive, path) == HL_MEMBER_TENSOR
                                  ? hl_archive_open_tensor (context->archive, path, NULL)
                                  : NULL;

  if (tensor == NULL || hl_tensor_get_shape (tensor)->rank < 2 || hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    return -1;
  return (int) hl_tensor_get_dtype (tensor);
}

/* Makes the sentence that says that attention is missing. */
void
hl_dump_set_nothing_found (const HlDumpContext *context,
                           GError             **error)
{
  g_auto (GStrv) names = hl_archive_list (context->archive, context->group, error);
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0, n_other = 0;

  if (names == NULL)
    return;
  for (; names[n] != NULL && n < MAX_NAMED; n++)
    {
      g_autofree char *start = hl_utf8_shorten (names[n], 60);
      const int type = get_other_type (context, names[n]);
      g_string_append_printf (list, "%s“%s”", n > 0 ? ", " : "", start);
      if (type < 0)
        continue;
      n_other++;
      g_string_append_printf (list, " (%s)", hl_dtype_get_name ((HlDType) type));
      if (n == 0 && names[1] == NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_DTYPE,
                       _ ("“%s” holds numbers of type %s; float16, bfloat16, float32 or float64 is needed"), start,
                       hl_dtype_get_name ((HlDType) type));
          return;
        }
    }
  if (names[n] != NULL)
    g_string_append (list, ", …");
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               n_other == 0 ? _ ("there is no “attention” in %s, nor “queries” and “keys”; there is %s")
                            : _ ("there is no “attention” in %s of type float16, bfloat16, float32 or float64, "
                                 "nor “queries” and “keys”; there is %s"),
               *context->group != '\0' ? context->group : _ ("the file"), n > 0 ? list->str : _ ("nothing"));
}

/* Whether there are queries or keys of any kind of attention. */
gboolean
hl_dump_has_projections (char **members)
{
  static const char *const names[] = { "queries", "keys" };

  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      {
        g_autofree char *name = g_strconcat (hl_dump_get_prefix (kind), names[i], NULL);
        if (g_strv_contains ((const char *const *) members, name))
          return TRUE;
      }
  return FALSE;
}

gboolean
hl_dump_has_weights (char **members)
{
  const char *const *names = (const char *const *) members;

  for (guint i = 0; i < G_N_ELEMENTS (weight_names); i++)
    if (g_strv_contains (names, weight_names[i][0]) || g_strv_contains (names, weight_names[i][1]))
      return TRUE;
  return FALSE;
}

const char *
hl_dump_get_weights_name (HlAttentionKind kind)
{
  return weight_names[kind][0];
}
