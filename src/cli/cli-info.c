/* SPDX-License-Identifier: MIT */
/* headlight-cli info: what is in a file, for people or as JSON. */
#include "cli/cli-commands.h"
#include "cli/cli-limits.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-table.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/analysis/hl-examine.h"
#include "core/analysis/hl-first-head.h"
#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/document/attention/hl-layer-text.h"
#include "core/document/guess/hl-dataset.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-dump-store.h"

#include <glib/gi18n-lib.h>

/* The most tokens that are printed for people. */
#define MAX_SHOWN_TOKENS 64

/* The most images, as those of a document's pages or a film's frames. */
#define MAX_SHOWN_IMAGES 16

/* The most characters of one, and of any other name. */
#define MAX_SHOWN_CHARACTERS 200

/* In JSON, where programs take names from to ask for what has them. */
#define MAX_JSON_CHARACTERS 1000

/* The most characters of a list of names. */
#define MAX_LINE 1000

/* The most datasets. */
#define MAX_SHOWN_DATASETS 16

typedef struct
{
  const char *wanted; /* name or number of the example */
  CliModelText text;
  CliOpenOptions open;
  CliViewOptions view;
  HlDocument *document;
  HlExample *example;
  GPtrArray *left_out;
  GPtrArray *checks;
  GPtrArray *datasets; /* what --dataset could choose; NULL for a model */
  HlFirstHead first;   /* what a window begins with */
  gboolean verify;
  guint n_verified; /* checksums */
} Info;

/* @label tells which attention they are about, if there are several. */
static void
add_checks (Info       *info,
            GPtrArray  *checks,
            const char *label)
{
  for (guint i = 0; i < checks->len; i++)
    {
      HlCheck *check = g_ptr_array_index (checks, i);
      if (label != NULL)
        g_ptr_array_add (info->checks,
                         hl_check_new (hl_check_get_severity (check), "%s: %s", label, hl_check_get_message (check)));
      else
        g_ptr_array_add (info->checks, g_object_ref (check));
    }
}

/* What is made of weights, in place of them, if something is. */
static gboolean
derive (Info    *info,
        GError **error)
{
  const HlLens lens = cli_view_options_get_lens (&info->view);

  if (lens.quantity == HL_QUANTITY_WEIGHT && lens.combine == HL_COMBINE_NONE)
    return TRUE;
  HlExample *derived = hl_dump_store_derive (&lens, info->example, info->left_out, error);
  if (derived == NULL)
    return FALSE;
  g_object_unref (info->example);
  info->example = derived;
  return TRUE;
}

/* What is wrong with the bytes is worth more than what they say. */
static gboolean
verify (Info    *info,
        CliJob  *job,
        GError **error)
{
  HlArchive *archive = hl_document_get_archive (info->document);

  if (!info->verify)
    return TRUE;
  if (archive != NULL)
    return hl_archive_verify (archive, &info->n_verified, job->progress, job->cancellable, error);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("this is a model: --verify is for files of attention"));
  return FALSE;
}

/* Reads all that is to be said, before anything of it is. */
static gboolean
collect (CliJob  *job,
         GError **error)
{
  Info *info = job->data;

  info->document = cli_open_document (job, &info->text, &info->open, error);
  if (info->document == NULL || !verify (info, job, error))
    return FALSE;
  info->example = cli_load_example (job, info->document, info->wanted, error);
  if (info->example == NULL || !derive (info, error))
    return FALSE;
  HlArchive *archive = hl_document_get_archive (info->document);
  if (archive != NULL && (info->datasets = hl_dataset_list (archive, job->cancellable, error)) == NULL)
    return FALSE;

  add_checks (info, hl_example_get_checks (info->example), NULL);
  const gboolean several = hl_example_get_n_attentions (info->example) > 1;
  for (guint i = 0; i < hl_example_get_n_attentions (info->example); i++)
    {
      HlAttention *attention = hl_example_get_attention (info->example, i);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (GPtrArray) found = hl_examine_attention (attention, source, job->cancellable, error);
      if (found == NULL)
        return FALSE;
      if (i == 0 && !hl_first_head_choose (attention, source, hl_model_call_of (info->document), &info->first,
                                           job->cancellable, error))
        return FALSE;
      add_checks (info, found, several ? hl_attention_kind_get_label (hl_attention_get_kind (attention)) : NULL);
    }
  return TRUE;
}

