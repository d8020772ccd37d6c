/* SPDX-License-Identifier: MIT */
/* The second side is a session of its own, with a view state that follows the first. It is opened in a worker, as tabs
 * are. A comparison becomes part of a session that is saved, and is as in one that was. */
#include "config.h"

#include "app/compare/hl-compare-view.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-waiting.h"
#include "app/compare/hl-compare-bar.h"
#include "app/compare/hl-compare-scroll.h"
#include "app/heads/hl-head-work.h"
#include "app/live/hl-text-bar.h"
#include "app/session/hl-session-open.h"
#include "app/session/hl-session.h"
#include "core/base/hl-file-name.h"
#include "draw/export/hl-pair-scene.h"
#include "view/hl-pick-sides.h"
#include "view/hl-still.h"

#include <glib/gi18n.h>

struct _HlCompareView
{
  AdwBin parent_instance;

  HlCompareBar *bar;
  GtkPaned *paned;
  GtkWidget *other_side;
  GtkStack *other_stack;
  HlLoadingPage *loading_page;
  HlSceneView *other_view;
  HlTextBar *other_text_bar;

  HlSession *session;
  HlSceneView *scene_view;
  HlSession *other;
  HlSides *sides;
  /* What the picture of the second side must know of its heads; the table has that of the first. */
  HlHeadWork *other_work;
  HlCompareScroll *scroll;
  GCancellable *cancellable;
  gboolean was_active;
  /* Whether the second side is the first once more, of the same text and the same example. */
  gboolean follows_document;
  gboolean follows_example;
};

enum
{
  PROP_CONTENT = 1,
  PROP_ACTIVE,
  PROP_DIFFERENCE,
  N_PROPERTIES,
};

enum
{
  FAILED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlCompareView, hl_compare_view, ADW_TYPE_BIN)

static void
stop_opening (HlCompareView *self)
{
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
}

/* Half each to begin with. Whoever moves the handle finds it there again after a look at the difference. */
static gboolean
halve (GtkWidget     *paned,
       GdkFrameClock *clock,
       gpointer       data)
{
  const int width = gtk_widget_get_width (paned);

  if (width > 0)
    gtk_paned_set_position (GTK_PANED (paned), width / 2);
  return width > 0 ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* What the sides say is what can be seen. */
static void
update (HlCompareView *self)
{
  const gboolean difference = hl_compare_view_get_difference (self);
  const gboolean beside = self->cancellable != NULL || (self->sides != NULL && !difference);

  /* A page that has just been opened has no width yet. */
  if (beside && !self->was_active && halve (GTK_WIDGET (self->paned), NULL, NULL) == G_SOURCE_CONTINUE)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->paned), halve, NULL, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), self->sides != NULL);
  self->was_active = hl_compare_view_get_active (self);
  gtk_widget_set_visible (self->other_side, beside);
  gtk_stack_set_visible_child_name (self->other_stack, self->cancellable != NULL ? "loading" : "scene");
  if (self->sides != NULL)
    hl_compare_bar_update_names (self->bar, self->session, self->other);
}

static void
on_sides_changed (HlCompareView *self)
{
  update (self);
  hl_compare_bar_update (self->bar);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DIFFERENCE]);
}

static void
unlink_sides (HlCompareView *self)
{
  if (self->sides == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->sides, self);
  hl_compare_bar_set_sides (self->bar, NULL);
  g_clear_object (&self->scroll);
  hl_head_work_set_view_state (self->other_work, NULL);
  hl_sides_close (self->sides);
  g_clear_object (&self->sides);
  hl_text_bar_set_live (self->other_text_bar, NULL);
  hl_scene_view_set_view_state (self->other_view, NULL);
  g_signal_handlers_disconnect_by_data (self->other, self);
  hl_session_close (self->other);
  g_clear_object (&self->other);
}

/* Whoever was in the second side goes back to the first before that is gone. */
static void
keep_focus (HlCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL &&
      (gtk_widget_is_ancestor (focus, self->other_side) || gtk_widget_is_ancestor (focus, GTK_WIDGET (self->bar))))
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

