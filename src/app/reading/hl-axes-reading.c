/* SPDX-License-Identifier: MIT */
/*
 * A file as it would be read under a choice, and how that looks: the document itself, so that what is seen before is
 * what one gets, a picture of its first head, and whether its numbers look like attention. All of it is made in
 * workers.
 */
#include "config.h"

#include "app/reading/hl-axes-reading.h"

#include "core/analysis/hl-examine.h"
#include "core/source/make/hl-dump-source.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n.h>
#include <math.h>

/* Columns are added up only where the whole map is about as much as the rows that are looked at. */
#define MAX_COLUMN_NUMBERS (1u << 20)
/* Of sums of weights that were rounded to float16. */
#define SUM_TOLERANCE 4e-3

struct _HlAxesReading
{
  GObject parent_instance;

  HlDocument *document;
  HlAttention *attention;
  HlThumbnail *thumbnail;
  HlTokenizer *tokenizer;
  char *numbers; /* what was said of them; NULL before they were examined */
  gboolean look_like_scores;
};

G_DEFINE_FINAL_TYPE (HlAxesReading, hl_axes_reading, G_TYPE_OBJECT)

static void
hl_axes_reading_finalize (GObject *object)
{
  HlAxesReading *self = HL_AXES_READING (object);

  g_clear_object (&self->document);
  g_clear_object (&self->attention);
  g_clear_pointer (&self->thumbnail, hl_thumbnail_unref);
  g_clear_object (&self->tokenizer);
  g_free (self->numbers);
  G_OBJECT_CLASS (hl_axes_reading_parent_class)->finalize (object);
}

static void
hl_axes_reading_class_init (HlAxesReadingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_axes_reading_finalize;
}

static void
hl_axes_reading_init (HlAxesReading *self)
{
}

typedef struct
{
  GFile *file;
  HlArchive *archive;
  HlOpenOptions *options;
  HlTokenChoice tokens;
  HlThumbnailStyle style;
} Making;

static void
making_free (gpointer data)
{
  Making *self = data;

  g_object_unref (self->file);
  g_object_unref (self->archive);
  hl_open_options_free (self->options);
  hl_token_choice_clear (&self->tokens);
  g_free (self);
}

/* The style's width and height are what there is room for; a map keeps its proportions, but is never a mere line. */
static void
fit_style (HlThumbnailStyle *style,
           gsize             n_queries,
           gsize             n_keys)
{
  const double size = MIN (style->width, style->height);
  const double longest = MAX (n_queries, n_keys);

  style->width = (guint) lround (MAX (size * (double) n_keys / longest, size / 12));
  style->height = (guint) lround (MAX (size * (double) n_queries / longest, size / 12));
}