/* A name of the file may be as long as the file. */
static void
add_name (JsonBuilder *builder,
          const char  *name)
{
  g_autofree char *start = hl_utf8_shorten (name, MAX_JSON_CHARACTERS);

  json_builder_add_string_value (builder, start);
}

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    add_name (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_number (JsonBuilder *builder,
            const char  *name,
            guint64      value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) value);
}

static void
add_tokens (JsonBuilder       *builder,
            const char        *name,
            gboolean           known,
            const char *const *tokens)
{
  json_builder_set_member_name (builder, name);
  if (!known)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (gsize i = 0; tokens[i] != NULL; i++)
    json_builder_add_string_value (builder, tokens[i]);
  json_builder_end_array (builder);
}

static void
add_strings_of_layers (JsonBuilder       *builder,
                       const char        *name,
                       const char *const *strings)
{
  if (strings == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; strings[i] != NULL; i++)
    add_name (builder, strings[i]);
  json_builder_end_array (builder);
}

/* Of the keys, which are what is looked at; of the queries where only those are patches. */
static HlPicture *
get_picture (HlAttention *attention)
{
  HlPicture *picture = hl_attention_get_picture (attention, HL_KEYS);

  return picture != NULL ? picture : hl_attention_get_picture (attention, HL_QUERIES);
}