/* What was compared before still is. */
static void
on_cancel (HlCompareView *self)
{
  stop_opening (self);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

static void
on_text_left (HlCompareView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->other_view));
}

static void
hl_compare_view_dispose (GObject *object)
{
  hl_compare_view_set_session (HL_COMPARE_VIEW (object), NULL, NULL);
  g_clear_object (&HL_COMPARE_VIEW (object)->other_work);
  G_OBJECT_CLASS (hl_compare_view_parent_class)->dispose (object);
}

static void
hl_compare_view_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlCompareView *self = HL_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_CONTENT:
      g_value_set_object (value, gtk_paned_get_start_child (self->paned));
      break;
    case PROP_ACTIVE:
      g_value_set_boolean (value, hl_compare_view_get_active (self));
      break;
    case PROP_DIFFERENCE:
      g_value_set_boolean (value, hl_compare_view_get_difference (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_compare_view_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlCompareView *self = HL_COMPARE_VIEW (object);

  switch (id)
    {
    case PROP_CONTENT:
      gtk_paned_set_start_child (self->paned, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_compare_view_class_init (HlCompareViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_compare_view_dispose;
  object_class->get_property = hl_compare_view_get_property;
  object_class->set_property = hl_compare_view_set_property;

  /* The picture of the document, in what scrolls it. */
  properties[PROP_CONTENT] =
    g_param_spec_object ("content", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE] = g_param_spec_boolean ("active", NULL, NULL, FALSE, readable);
  properties[PROP_DIFFERENCE] = g_param_spec_boolean ("difference", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  signals[FAILED] =
    g_signal_new ("failed", HL_TYPE_COMPARE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (HL_TYPE_COMPARE_BAR);
  g_type_ensure (HL_TYPE_LOADING_PAGE);
  g_type_ensure (HL_TYPE_SCENE_VIEW);
  g_type_ensure (HL_TYPE_TEXT_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/compare-view.ui");
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, bar);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, paned);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_side);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_stack);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_view);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_text_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_text_left);
}

static void
hl_compare_view_init (HlCompareView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_bar_stack (self->other_text_bar);
  self->other_work = hl_head_work_new ();
}

/* A newer text was computed. Heads of one text are compared with one another, so that both sides get it. */
static void
on_document (HlCompareView *self)
{
  if (self->sides == NULL || !self->follows_document)
    return;
  const gboolean difference = hl_sides_get_difference (self->sides);
  const HlHeadPairing pairing = *hl_sides_get_pairing (self->sides);
  /* Its first example was read when it was made: this cannot fail. */
  g_autoptr (HlSession) other = hl_session_new (hl_session_get_document (self->session), NULL);
  if (other == NULL)
    return;
  hl_compare_view_start (self, other, &pairing);
  hl_sides_set_difference (self->sides, difference);
}

static void
on_example (HlCompareView *self)
{
  if (self->sides != NULL && self->follows_example)
    hl_session_set_example_index (self->other, hl_session_get_example_index (self->session));
}

/* Begins the comparison that the session came with when it was opened, if there is one. */
static void
restore (HlCompareView *self)
{
  g_autoptr (HlSession) other = hl_session_steal_other (self->session);

  if (other == NULL)
    return;
  const HlSavedSession *first = hl_session_get_saved (self->session);
  const HlSavedSession *saved = first->other;
  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (other);
  const HlHeadPairing pairing = hl_saved_session_get_pairing (saved);
  /* The first side rules from now on: what the second has of its own is put back. */
  g_auto (HlFocus) on_b = hl_focus_copy (hl_view_state_get_pin (b));
  g_autofree char *hidden = hl_view_state_dup_hidden (b);

  hl_compare_view_start (self, other, &pairing);
  if (hl_state_texts_get (&saved->state, "hidden") != NULL)
    {
      hl_sides_hold (self->sides);
      hl_view_state_set_hidden (b, hidden);
      hl_sides_release (self->sides);
    }
  g_auto (HlFocus) on_a = hl_focus_copy (hl_view_state_get_pin (a));
  hl_sides_set_difference (self->sides, saved->difference);
  if (hl_state_texts_get (&saved->state, "pinned") != NULL)
    hl_sides_pin (self->sides, &on_a, &on_b);
  /* The difference may be longer than the first side, and could not be scrolled so far before. */
  hl_scene_view_go_to (self->scene_view, first->zoom, first->scroll_x, first->scroll_y);
  hl_compare_scroll_go_to (self->scroll, saved->scroll_x, saved->scroll_y);
}

void
hl_compare_view_set_session (HlCompareView *self,
                             HlSession     *session,
                             HlSceneView   *scene_view)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->session != NULL)
    {
      hl_compare_view_stop (self);
      g_signal_handlers_disconnect_by_data (self->session, self);
    }
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      g_signal_connect_swapped (session, "notify::document", G_CALLBACK (on_document), self);
      g_signal_connect_swapped (session, "notify::example-index", G_CALLBACK (on_example), self);
    }
  g_set_object (&self->scene_view, scene_view);
  if (session != NULL)
    restore (self);
}

