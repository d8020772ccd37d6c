/* SPDX-License-Identifier: MIT */
/*
 * How what is looked at is spelt: the options of how it is shown, from their table, and between them what is more than a
 * value. Options of the command line, session files and the command that the window copies all follow from these rows,
 * in their order.
 */
#include "view/spelling/hl-state-text-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *property;
  const HlViewOption *option;
  const char *name; /* unless it is that of the property */
  const HlStateSpelling *spelling;
  gboolean is_place; /* what of the document is looked at, rather than how */
  HlChanges changes;
  const char *description;
  const char *before; /* the option in front of which it stands, unless it stands behind all */
} Row;

/* What is no option. */
static const Row others[] = {
  { .property = "attention",
    .name = "block",
    .spelling = &hl_state_attention_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_ATTENTION,
    .before = "view",
    .description = N_ ("Which attention of an encoder–decoder model") },
  { .property = "hidden",
    .spelling = &hl_state_hidden_spelling,
    .changes = HL_CHANGED_HIDDEN,
    .before = "renormalise",
    .description = N_ ("Leave out these tokens, counted from 0; q before one stands for queries only, k for keys") },
  { .property = "layer",
    .spelling = &hl_state_layer_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_LAYER,
    .description = N_ ("Which layer, from 0") },
  { .property = "layers",
    .spelling = &hl_state_layers_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_LAYERS,
    .description = N_ ("Which layers are combined, from 0; all unless named") },
  { .property = "head",
    .spelling = &hl_state_head_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_HEAD,
    .description = N_ ("Which head of several is the one that views of one head show; the first unless named") },
  { .property = "heads",
    .spelling = &hl_state_heads_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_HEADS,
    .description = N_ ("Which heads of it, from 0; of all that are combined, unless named, all") },
  { .property = "pairs", .spelling = &hl_state_pairs_spelling, .is_place = TRUE, .changes = HL_CHANGED_PAIRS },
  { .property = "pinned",
    .name = "token",
    .spelling = &hl_state_pin_spelling,
    .is_place = TRUE,
    .changes = HL_CHANGED_PIN | HL_CHANGED_GATHERED,
    .description = N_ ("Pin a query, as I, a key, as :J, or both: show only what it attends to; of several queries, as "
                       "I,I-J, the mean, of several keys the sum") },
};

/* The others that stand before an option, or behind all. */
static void
add_others (GArray     *rows,
            const char *before)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_strcmp0 (others[i].before, before) == 0)
      g_array_append_val (rows, others[i]);
}

static const Row *
get_rows (guint *n)
{
  static GArray *all;

  if (g_once_init_enter (&all))
    {
      GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));
      guint n_options;
      const HlViewOption *options = hl_view_options_get_table (&n_options);
      for (guint i = 0; i < n_options; i++)
        {
          add_others (rows, options[i].name);
          g_array_append_val (rows, ((Row){ .property = options[i].name,
                                            .option = &options[i],
                                            .name = options[i].spelled,
                                            .changes = options[i].changes,
                                            .description = options[i].description }));
        }
      add_others (rows, NULL);
      g_assert (rows->len <= HL_MAX_STATE_TEXTS);
      g_once_init_leave (&all, rows);
    }
  *n = all->len;
  return &g_array_index (all, Row, 0);
}

static const Row *
get_row (guint index)
{
  guint n;
  const Row *rows = get_rows (&n);

  g_return_val_if_fail (index < n, &rows[0]);

  return &rows[index];
}

static int
find_index (const char *property)
{
  guint n;
  const Row *rows = get_rows (&n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (rows[i].property, property))
      return (int) i;
  return -1;
}

guint
hl_state_text_get_n (void)
{
  guint n;

  get_rows (&n);
  return n;
}

int
hl_state_text_find (const char *name)
{
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (g_str_equal (hl_state_text_get_name (i), name))
      return (int) i;
  return -1;
}

const char *
hl_state_text_get_property (guint index)
{
  return get_row (index)->property;
}

/* The name of its option, without dashes, and in a session file. */
const char *
hl_state_text_get_name (guint index)
{
  const Row *row = get_row (index);

  return row->name != NULL ? row->name : row->property;
}

/* What --help says of it, not translated; NULL for what has no option of its own. */
const char *
hl_state_text_get_description (guint index)
{
  return get_row (index)->description;
}

HlChanges
hl_state_text_get_changes (guint index)
{
  return get_row (index)->changes;
}

/* Whether it says what of the document is looked at, rather than how. */
gboolean
hl_state_text_is_place (guint index)
{
  return get_row (index)->is_place;
}