/* Images, and where the tokens of their patches are. */
static void
add_images (JsonBuilder *builder,
            HlAttention *attention)
{
  HlPicture *picture = get_picture (attention);
  guint n_grids = 0;
  const HlPictureGrid *grids = picture != NULL ? hl_picture_get_grids (picture, &n_grids) : NULL;

  if (n_grids == 0)
    return;
  json_builder_set_member_name (builder, "images");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n_grids; i++)
    {
      double width, height;

      hl_picture_get_size (picture, grids[i].image, &width, &height);
      json_builder_begin_object (builder);
      add_number (builder, "width", (gint64) width);
      add_number (builder, "height", (gint64) height);
      add_number (builder, "first_token", (gint64) grids[i].first_token);
      add_number (builder, "rows", (gint64) grids[i].n_rows);
      add_number (builder, "columns", (gint64) grids[i].n_columns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_attentions (JsonBuilder *builder,
                HlExample   *example)
{
  json_builder_set_member_name (builder, "blocks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      const guint n_layers = hl_attention_get_n_layers (attention);
      gboolean differ = FALSE;

      json_builder_begin_object (builder);
      add_string (builder, "name", hl_attention_kind_get_name (hl_attention_get_kind (attention)));
      add_number (builder, "layers", n_layers);
      add_number (builder, "heads", hl_attention_get_max_heads (attention));
      for (guint layer = 1; layer < n_layers; layer++)
        differ |= hl_attention_get_n_heads (attention, layer) != hl_attention_get_n_heads (attention, 0);
      if (differ)
        {
          json_builder_set_member_name (builder, "heads_of_layers");
          json_builder_begin_array (builder);
          for (guint layer = 0; layer < n_layers; layer++)
            json_builder_add_int_value (builder, hl_attention_get_n_heads (attention, layer));
          json_builder_end_array (builder);
        }
      add_strings_of_layers (builder, "layer_types", hl_attention_get_layer_types (attention));
      add_strings_of_layers (builder, "layer_names", hl_attention_get_modules (attention));
      add_number (builder, "queries", hl_attention_get_n (attention, HL_QUERIES));
      add_number (builder, "keys", hl_attention_get_n (attention, HL_KEYS));
      add_images (builder, attention);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Whether queries and keys are the same tokens, or the same positions. */
static gboolean
have_same_labels (HlAttention *attention)
{
  return hl_attention_has_tokens (attention, HL_QUERIES) == hl_attention_has_tokens (attention, HL_KEYS) &&
         g_strv_equal (hl_attention_get_tokens (attention, HL_QUERIES), hl_attention_get_tokens (attention, HL_KEYS));
}

/* The lists of tokens by the names that a dump gives them, and which attention has them. */
static void
add_all_tokens (JsonBuilder *builder,
                HlExample   *example)
{
  HlAttention *attention = hl_example_find_attention (example, HL_ATTENTION_SELF);
  HlAttention *encoder = hl_example_find_attention (example, HL_ATTENTION_ENCODER);
  HlAttention *decoder = hl_example_find_attention (example, HL_ATTENTION_DECODER);
  HlAttention *cross = hl_example_find_attention (example, HL_ATTENTION_CROSS);

  if (attention != NULL)
    {
      const gboolean known = hl_attention_has_tokens (attention, HL_QUERIES);
      const gboolean same = have_same_labels (attention);
      add_tokens (builder, same ? "tokens" : "query_tokens", known, hl_attention_get_tokens (attention, HL_QUERIES));
      if (!same)
        add_tokens (builder, "key_tokens", hl_attention_has_tokens (attention, HL_KEYS),
                    hl_attention_get_tokens (attention, HL_KEYS));
      return;
    }
  if (encoder != NULL)
    add_tokens (builder, "encoder_tokens", hl_attention_has_tokens (encoder, HL_QUERIES),
                hl_attention_get_tokens (encoder, HL_QUERIES));
  else if (cross != NULL)
    add_tokens (builder, "encoder_tokens", hl_attention_has_tokens (cross, HL_KEYS),
                hl_attention_get_tokens (cross, HL_KEYS));
  if (decoder == NULL)
    decoder = cross;
  if (decoder != NULL)
    add_tokens (builder, "decoder_tokens", hl_attention_has_tokens (decoder, HL_QUERIES),
                hl_attention_get_tokens (decoder, HL_QUERIES));
}

static void
add_datasets (JsonBuilder *builder,
              GPtrArray   *datasets)
{
  json_builder_set_member_name (builder, "datasets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < datasets->len; i++)
    {
      const HlDataset *dataset = g_ptr_array_index (datasets, i);

      json_builder_begin_object (builder);
      add_string (builder, "name", dataset->path);
      if (dataset->n_layers > 0)
        add_number (builder, "layers", dataset->n_layers);
      json_builder_set_member_name (builder, "shape");
      json_builder_begin_array (builder);
      for (guint axis = 0; axis < dataset->shape.rank; axis++)
        json_builder_add_int_value (builder, (gint64) dataset->shape.dims[axis]);
      json_builder_end_array (builder);
      add_string (builder, "dtype", hl_dtype_get_name (dataset->dtype));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_first_head (JsonBuilder       *builder,
                const HlFirstHead *first)
{
  json_builder_set_member_name (builder, "first_head");
  if (!first->is_chosen)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_number (builder, "layer", first->layer);
  add_number (builder, "head", first->head);
  add_string (builder, "name", first->name != NULL ? first->name->nick : NULL);
  json_builder_set_member_name (builder, "worth");
  cli_json_add_real (builder, first->worth);
  add_number (builder, "measured", first->n_measured);
  json_builder_end_object (builder);
}

static void
print_json (const Info *info)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  const guint n_examples = hl_document_get_n_examples (info->document);

  json_builder_begin_object (builder);
  add_string (builder, "container", hl_document_get_container (info->document));
  add_string (builder, "model", hl_document_get_model (info->document));
  if (n_examples > 1)
    {
      json_builder_set_member_name (builder, "examples");
      json_builder_begin_array (builder);
      for (guint i = 0; i < n_examples; i++)
        add_name (builder, hl_document_get_example_name (info->document, i));
      json_builder_end_array (builder);
      add_string (builder, "example", hl_example_get_name (info->example));
    }
  add_attentions (builder, info->example);
  add_all_tokens (builder, info->example);
  add_first_head (builder, &info->first);
  json_builder_set_member_name (builder, "checks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < info->checks->len; i++)
    {
      HlCheck *check = g_ptr_array_index (info->checks, i);
      json_builder_begin_object (builder);
      add_string (builder, "severity", hl_check_get_severity_name (check));
      add_string (builder, "message", hl_check_get_message (check));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  if (info->verify)
    add_number (builder, "checksums", info->n_verified);
  if (info->datasets != NULL)
    add_datasets (builder, info->datasets);
  json_builder_end_object (builder);
  cli_print_json (builder);
}

static void
print_fact (const char *label,
            const char *value)
{
  g_autofree char *printable = cli_make_printable (value);

  g_print ("%s: %s\n", label, printable);
}

static void
print_name (const char *label,
            const char *name)
{
  g_autofree char *start = hl_utf8_shorten (name, MAX_SHOWN_CHARACTERS);

  print_fact (label, start);
}

/* As many as fit some lines; --json has all. */
static void
print_tokens (const char        *label,
              gboolean           known,
              const char *const *tokens)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const guint n = g_strv_length ((char **) tokens);

  if (!known)
    return;
  for (guint i = 0; i < MIN (n, MAX_SHOWN_TOKENS); i++)
    {
      g_autofree char *token = hl_utf8_shorten (tokens[i], MAX_SHOWN_CHARACTERS);
      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", token);
    }
  if (n > MAX_SHOWN_TOKENS)
    g_string_append_printf (line, _ (" … (%u in all)"), n);
  print_fact (label, line->str);
}

static void
print_images (HlAttention *attention)
{
  HlPicture *picture = get_picture (attention);
  guint n_grids = 0;
  const HlPictureGrid *grids = picture != NULL ? hl_picture_get_grids (picture, &n_grids) : NULL;

  for (guint i = 0; i < MIN (n_grids, MAX_SHOWN_IMAGES); i++)
    {
      double width, height;

      if (hl_picture_get_image (picture, grids[i].image) == NULL)
        {
          g_autofree char *places =
            g_strdup_printf (_ ("not in the file, %zu rows × %zu columns of patches from token %zu"), grids[i].n_rows,
                             grids[i].n_columns, grids[i].first_token);
          print_fact (_ ("  Image"), places);
          continue;
        }
      hl_picture_get_size (picture, grids[i].image, &width, &height);
      g_autofree char *told =
        g_strdup_printf (_ ("%.0f × %.0f pixels, %zu rows × %zu columns of patches from token %zu"), width, height,
                         grids[i].n_rows, grids[i].n_columns, grids[i].first_token);
      print_fact (_ ("  Image"), told);
    }
}

static void
print_attention (HlAttention *attention)
{
  const guint n_layers = hl_attention_get_n_layers (attention);
  const guint n_heads = hl_attention_get_max_heads (attention);
  g_autofree char *layers =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u layer", "%u layers", n_layers), n_layers);
  g_autofree char *heads = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u head", "%u heads", n_heads), n_heads);
  g_autofree char *size = g_strdup_printf (_ ("%s × %s × %zu queries × %zu keys, %s"), layers, heads,
                                           hl_attention_get_n (attention, HL_QUERIES),
                                           hl_attention_get_n (attention, HL_KEYS),
                                           hl_dtype_get_name (hl_attention_get_dtype (attention)));

  print_fact (hl_attention_kind_get_label (hl_attention_get_kind (attention)), size);
  g_autofree char *described = hl_layer_text_describe (attention);
  if (described != NULL)
    {
      g_autofree char *start = hl_utf8_shorten (described, MAX_LINE);
      print_fact (_ ("  Layers"), start);
    }
  print_images (attention);
  if (have_same_labels (attention))
    {
      print_tokens (_ ("  Tokens"), hl_attention_has_tokens (attention, HL_QUERIES),
                    hl_attention_get_tokens (attention, HL_QUERIES));
      return;
    }
  print_tokens (_ ("  Query tokens"), hl_attention_has_tokens (attention, HL_QUERIES),
                hl_attention_get_tokens (attention, HL_QUERIES));
  print_tokens (_ ("  Key tokens"), hl_attention_has_tokens (attention, HL_KEYS),
                hl_attention_get_tokens (attention, HL_KEYS));
}

/* What there is to choose from, but not each layer of a series; --json has all. */
static void
print_datasets (GPtrArray *datasets)
{
  guint n = 0;

  if (datasets == NULL || datasets->len < 2)
    return;
  for (guint i = 0; i < datasets->len; i++)
    {
      const HlDataset *dataset = g_ptr_array_index (datasets, i);
      if (dataset->in_series || ++n > MAX_SHOWN_DATASETS)
        continue;
      g_autofree char *sizes = hl_dataset_describe (dataset);
      g_autofree char *path = hl_utf8_shorten (dataset->path, MAX_SHOWN_CHARACTERS);
      g_autofree char *text = g_strdup_printf ("%s (%s)", path, sizes);
      print_fact (_ ("Dataset"), text);
    }
  if (n > MAX_SHOWN_DATASETS)
    {
      g_autofree char *rest = g_strdup_printf (_ (" … (%u in all)"), n);
      print_fact (_ ("Dataset"), g_strchug (rest));
    }
}

static void
print_text (const Info *info)
{
  const guint n_examples = hl_document_get_n_examples (info->document);

  print_name (_ ("Container"), hl_document_get_container (info->document));
  if (hl_document_get_model (info->document) != NULL)
    print_name (_ ("Model"), hl_document_get_model (info->document));
  if (n_examples > 1)
    {
      g_print (g_dngettext (GETTEXT_PACKAGE, "%u example\n", "%u examples\n", n_examples), n_examples);
      print_name (_ ("Example"), hl_example_get_name (info->example));
    }
  for (guint i = 0; i < hl_example_get_n_attentions (info->example); i++)
    print_attention (hl_example_get_attention (info->example, i));
  print_datasets (info->datasets);
  if (info->first.is_chosen)
    {
      g_autofree char *sentence = hl_first_head_dup_sentence (&info->first);
      print_fact (_ ("First head"), sentence);
    }
  if (info->verify)
    {
      const guint n = info->n_verified;
      g_autofree char *right =
        g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u checksum is right", "%u checksums are right", n), n);
      const char *none =
        _ ("the file has no checksums, or only those that its numbers are held against as they are read");
      print_fact (_ ("Verified"), n > 0 ? right : none);
    }
  for (guint i = 0; i < info->checks->len; i++)
    {
      HlCheck *check = g_ptr_array_index (info->checks, i);
      print_fact (hl_check_get_severity (check) == HL_SEVERITY_WARNING ? _ ("warning") : _ ("info"),
                  hl_check_get_message (check));
    }
}

static void
info_clear (Info *self)
{
  g_clear_object (&self->example);
  g_clear_object (&self->document);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  g_clear_pointer (&self->datasets, g_ptr_array_unref);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
  cli_view_options_clear (&self->view);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Info, info_clear)

static int
run_info (char **arguments)
{
  gboolean as_json = FALSE, is_of_limits = FALSE;
  g_autofree char *wanted = NULL;
  g_auto (GStrv) files = NULL;
  g_auto (Info) info = { .checks = g_ptr_array_new_with_free_func (g_object_unref),
                         .left_out = g_ptr_array_new_with_free_func (g_free) };
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("One JSON object instead of text"), NULL },
    { "verify", 0, 0, G_OPTION_ARG_NONE, &info.verify,
      N_ ("Read all of the file, and hold it against its checksums if it has some"), NULL },
    CLI_LIMITS_ENTRY (&is_of_limits),
    { "example", 0, 0, G_OPTION_ARG_STRING, &wanted, N_ ("Which example, if the file has several; the first otherwise"),
      N_ ("NAME|N") },
    G_OPTION_ENTRY_NULL,
  };
  if (g_strv_contains ((const char *const *) arguments, "--limits"))
    return cli_run_limits (arguments);
  GOptionContext *context = g_option_context_new (NULL);
  g_option_context_set_summary (context, _ ("Says what is in SOURCE and what looks odd about it."));
  cli_view_options_add_quantity (&info.view, context);
  cli_open_options_add_entries (&info.open, context);
  cli_open_options_add_tokenizer (&info.open, context);
  cli_model_text_add_entries (&info.text, context);
  int status = cli_parse_options (context, entries, arguments, &info.text.part, &files);
  if (status == 0)
    status = cli_view_options_parse (&info.view);
  if (status == 0)
    status = cli_check_source (files[0], &info.text, &info.open);
  if (status != 0)
    return status;

  info.wanted = wanted;
  CliJob job = { .work = collect, .file = files[0], .data = &info };
  status = cli_job_run (&job);
  if (status == 0 && as_json)
    print_json (&info);
  else if (status == 0)
    print_text (&info);
  for (guint i = 0; status == 0 && i < info.left_out->len; i++)
    cli_print_note (g_ptr_array_index (info.left_out, i));
  return status;
}

const CliCommand cli_info = {
  "info",
  N_ ("info SOURCE [--json]"),
  N_ ("what is in a file"),
  run_info,
};