static void
on_other_failed (HlCompareView *self,
                 const GError  *error)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

void
hl_compare_view_start (HlCompareView       *self,
                       HlSession           *other,
                       const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (HL_IS_SESSION (other));
  g_return_if_fail (self->session != NULL && other != self->session);

  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (other);
  HlAttention *attention = hl_comparison_find_attention (hl_view_state_get_example (a), hl_view_state_get_attention (a),
                                                         hl_view_state_get_example (b));
  g_autoptr (HlAligner) aligner = hl_aligner_new ();

  stop_opening (self);
  unlink_sides (self);
  self->other = g_object_ref (other);
  self->follows_document = hl_session_get_document (other) == hl_session_get_document (self->session);
  self->follows_example = self->follows_document &&
                          hl_session_get_example_index (other) == hl_session_get_example_index (self->session);
  if (attention != NULL)
    hl_view_state_set_attention (b, attention);
  self->sides = hl_sides_new (a, b, pairing, aligner);
  g_signal_connect_swapped (self->sides, "changed", G_CALLBACK (on_sides_changed), self);
  g_signal_connect_swapped (other, "notify::document", G_CALLBACK (update), self);
  g_signal_connect_swapped (other, "failed", G_CALLBACK (on_other_failed), self);
  hl_head_work_set_view_state (self->other_work, b);
  hl_scene_view_set_view_state (self->other_view, b);
  hl_text_bar_set_live (self->other_text_bar, hl_session_get_live (other));
  hl_compare_bar_set_sides (self->bar, self->sides);
  self->scroll = hl_compare_scroll_new (self->sides, self->scene_view, self->other_view);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

void
hl_compare_view_stop (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (!hl_compare_view_get_active (self))
    return;
  keep_focus (self);
  stop_opening (self);
  unlink_sides (self);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

gboolean
hl_compare_view_get_active (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);
  return self->sides != NULL || self->cancellable != NULL;
}

gboolean
hl_compare_view_get_difference (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);
  return self->sides != NULL && hl_sides_get_difference (self->sides);
}

void
hl_compare_view_set_difference (HlCompareView *self,
                                gboolean       difference)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->sides == NULL)
    return;
  if (difference)
    keep_focus (self);
  hl_sides_set_difference (self->sides, difference);
}

HlSides *
hl_compare_view_get_sides (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  return self->sides;
}

typedef struct
{
  HlCompareView *view;
  GCancellable *cancellable;
  char *name;
  gboolean wants_text;
} Opening;

