/* SPDX-License-Identifier: MIT */
/*
 * Finds tokens while they are typed. What is found is pinned, as if it had been clicked, so that picture and panel tell
 * about it; the next search goes on from there. It looks through the queries, or the keys where a key is pinned.
 */
#include "config.h"

#include "app/tokens/hl-token-search.h"

#include "app/widgets/hl-text-guard.h"
#include "app/widgets/hl-wrap-box.h"
#include "app/base/hl-accessible.h"
#include "core/base/hl-side.h"
#include "draw/text/hl-token-index.h"

#include <glib/gi18n.h>

struct _HlTokenSearch
{
  GtkWidget parent_instance;

  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkLabel *count;
  GtkToggleButton *queries;
  GtkToggleButton *keys;

  HlSceneView *scene_view;
  HlViewState *state;
  /* Of the tokens of an attention, of one side. */
  HlTokenIndex *index;
  HlAttention *indexed;
  HlSide side;
  /* Of what is shown; counted as in the attention. */
  GArray *hits;
  /* Where typing searches from: the token that was pinned when it began. */
  gsize anchor;
  gboolean moving;
};

enum
{
  PROP_SCENE_VIEW = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlTokenSearch, hl_token_search, GTK_TYPE_WIDGET)

static void
clear_index (HlTokenSearch *self)
{
  g_clear_pointer (&self->index, hl_token_index_free);
  g_clear_object (&self->indexed);
}

static HlTokenIndex *
ensure_index (HlTokenSearch *self)
{
  HlAttention *attention = hl_view_state_get_shown (self->state)->attention;

  if (self->indexed == attention)
    return self->index;
  clear_index (self);
  self->indexed = g_object_ref (attention);
  self->index =
    hl_token_index_new (hl_attention_get_tokens (attention, self->side), hl_attention_get_n (attention, self->side));
  return self->index;
}

/* The token of the side that is pinned. */
static gboolean
get_pinned (HlTokenSearch *self,
            gsize         *token)
{
  const HlPick *pinned = hl_view_state_get_pinned (self->state);
  const gboolean is_there = hl_pick_has (pinned, self->side);

  if (is_there)
    *token = pinned->tokens[self->side];
  return is_there;
}

static gboolean
get_current (HlTokenSearch *self,
             guint         *current)
{
  gsize token;

  if (!get_pinned (self, &token))
    return FALSE;
  for (guint i = 0; i < self->hits->len; i++)
    if (g_array_index (self->hits, HlRange, i).first == token)
      {
        *current = i;
        return TRUE;
      }
  return FALSE;
}