char *
hl_state_text_dup_hint (guint index)
{
  const Row *row = get_row (index);

  return row->option != NULL ? hl_view_option_dup_hint (row->option) : g_strdup (row->spelling->hint);
}

/* What can be written, as the end of a sentence that begins with "it is". */
char *
hl_state_text_dup_rule (guint index)
{
  const Row *row = get_row (index);
  const char *rule = row->option != NULL ? row->option->rule : row->spelling->rule;

  if (rule != NULL)
    return g_strdup (_ (rule));
  g_autofree char *hint = hl_state_text_dup_hint (index);
  if (row->option != NULL && row->option->type == HL_OPTION_NUMBER)
    /* Translators: ends the sentence “--threshold cannot be “x”; it is %s”. %s is a range: “0…1” */
    return g_strdup_printf (_ ("a number in %s"), hint);
  if (row->option != NULL && row->option->type == HL_OPTION_COUNT)
    return g_strdup_printf (_ ("a whole number in %s"), hint);
  /* Translators: ends the sentence “--view cannot be “x”; it is %s”. %s is a list: “yes|no” */
  return g_strdup_printf (_ ("one of %s"), hint);
}

/* Whether the property can be spelt so, whatever the document. */
gboolean
hl_state_text_check (guint       index,
                     const char *text)
{
  const Row *row = get_row (index);
  HlViewOptions options;

  g_return_val_if_fail (text != NULL, FALSE);

  return row->option != NULL ? hl_view_option_parse (row->option, &options, text) : row->spelling->check (text);
}

static gboolean
apply_text (const Row   *row,
            const char  *text,
            HlViewState *state,
            GError     **error)
{
  HlViewOptions options = *hl_view_state_get_options (state);

  if (row->option == NULL)
    return row->spelling->apply (state, text, error);
  g_return_val_if_fail (hl_view_option_parse (row->option, &options, text), FALSE);
  hl_view_state_set_options (state, &options);
  return TRUE;
}

/* Spells all that makes the picture and is not as in a new view state. */
void
hl_state_texts_take (HlStateTexts *self,
                     HlViewState  *state)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  *self = (HlStateTexts){ 0 };
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    {
      const Row *row = get_row (i);
      self->texts[i] = row->option != NULL ? hl_view_option_dup_text (row->option, hl_view_state_get_options (state))
                                           : row->spelling->dup (state);
    }
}

const char *
hl_state_texts_get (const HlStateTexts *self,
                    const char         *property)
{
  const int index = find_index (property);

  g_return_val_if_fail (index >= 0, NULL);

  return self->texts[index];
}

void
hl_state_texts_set (HlStateTexts *self,
                    const char   *property,
                    const char   *text)
{
  const int index = find_index (property);

  g_return_if_fail (index >= 0);

  char *copy = g_strdup (text);
  g_free (self->texts[index]);
  self->texts[index] = copy;
}

/* Those that were written in texts that were checked; the others are as they are from the start. */
HlViewOptions
hl_state_texts_get_options (const HlStateTexts *self)
{
  HlViewOptions options;

  hl_view_options_init (&options);
  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (self->texts[i] != NULL && get_row (i)->option != NULL)
      hl_view_option_parse (get_row (i)->option, &options, self->texts[i]);
  return options;
}

/* Returns how many heads were written; all there can be for all, 0 if none were. */
guint
hl_state_texts_count_heads (const HlStateTexts *self,
                            guint              *n_others)
{
  const char *text = hl_state_texts_get (self, "heads");
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  HlHeadSet heads;

  *n_others = 0;
  if (text == NULL || !hl_state_heads_parse (text, &heads, places))
    return 0;
  *n_others = places->len;
  return hl_head_set_count (&heads) + places->len;
}

/* Has a view state be as the texts say. Where heads become one and none was named, all do. */
gboolean
hl_state_texts_apply (const HlStateTexts *self,
                      HlViewState        *state,
                      GError            **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  const gboolean names_heads = hl_state_texts_get (self, "heads") != NULL || hl_state_texts_get (self, "head") != NULL;
  gboolean applied = TRUE;

  g_object_freeze_notify (G_OBJECT (state));
  for (guint i = 0; i < hl_state_text_get_n () && applied; i++)
    {
      const Row *row = get_row (i);
      /* Before words are looked for and a token is pinned in what is shown. */
      if (!names_heads && g_str_equal (row->property, "heads") && hl_view_state_get_shown (state)->merges_heads)
        hl_view_state_select_all_heads (state);
      applied = self->texts[i] == NULL || apply_text (row, self->texts[i], state, error);
    }
  g_object_thaw_notify (G_OBJECT (state));
  return applied;
}

/* Whether what is looked at has what the view shows. Without, a window says in its place what is needed; who asked for a drawing of it is told.
 * Steps say themselves what they need. */