static void
on_opened (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Opening *opening = data;
  g_autoptr (HlCompareView) self = opening->view;
  g_autoptr (GCancellable) cancellable = opening->cancellable;
  g_autofree char *name = opening->name;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  if (cancellable != self->cancellable)
    {
      if (session != NULL)
        hl_session_close (session);
      return;
    }
  /* Not cancelled: a model that has its first layer still computes the others. */
  g_clear_object (&self->cancellable);
  hl_loading_page_stop (self->loading_page);
  if (session != NULL)
    {
      hl_compare_view_start (self, session, &(HlHeadPairing){ -1, -1 });
      if (opening->wants_text && hl_session_get_live (session) != NULL)
        hl_text_bar_focus (self->other_text_bar);
      return;
    }
  update (self);
  g_object_notify (G_OBJECT (self), "active");
  /* Translators: stands after a file's name and a colon, and before the reason */
  g_prefix_error (&error, _ ("it cannot be compared with “%s”: "), name);
  g_signal_emit_by_name (self, "failed", error);
}

/* Opens a file and shows both side by side, or HlCompareView::failed tells why not. */
void
hl_compare_view_open (HlCompareView *self,
                      GFile         *file,
                      HlSession     *like)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (G_IS_FILE (file));

  g_autoptr (HlProgress) progress = hl_progress_new ();
  Opening *opening = g_new0 (Opening, 1);

  stop_opening (self);
  self->cancellable = g_cancellable_new ();
  opening->view = g_object_ref (self);
  opening->cancellable = g_object_ref (self->cancellable);
  opening->name = hl_file_dup_display_name (file);
  opening->wants_text = like == self->session;
  hl_loading_page_start (self->loading_page, opening->name, progress);
  update (self);
  g_object_notify (G_OBJECT (self), "active");
  hl_session_open_async (file, NULL, like, NULL, progress, self->cancellable, on_opened, opening);
}

static HlScene *
copy_scene (HlSceneView *view)
{
  HlScene *scene = hl_scene_view_get_scene (view);
  HlViewState *state = hl_scene_get_state (scene);
  HlScene *copy = hl_scene_new (hl_view_state_get_options (state)->view, state);
  double width, height, x, y;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  hl_scene_set_viewport (copy, width, height, 1);
  hl_scene_set_zoom (copy, hl_scene_get_zoom (scene));
  hl_scene_get_scroll (scene, &x, &y);
  hl_scene_set_scroll (copy, x, y);
  return copy;
}

static HlScene *
create_pair_scene (HlSceneView *left,
                   HlSceneView *right)
{
  g_autoptr (HlScene) left_scene = copy_scene (left);
  g_autoptr (HlScene) right_scene = copy_scene (right);
  HlScene *pair = hl_pair_scene_new (left_scene, right_scene);
  double width, height, other_width;
  hl_scene_get_viewport (hl_scene_view_get_scene (left), &width, &height, NULL);
  hl_scene_get_viewport (hl_scene_view_get_scene (right), &other_width, NULL, NULL);
  hl_scene_set_viewport (pair, width + other_width + HL_PAIR_SCENE_GAP, height, 1);
  return pair;
}

HlScene *
hl_compare_view_create_scene (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  g_return_val_if_fail (self->scene_view != NULL, NULL);

  if (self->sides == NULL || hl_sides_get_difference (self->sides))
    return g_object_ref (hl_scene_view_get_scene (self->scene_view));
  return create_pair_scene (self->scene_view, self->other_view);
}

/* How something is spelt that is pinned on one side of a difference. */
static char *
spell_pin (HlViewState   *side,
           const HlFocus *pin)
{
  g_auto (HlStill) still = { 0 };
  g_auto (HlStateTexts) texts = { 0 };

  hl_still_take (&still, side);
  g_autoptr (HlViewState) state = hl_still_show (&still);
  hl_view_state_set_difference (state, NULL, NULL);
  hl_view_state_set_pin (state, pin);
  hl_state_texts_take (&texts, state);
  return g_strdup (hl_state_texts_get (&texts, "pinned"));
}