static void
update_count (HlTokenSearch *self)
{
  const gboolean has_text = *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  const guint n = self->hits->len;
  g_autofree char *text = NULL;
  guint current;

  if (!has_text)
    text = g_strdup ("");
  else if (n == 0)
    text = g_strdup (_ ("Not found"));
  else if (get_current (self, &current))
    /* Translators: the number of a token that was found, and how many were */
    text = g_strdup_printf (_ ("%u of %u"), current + 1, n);
  else
    text = g_strdup_printf (ngettext ("%u found", "%u found", n), n);
  gtk_label_set_label (self->count, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  if (has_text && n == 0)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static void
find (HlTokenSearch *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  g_array_set_size (self->hits, 0);
  if (self->state != NULL && gtk_search_bar_get_search_mode (self->bar) && *text != '\0')
    {
      const HlRange shown = hl_view_state_get_shown (self->state)->ranges[self->side];
      g_autoptr (GArray) all = hl_token_index_find (ensure_index (self), text);

      for (guint i = 0; i < all->len; i++)
        {
          const HlRange hit = g_array_index (all, HlRange, i);
          if (hit.first >= shown.first && hit.first + hit.n <= shown.first + shown.n)
            g_array_append_val (self->hits, hit);
        }
    }
  update_count (self);
}

/* In the view of all layers a token is of the column that is pinned, or of the layer that is chosen. */
static guint
get_layer (HlTokenSearch *self)
{
  const HlPick *pinned = hl_view_state_get_pinned (self->state);

  if (!hl_view_kind_get_traits (hl_view_state_get_options (self->state)->view)->shows_all_layers)
    return 0;
  return pinned->kind == HL_PICK_QUERY ? pinned->layer : hl_view_state_get_shown (self->state)->layer;
}

static void
go_to (HlTokenSearch *self,
       guint          index)
{
  const gsize token = g_array_index (self->hits, HlRange, index).first;
  HlPick pick = hl_pick_of (self->side, token);

  if (self->side == HL_QUERIES)
    pick.layer = get_layer (self);
  self->moving = TRUE;
  hl_view_state_set_pinned (self->state, &pick);
  /* The arrows go on from there. */
  hl_view_state_set_hovered (self->state, &pick);
  hl_scene_view_scroll_to (self->scene_view, &pick);
  self->moving = FALSE;
  update_count (self);
}

static void
on_text_changed (HlTokenSearch *self)
{
  if (self->state == NULL)
    return;
  find (self);
  for (guint i = 0; i < self->hits->len; i++)
    if (g_array_index (self->hits, HlRange, i).first >= self->anchor)
      {
        go_to (self, i);
        return;
      }
  if (self->hits->len > 0)
    go_to (self, 0);
}

static void
choose_side (HlTokenSearch *self,
             HlSide         side)
{
  if (self->side == side)
    return;
  self->side = side;
  clear_index (self);
  gtk_toggle_button_set_active (side == HL_KEYS ? self->keys : self->queries, TRUE);
  find (self);
}

static void
on_side_toggled (HlTokenSearch *self)
{
  choose_side (self, gtk_toggle_button_get_active (self->keys) ? HL_KEYS : HL_QUERIES);
}

static void
on_pinned (HlTokenSearch *self)
{
  const HlPick *pinned = hl_view_state_get_pinned (self->state);

  if (hl_pick_is_token (pinned))
    choose_side (self, hl_pick_get_side (pinned));
  if (!self->moving && !get_pinned (self, &self->anchor))
    self->anchor = 0;
  update_count (self);
}

static void
on_state_changed (HlTokenSearch *self,
                  HlChanges      changes)
{
  if (changes & HL_CHANGED_PIN)
    on_pinned (self);
  if (changes & (HL_CHANGED_SHOWN_ATTENTION | HL_CHANGED_TOKENS))
    find (self);
}

static void
on_view_state (HlTokenSearch *self)
{
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  clear_index (self);
  g_set_object (&self->state, hl_scene_view_get_view_state (self->scene_view));
  self->anchor = 0;
  if (self->state != NULL)
    {
      g_signal_connect_swapped (self->state, "changed", G_CALLBACK (on_state_changed), self);
      on_pinned (self);
    }
  find (self);
}

static void
on_next (HlTokenSearch *self)
{
  hl_token_search_move (self, 1);
}

static void
on_previous (HlTokenSearch *self)
{
  hl_token_search_move (self, -1);
}

static void
on_search_mode (HlTokenSearch *self)
{
  find (self);
  if (!gtk_search_bar_get_search_mode (self->bar))
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* The bar could do that by itself if it knew its entry, but would then forget what was typed. */
static void
on_stop (HlTokenSearch *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
}

static gboolean
close_bar (GtkWidget *widget,
           GVariant  *arguments,
           gpointer   data)
{
  on_stop (HL_TOKEN_SEARCH (widget));
  return TRUE;
}

/* What an empty entry leaves of its own keys would change the heads that are shown. */
static gboolean
ignore_key (GtkWidget *widget,
            GVariant  *arguments,
            gpointer   data)
{
  return TRUE;
}

static gboolean
move_back (GtkWidget *widget,
           GVariant  *arguments,
           gpointer   data)
{
  hl_token_search_move (HL_TOKEN_SEARCH (widget), -1);
  return TRUE;
}

static void
hl_token_search_dispose (GObject *object)
{
  HlTokenSearch *self = HL_TOKEN_SEARCH (object);

  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  if (self->scene_view != NULL)
    g_signal_handlers_disconnect_by_data (self->scene_view, self);
  g_clear_object (&self->scene_view);
  clear_index (self);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  G_OBJECT_CLASS (hl_token_search_parent_class)->dispose (object);
}

static void
hl_token_search_finalize (GObject *object)
{
  g_array_unref (HL_TOKEN_SEARCH (object)->hits);
  G_OBJECT_CLASS (hl_token_search_parent_class)->finalize (object);
}

static void
hl_token_search_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlTokenSearch *self = HL_TOKEN_SEARCH (object);

  switch (id)
    {
    case PROP_SCENE_VIEW:
      self->scene_view = g_value_dup_object (value);
      g_signal_connect_swapped (self->scene_view, "notify::view-state", G_CALLBACK (on_view_state), self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_token_search_class_init (HlTokenSearchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_token_search_dispose;
  object_class->finalize = hl_token_search_finalize;
  object_class->set_property = hl_token_search_set_property;

  properties[PROP_SCENE_VIEW] =
    g_param_spec_object ("scene-view", NULL, NULL, HL_TYPE_SCENE_VIEW, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, close_bar, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_a, GDK_CONTROL_MASK, ignore_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_a, GDK_CONTROL_MASK | GDK_SHIFT_MASK, ignore_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, GDK_SHIFT_MASK, move_back, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, GDK_SHIFT_MASK, move_back, NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (HL_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/token-search.ui");
  gtk_widget_class_bind_template_child (widget_class, HlTokenSearch, bar);
  gtk_widget_class_bind_template_child (widget_class, HlTokenSearch, entry);
  gtk_widget_class_bind_template_child (widget_class, HlTokenSearch, count);
  gtk_widget_class_bind_template_child (widget_class, HlTokenSearch, queries);
  gtk_widget_class_bind_template_child (widget_class, HlTokenSearch, keys);
  gtk_widget_class_bind_template_callback (widget_class, on_text_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_next);
  gtk_widget_class_bind_template_callback (widget_class, on_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_search_mode);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_side_toggled);
}

static void
hl_token_search_init (HlTokenSearch *self)
{
  self->side = HL_QUERIES;
  self->hits = g_array_new (FALSE, FALSE, sizeof (HlRange));
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->entry));
  hl_accessible_name_buttons (GTK_WIDGET (self));
  /* It comes and goes at once: sliding would measure and paint the scene below at every step. */
  gtk_revealer_set_transition_duration (GTK_REVEALER (gtk_widget_get_first_child (GTK_WIDGET (self->bar))), 0);
}

void
hl_token_search_open (HlTokenSearch *self)
{
  g_return_if_fail (HL_IS_TOKEN_SEARCH (self));

  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

/* By 1 or -1; after the last comes the first. With nothing to search for, opens the bar. */
void
hl_token_search_move (HlTokenSearch *self,
                      int            direction)
{
  g_return_if_fail (HL_IS_TOKEN_SEARCH (self));
  g_return_if_fail (direction == 1 || direction == -1);

  if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) == '\0')
    {
      hl_token_search_open (self);
      return;
    }
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  if (self->state == NULL || self->hits->len == 0)
    return;

  const guint n = self->hits->len;
  gsize token = 0;
  const gboolean has_token = get_pinned (self, &token);
  guint next = 0;
  /* The first behind the pinned token, or at it where none is pinned. */
  while (next < n && (has_token ? g_array_index (self->hits, HlRange, next).first <= token : FALSE))
    next++;
  if (direction < 0)
    {
      guint current;
      next += get_current (self, &current) ? 2 * n - 2 : 2 * n - 1;
    }
  go_to (self, next % n);
  get_pinned (self, &self->anchor);
}