gboolean
hl_state_check_view (HlViewState *state,
                     GError     **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  const HlViewKind view = hl_view_state_get_options (state)->view;
  const HlViewTraits *traits = hl_view_kind_get_traits (view);
  const char *lack = hl_view_kind_get_lack (view, hl_view_state_get_attention (state));

  if (lack == NULL || traits->shows_steps)
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING,
                       traits->shows_pictures ? _ ("this view needs an image, of which tokens are patches") : lack);
  return FALSE;
}

/* Whether one of the layers that become one has one of the heads. */
static gboolean
check_combined (const HlShown *shown,
                GError       **error)
{
  guint most = 0, n_heads = 0, head = 0;

  if (!shown->merges_layers)
    return TRUE;
  for (guint layer = 0; layer < hl_attention_get_n_layers (shown->original); layer++)
    if (hl_layer_set_contains (&shown->lens.layers, layer) &&
        hl_attention_get_n_heads (shown->original, layer) > n_heads)
      {
        most = layer;
        n_heads = hl_attention_get_n_heads (shown->original, layer);
      }
  while (!hl_head_set_contains (&shown->lens.heads, head))
    head++;
  if (head < n_heads)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %u in layer %u; the last one is %u"), head, most,
               n_heads - 1);
  return FALSE;
}

/* Whether no weights are shown in place of the quantity; what the view makes nothing of need not be there. */
static gboolean
check_made (const HlShown *shown,
            GError       **error)
{
  HlLens lens = shown->lens;

  if (shown->lacking == NULL)
    return TRUE;
  lens.quantity = shown->options.quantity;
  if (hl_lens_check (&lens, shown->original, error))
    g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, shown->lacking);
  else
    g_prefix_error (error, "%s ", _ ("the quantity"));
  return FALSE;
}

/* Whether what is looked at has what the quantity is made of. Without, weights are shown, and the caption says so; who asked for the quantity
 * itself, and not for whatever can be seen, is told. */
gboolean
hl_state_check_quantity (HlViewState *state,
                         GError     **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  const HlViewOptions *options = hl_view_state_get_options (state);
  HlAttention *attention = hl_view_state_get_attention (state);
  const HlShown *shown = hl_view_state_get_shown (state);
  const guint n_layers = hl_attention_get_n_layers (attention);

  if (!check_made (shown, error) || !check_combined (shown, error))
    return FALSE;
  if (hl_quantity_get (options->quantity)->heads != HL_QUANTITY_OF_LAYER || options->rollout_from < n_layers)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u to begin with; the last one is %u"),
               options->rollout_from, n_layers - 1);
  return FALSE;
}

/* Has a view state look as the texts say, and leaves what it looks at. */
void
hl_state_texts_apply_values (const HlStateTexts *self,
                             HlViewState        *state)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (self->texts[i] != NULL && !get_row (i)->is_place)
      apply_text (get_row (i), self->texts[i], state, NULL);
}

/*
 * Carries how something is looked at over to another view state, of the file's newer content after a reload: as far as
 * its example, which it keeps, has it all. What is hidden and pinned means nothing in another text. What is compared, or
 * hovered, is not copied.
 */
void
hl_state_copy (HlViewState *to,
               HlViewState *from)
{
  g_return_if_fail (HL_IS_VIEW_STATE (to) && HL_IS_VIEW_STATE (from));

  HlAttention *attention = hl_example_find_attention (hl_view_state_get_example (to),
                                                      hl_attention_get_kind (hl_view_state_get_attention (from)));
  const gboolean is_same_text = hl_hidden_tokens_can_stay (hl_view_state_get_attention (from), attention);
  g_auto (HlStateTexts) texts = { 0 };

  hl_state_texts_take (&texts, from);
  if (!is_same_text)
    hl_state_texts_set (&texts, "hidden", NULL);
  g_object_freeze_notify (G_OBJECT (to));
  if (attention != NULL)
    hl_view_state_set_attention (to, attention);
  hl_view_state_set_selection (to, hl_view_state_get_selection (from));
  hl_state_texts_apply_values (&texts, to);
  hl_view_state_set_pairs (to, hl_view_state_get_pairs (from));
  if (is_same_text)
    {
      g_auto (HlFocus)
        pin = hl_focus_map (hl_view_state_get_pin (from), hl_shown_keep_pick, hl_view_state_get_shown (to));
      hl_view_state_keep_pin (to, &pin);
    }
  g_object_thaw_notify (G_OBJECT (to));
}

/* Frees them; nothing is written any more. */
void
hl_state_texts_clear (HlStateTexts *self)
{
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    g_clear_pointer (&self->texts[i], g_free);
}