/* In the difference tokens are counted in a list of both sides', which exists as long as both do. */
static char *
save_pins_of_difference (HlViewState    *a,
                         HlViewState    *b,
                         HlSavedSession *saved)
{
  HlComparison *comparison = hl_view_state_get_shown (a)->comparison;
  const HlFocus *pin = hl_view_state_get_pin (a);

  if (comparison == NULL || pin->pick.kind == HL_PICK_NONE)
    return NULL;
  g_auto (HlFocus) on_a = hl_focus_on_side (comparison, pin, FALSE);
  g_auto (HlFocus) on_b = hl_focus_on_side (comparison, pin, TRUE);
  g_autofree char *text = on_a.pick.kind != HL_PICK_NONE ? spell_pin (a, &on_a) : NULL;
  hl_state_texts_set (&saved->state, "pinned", text);
  /* What the first side tells alone need not be said again. */
  g_auto (HlFocus) again = hl_focus_in_common (comparison, &on_a, NULL);
  return !hl_focus_equal (&again, pin) && on_b.pick.kind != HL_PICK_NONE ? spell_pin (b, &on_b) : NULL;
}

/* The tokens that are hidden on the second side, if these are not the ones of the first. */
static char *
save_hidden (HlViewState *a,
             HlViewState *b)
{
  g_autoptr (HlViewState) alike = hl_view_state_new (hl_view_state_get_example (b));
  g_autofree char *hidden = hl_view_state_dup_hidden (b);

  hl_view_state_set_attention (alike, hl_view_state_get_attention (b));
  hl_view_state_hide_like (alike, a);
  g_autofree char *expected = hl_view_state_dup_hidden (alike);
  return g_strcmp0 (hidden, expected) != 0 ? g_steal_pointer (&hidden) : NULL;
}

static void
set_index (HlStateTexts *texts,
           const char   *property,
           int           index)
{
  g_autofree char *text = g_strdup_printf ("%d", index);

  hl_state_texts_set (texts, property, index >= 0 ? text : NULL);
}

/* What the second side has of its own. */
static void
save_state (HlCompareView  *self,
            HlSavedSession *saved,
            HlSavedSession *other)
{
  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (self->other);
  const HlHeadPairing *pairing = hl_sides_get_pairing (self->sides);
  const HlAttentionKind kind = hl_attention_get_kind (hl_view_state_get_attention (b));
  const gboolean same_kind = kind == hl_attention_get_kind (hl_view_state_get_attention (a));
  g_autofree char *hidden = save_hidden (a, b);
  g_autofree char *pinned = NULL;

  if (other->difference)
    pinned = save_pins_of_difference (a, b, saved);
  else if (hl_view_state_get_pinned (a)->kind == HL_PICK_NONE)
    pinned = g_strdup (hl_state_texts_get (&other->state, "pinned"));
  hl_state_texts_clear (&other->state);
  hl_state_texts_set (&other->state, "attention", same_kind ? NULL : hl_attention_kind_get_name (kind));
  hl_state_texts_set (&other->state, "hidden", hidden);
  hl_state_texts_set (&other->state, "pinned", pinned);
  set_index (&other->state, "layer", pairing->layer);
  set_index (&other->state, "head", pairing->head);
}

/* The same document once more, or the same model on another text, are of the same file and read in the same way. */
static void
leave_out_file (HlCompareView  *self,
                HlSavedSession *saved,
                HlSavedSession *other)
{
  const gboolean is_same = hl_session_get_document (self->other) == hl_session_get_document (self->session);
  const gboolean is_live = hl_session_get_live (self->other) != NULL && hl_session_get_live (self->session) != NULL;

  if (!is_same && !(is_live && other->text != NULL && g_file_equal (other->file, saved->file)))
    return;
  g_clear_object (&other->file);
  hl_open_options_clear (&other->options);
}

void
hl_compare_view_save (HlCompareView  *self,
                      HlSavedSession *saved)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->sides == NULL)
    return;
  HlSavedSession *other = hl_session_save (self->other, hl_scene_view_get_scene (self->other_view));

  other->difference = hl_sides_get_difference (self->sides);
  leave_out_file (self, saved, other);
  save_state (self, saved, other);
  /* Both are zoomed alike; of a side that is not seen it is no matter where it is. */
  other->zoom = 0;
  if (other->difference)
    other->scroll_x = other->scroll_y = 0;
  saved->other = other;
}