static void
make (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Making *making = data;
  g_autoptr (HlAxesReading) self = g_object_new (HL_TYPE_AXES_READING, NULL);
  GError *error = NULL;

  g_clear_pointer (&making->options->tokens, g_strfreev);
  if (!hl_token_choice_make (&making->tokens, &making->options->tokens, &error))
    {
      g_prefix_error (&error, "%s", _ ("tokens: "));
      g_task_return_error (task, error);
      return;
    }
  g_set_object (&self->tokenizer, making->tokens.tokenizer);
  self->document =
    hl_document_new_for_archive (making->file, making->archive, making->options, NULL, cancellable, &error);
  g_autoptr (HlExample)
    example = self->document != NULL ? hl_document_get_example (self->document, 0, cancellable, &error) : NULL;
  if (example == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->attention = g_object_ref (hl_example_get_attention (example, 0));
  const HlRange queries = { 0, MAX (hl_attention_get_n_used (self->attention, HL_QUERIES), 1) };
  const HlRange keys = { 0, MAX (hl_attention_get_n_used (self->attention, HL_KEYS), 1) };
  g_autoptr (HlAttentionSource) attention = hl_attention_make_source (self->attention);
  fit_style (&making->style, queries.n, keys.n);
  self->thumbnail = hl_thumbnail_new (attention, 0, 0, queries, keys, &making->style);
  if (hl_thumbnail_make (self->thumbnail, NULL, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&self), g_object_unref);
  else
    g_task_return_error (task, error);
}

/* The tokens of the options are not used. Width and height of the style are those that there is room for. */
void
hl_axes_reading_make_async (GFile                  *file,
                            HlArchive              *archive,
                            const HlOpenOptions    *options,
                            const HlTokenChoice    *tokens,
                            const HlThumbnailStyle *style,
                            GCancellable           *cancellable,
                            GAsyncReadyCallback     callback,
                            gpointer                user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (HL_IS_ARCHIVE (archive));

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Making *making = g_new0 (Making, 1);

  making->file = g_object_ref (file);
  making->archive = g_object_ref (archive);
  making->options = hl_open_options_copy (options);
  hl_token_choice_copy (&making->tokens, tokens);
  making->style = *style;
  g_task_set_source_tag (task, hl_axes_reading_make_async);
  g_task_set_task_data (task, making, making_free);
  g_task_run_in_thread (task, make);
}

HlAxesReading *
hl_axes_reading_make_finish (GAsyncResult *result,
                             GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Whether the columns of the first head sum to 1, as far as they are not all zero. */
static gboolean
have_columns_of_one (HlAttentionSource *source,
                     GCancellable      *cancellable)
{
  const gsize n_queries = hl_attention_source_get_n (source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);

  if (n_queries > MAX_COLUMN_NUMBERS / n_keys)
    return FALSE;
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, cancellable, NULL);
  for (gsize key = 0; map != NULL && key < n_keys; key++)
    {
      double sum = 0;
      for (gsize query = 0; query < n_queries; query++)
        sum += map[query * n_keys + key];
      /* Also when it is not a number. */
      if (!(fabs (sum - 1) <= SUM_TOLERANCE))
        return FALSE;
    }
  return map != NULL;
}

typedef struct
{
  char *numbers;
  gboolean look_like_scores;
} Finding;

static void
finding_free (gpointer data)
{
  g_free (((Finding *) data)->numbers);
  g_free (data);
}

/* Of what is stored, also when a softmax is made of it. */
static void
examine (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  HlAxesReading *self = source;
  g_autoptr (HlAttentionSource) stored = hl_dump_source_new (self->attention);
  GError *error = NULL;
  g_autoptr (GPtrArray) checks = hl_examine_attention (self->attention, stored, cancellable, &error);

  if (checks == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  Finding *finding = g_new0 (Finding, 1);
  HlCheck *check = checks->pdata[0];
  for (guint i = 0; i < checks->len && !finding->look_like_scores; i++)
    {
      finding->look_like_scores = hl_check_get_topic (checks->pdata[i]) == HL_CHECK_TOPIC_SCORES;
      if (finding->look_like_scores)
        check = checks->pdata[i];
    }
  if (hl_check_get_severity (check) == HL_SEVERITY_WARNING && have_columns_of_one (stored, cancellable))
    {
      finding->look_like_scores = FALSE;
      finding->numbers = g_strdup (_ ("Columns sum to 1 and rows do not: query and key may have to be swapped"));
    }
  else
    finding->numbers = g_strdup (hl_check_get_message (check));
  g_task_return_pointer (task, finding, finding_free);
}

/* Looks at the stored numbers; the attention has some. */
void
hl_axes_reading_examine_async (HlAxesReading      *self,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  g_return_if_fail (HL_IS_AXES_READING (self));
  g_return_if_fail (hl_attention_get_weights (self->attention, 0) != NULL);

  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, hl_axes_reading_examine_async);
  g_task_run_in_thread (task, examine);
}

gboolean
hl_axes_reading_examine_finish (HlAxesReading *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  Finding *finding = g_task_propagate_pointer (G_TASK (result), error);
  if (finding == NULL)
    return FALSE;
  g_free (self->numbers);
  self->numbers = g_steal_pointer (&finding->numbers);
  self->look_like_scores = finding->look_like_scores;
  finding_free (finding);
  return TRUE;
}

HlDocument *
hl_axes_reading_get_document (HlAxesReading *self)
{
  g_return_val_if_fail (HL_IS_AXES_READING (self), NULL);

  return self->document;
}

HlAttention *
hl_axes_reading_get_attention (HlAxesReading *self)
{
  g_return_val_if_fail (HL_IS_AXES_READING (self), NULL);

  return self->attention;
}

const HlThumbnail *
hl_axes_reading_get_thumbnail (HlAxesReading *self)
{
  g_return_val_if_fail (HL_IS_AXES_READING (self), NULL);

  return self->thumbnail;
}

HlTokenizer *
hl_axes_reading_get_tokenizer (HlAxesReading *self)
{
  g_return_val_if_fail (HL_IS_AXES_READING (self), NULL);

  return self->tokenizer;
}

/* NULL before they were examined. */
const char *
hl_axes_reading_get_numbers (HlAxesReading *self,
                             gboolean      *look_like_scores)
{
  g_return_val_if_fail (HL_IS_AXES_READING (self), NULL);

  *look_like_scores = self->look_like_scores;
  return self->numbers;
}
