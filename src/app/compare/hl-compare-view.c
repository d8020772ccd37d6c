/* SPDX-License-Identifier: MIT */
/* The second side is a session of its own, with a view state that follows the first. It is opened in a worker, as tabs
 * are. A comparison becomes part of a session that is saved, and is as in one that was. */
#include "config.h"

#include "app/compare/hl-compare-view.h"

#include "app/base/hl-accessible.h"
#include "app/base/hl-focus.h"
#include "app/widgets/hl-waiting.h"
#include "app/canvas/hl-reading-note.h"
#include "app/compare/hl-compare-bar.h"
#include "app/compare/hl-compare-scroll.h"
#include "app/compare/hl-halves.h"
#include "app/compare/hl-kept-texts.h"
#include "app/compare/hl-saved-comparison.h"
#include "app/heads/hl-head-work.h"
#include "app/live/hl-text-bar.h"
#include "app/session/hl-session-open.h"
#include "app/session/hl-session.h"
#include "core/base/file/hl-file-name.h"
#include "draw/export/hl-pair-scene.h"

#include <glib/gi18n.h>

/* Of a picture that stands beside another. With less, panels go; two fit into what is not yet narrow. */
#define MIN_SIDE_WIDTH 310

struct _HlCompareView
{
  AdwBin parent_instance;

  GtkBox *box;
  GtkPaned *paned;
  HlHalves *halves; /* of that */
  GtkWidget *other_side;
  GtkStack *other_stack;
  HlLoadingPage *loading_page;
  HlSceneView *other_view;
  AdwBin *text_place;
  /* NULL before there is a second side for the first time: most sessions never have one. */
  HlCompareBar *bar;
  HlTextBar *other_text_bar;

  HlSession *session;
  HlSceneView *scene_view;
  HlSession *other;
  HlSides *sides;
  /* What the picture of the second side must know of its heads; the table has that of the first. */
  HlHeadWork *other_work;
  HlCompareScroll *scroll;
  GCancellable *cancellable;
  HlKeptTexts kept_texts; /* of the second side when it was last there */
  gboolean was_active;
  gboolean passes_on; /* to a session that takes the place of the first side */
  gboolean narrow;
  /* Of sides that are seen one at a time, which. */
  gboolean shows_second;
  /* Whether the second side is the first once more, of the same text and the same example. */
  gboolean follows_document;
  gboolean follows_example;
  char *title;
};

enum
{
  PROP_CONTENT = 1,
  PROP_TEXT_PLACE,
  PROP_ACTIVE,
  PROP_DIFFERENCE,
  PROP_TITLE,
  PROP_SIDE,
  N_PROPERTIES,
};

enum
{
  FAILED,
  OTHER_WRITTEN,
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

/* Heads may be others at any time, and what differs with them. */
static void
update_title (HlCompareView *self)
{
  g_autofree char *title = NULL;

  if (self->sides != NULL)
    {
      hl_compare_bar_update_names (self->bar, self->session, self->other);
      title = hl_compare_bar_dup_title (self->bar);
    }
  if (g_strcmp0 (title, self->title) == 0)
    return;
  g_free (self->title);
  self->title = g_steal_pointer (&title);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

/* With the texts that they are of, two pictures have no room for words one above the other where there is as little of it as on a
 * phone. */
static gboolean
has_turns (HlCompareView *self)
{
  return self->narrow && hl_compare_view_get_active (self) &&
         (hl_session_get_live (self->session) != NULL ||
          (self->other != NULL && hl_session_get_live (self->other) != NULL));
}

static GtkWidget *
get_seen (HlCompareView *self)
{
  const HlCompareSide side = hl_compare_view_get_side (self);

  return GTK_WIDGET (side == HL_COMPARE_SIDE_B ? self->other_view : self->scene_view);
}

/* Whoever was in what is no longer seen goes on in what is. */
static void
place_sides (HlCompareView *self,
             gboolean       beside)
{
  GtkWidget *content = gtk_paned_get_start_child (self->paned);
  const HlCompareSide side = hl_compare_view_get_side (self);
  GtkWidget *const widgets[] = { content, self->other_side, GTK_WIDGET (self->text_place) };
  const gboolean is_seen[] = { side != HL_COMPARE_SIDE_B, beside && side != HL_COMPARE_SIDE_A,
                               side != HL_COMPARE_SIDE_A };
  gboolean loses_focus = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (widgets); i++)
    loses_focus = loses_focus || (!is_seen[i] && hl_focus_is_in (widgets[i]));
  for (guint i = 0; i < 2; i++)
    gtk_widget_set_visible (widgets[i], is_seen[i]);
  if (self->bar != NULL)
    {
      hl_text_bar_set_aside (self->other_text_bar, !is_seen[2]);
      hl_compare_bar_set_side (self->bar, side);
    }
  if (self->scroll != NULL)
    hl_compare_scroll_set_alone (self->scroll, side != HL_COMPARE_SIDE_BOTH);
  if (loses_focus)
    hl_compare_view_focus (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDE]);
}

/* Of a text that was wiped out there is no picture, and no difference. */
static void
update_empty (HlCompareView *self)
{
  const gboolean is_empty = self->other != NULL && hl_session_is_empty (self->other);
  GtkWidget *const parts[] = { GTK_WIDGET (self->other_stack), gtk_paned_get_start_child (self->paned) };
  const gboolean is_of_second[] = { TRUE, hl_compare_view_get_difference (self) };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gtk_widget_set_opacity (parts[i], is_empty && is_of_second[i] ? 0 : 1);
      gtk_widget_set_sensitive (parts[i], !(is_empty && is_of_second[i]));
    }
}

/* What the sides say is what can be seen. */
static void
update (HlCompareView *self)
{
  const gboolean difference = hl_compare_view_get_difference (self);
  const gboolean beside = self->cancellable != NULL || (self->sides != NULL && !difference);

  if (!self->was_active)
    hl_halves_begin (self->halves, beside);
  if (self->bar != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->bar), self->sides != NULL);
  self->was_active = hl_compare_view_get_active (self);
  gtk_widget_set_size_request (GTK_WIDGET (self->paned), beside && !self->narrow ? 2 * MIN_SIDE_WIDTH : -1, -1);
  place_sides (self, beside);
  update_empty (self);
  gtk_stack_set_visible_child_name (self->other_stack, self->cancellable != NULL ? "loading" : "scene");
  update_title (self);
}

static void
on_sides_changed (HlCompareView *self)
{
  update (self);
  hl_compare_bar_update (self->bar);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DIFFERENCE]);
}

/* Returns the second side, which is open still. */
static HlSession *
release_other (HlCompareView *self)
{
  hl_kept_texts_keep (&self->kept_texts, self->other);
  g_signal_handlers_disconnect_by_data (self->sides, self);
  hl_compare_bar_set_sides (self->bar, NULL);
  g_clear_object (&self->scroll);
  hl_head_work_set_view_state (self->other_work, NULL);
  hl_sides_close (self->sides);
  g_clear_object (&self->sides);
  hl_text_bar_set_live (self->other_text_bar, NULL);
  hl_scene_view_set_view_state (self->other_view, NULL);
  g_signal_handlers_disconnect_by_data (self->other, self);
  if (hl_session_get_watch (self->other) != NULL)
    g_signal_handlers_disconnect_by_data (hl_session_get_watch (self->other), self);
  if (hl_session_get_live (self->other) != NULL)
    g_signal_handlers_disconnect_by_func (hl_session_get_live (self->other), update_empty, self);
  return g_steal_pointer (&self->other);
}

static void
unlink_sides (HlCompareView *self)
{
  if (self->sides == NULL)
    return;
  g_autoptr (HlSession) other = release_other (self);
  hl_session_close (other);
}

/* Whoever was in the second side goes back to the first before that is gone. */
static void
keep_focus (HlCompareView *self)
{
  gtk_widget_set_visible (gtk_paned_get_start_child (self->paned), TRUE);
  if (hl_focus_is_in (self->other_side) || (self->bar != NULL && hl_focus_is_in (GTK_WIDGET (self->bar))) ||
      hl_focus_is_in (GTK_WIDGET (self->text_place)))
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
  hl_kept_texts_clear (&HL_COMPARE_VIEW (object)->kept_texts);
  g_clear_object (&HL_COMPARE_VIEW (object)->other_text_bar);
  g_clear_object (&HL_COMPARE_VIEW (object)->text_place);
  g_clear_object (&HL_COMPARE_VIEW (object)->halves);
  g_clear_object (&HL_COMPARE_VIEW (object)->other_work);
  g_clear_pointer (&HL_COMPARE_VIEW (object)->title, g_free);
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
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SIDE:
      g_value_set_enum (value, (int) hl_compare_view_get_side (self));
      break;
    case PROP_TEXT_PLACE:
      g_value_set_object (value, self->text_place);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ensure_bars (HlCompareView *self)
{
  if (self->bar != NULL)
    return;
  self->bar = g_object_new (HL_TYPE_COMPARE_BAR, "visible", FALSE, NULL);
  gtk_box_prepend (self->box, GTK_WIDGET (self->bar));
  hl_compare_bar_set_narrow (self->bar, self->narrow);

  self->other_text_bar = g_object_ref_sink (g_object_new (HL_TYPE_TEXT_BAR, NULL));
  adw_bin_set_child (self->text_place, GTK_WIDGET (self->other_text_bar));
  hl_accessible_name_buttons (GTK_WIDGET (self->other_text_bar));
  hl_text_bar_set_letter (self->other_text_bar, "B");
  hl_text_bar_set_open_action (self->other_text_bar, "win.open-other-image");
  hl_text_bar_set_stacked (self->other_text_bar, self->narrow);
  g_signal_connect_object (self->other_text_bar, "left", G_CALLBACK (on_text_left), self, G_CONNECT_SWAPPED);
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
    case PROP_TEXT_PLACE:
      g_set_object (&self->text_place, g_value_get_object (value));
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
  /* Where the text of the second side is typed, below that of the first. */
  properties[PROP_TEXT_PLACE] =
    g_param_spec_object ("text-place", NULL, NULL, ADW_TYPE_BIN, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE] = g_param_spec_boolean ("active", NULL, NULL, FALSE, readable);
  properties[PROP_DIFFERENCE] = g_param_spec_boolean ("difference", NULL, NULL, FALSE, readable);
  /* What is compared, by what differs: "5·5 | 5·6"; NULL while nothing is. */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_SIDE] = g_param_spec_enum ("side", NULL, NULL, HL_TYPE_COMPARE_SIDE, HL_COMPARE_SIDE_BOTH, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  signals[FAILED] =
    g_signal_new ("failed", HL_TYPE_COMPARE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  /* Somebody wrote to the file of the second side, or it is as it was. */
  signals[OTHER_WRITTEN] =
    g_signal_new ("other-written", HL_TYPE_COMPARE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_LOADING_PAGE);
  g_type_ensure (HL_TYPE_READING_NOTE);
  g_type_ensure (HL_TYPE_SCENE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/compare-view.ui");
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, box);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, paned);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_side);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_stack);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlCompareView, other_view);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
hl_compare_view_init (HlCompareView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->halves = hl_halves_new (self->paned);
  self->other_work = hl_head_work_new ();
}

static void start_sides (HlCompareView *self, HlSession *other, const HlHeadPairing *pairing);

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
  start_sides (self, other, &pairing);
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

  start_sides (self, other, &pairing);
  hl_compare_view_show_side (self, FALSE);
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
      hl_kept_texts_clear (&self->kept_texts);
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
  self->passes_on = self->passes_on && session == NULL;
}

/* Whether both are the same of a file. */
static gboolean
is_same_side (const HlSavedSession *one,
              const HlSavedSession *other)
{
  const gboolean is_same_file = one->file != NULL && other->file != NULL ? g_file_equal (one->file, other->file)
                                                                         : one->file == other->file;

  return is_same_file && one->example == other->example && one->is_bare == other->is_bare &&
         hl_saved_session_is_again (one) == hl_saved_session_is_again (other);
}

/* A second side beside @session, as the one is that is there now. */
static HlSession *
make_other (HlCompareView        *self,
            HlSession            *session,
            const HlSavedSession *saved)
{
  HlDocument *document = hl_session_get_document (session);

  if (!hl_saved_session_is_again (saved))
    {
      keep_focus (self);
      HlSession *other = release_other (self);
      update (self);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
      return other;
    }
  /* Its first example was read when it was made: this cannot fail. */
  HlSession *other = hl_session_new (document, NULL);
  if (saved->example < hl_document_get_n_examples (document))
    hl_session_set_example_index (other, saved->example);
  return other;
}

/* @session takes the place of the first side, and goes on with the comparison as that is now, whatever was begun, chosen or stopped since
 * @session was asked for. The second side is that which was read with it, where it is the same still; what is being opened beside it still is. */
void
hl_compare_view_pass_on (HlCompareView *self,
                         HlSession     *session)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self) && self->session != NULL);
  g_return_if_fail (HL_IS_SESSION (session));

  g_autoptr (HlSession) other = hl_session_steal_other (session);
  g_autoptr (HlSavedSession) saved = NULL;

  self->passes_on = TRUE;
  if (self->sides != NULL)
    {
      saved = hl_session_save (self->session, hl_scene_view_get_scene (self->scene_view));
      hl_compare_view_save (self, saved);
    }
  if (other != NULL && (saved == NULL || !is_same_side (hl_session_get_saved (session)->other, saved->other)))
    {
      hl_session_close (other);
      g_clear_object (&other);
    }
  if (saved == NULL)
    return;
  if (other == NULL)
    other = make_other (self, session, saved->other);
  HlViewState *state = hl_session_get_view_state (other);
  const HlHeadPairing pairing = hl_saved_session_get_pairing (saved->other);
  if (!hl_head_pairing_fits (&pairing, hl_view_state_get_attention (state)))
    {
      hl_state_texts_set (&saved->other->state, "layer", NULL);
      hl_state_texts_set (&saved->other->state, "head", NULL);
    }
  /* As far as what was read has it. */
  hl_state_texts_apply (&saved->other->state, state, NULL);
  hl_session_set_other (session, g_steal_pointer (&other), saved);
}

static void
on_other_failed (HlCompareView *self,
                 const GError  *error)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

static void
on_other_written (HlCompareView *self)
{
  g_signal_emit (self, signals[OTHER_WRITTEN], 0);
}

/* What is being opened to take the place of the second side still does. */
static void
start_sides (HlCompareView       *self,
             HlSession           *other,
             const HlHeadPairing *pairing)
{
  HlViewState *a = hl_session_get_view_state (self->session);
  HlViewState *b = hl_session_get_view_state (other);
  HlAttention *attention = hl_comparison_find_attention (hl_view_state_get_example (a), hl_view_state_get_attention (a),
                                                         hl_view_state_get_example (b));
  g_autoptr (HlAligner) aligner = hl_aligner_new ();

  unlink_sides (self);
  self->other = g_object_ref (other);
  self->follows_document = hl_session_get_document (other) == hl_session_get_document (self->session);
  self->follows_example = self->follows_document &&
                          hl_session_get_example_index (other) == hl_session_get_example_index (self->session);
  if (attention != NULL)
    hl_view_state_set_attention (b, attention);
  ensure_bars (self);
  self->sides = hl_sides_new (a, b, pairing, aligner);
  g_signal_connect_swapped (self->sides, "changed", G_CALLBACK (on_sides_changed), self);
  g_signal_connect_swapped (other, "notify::document", G_CALLBACK (update), self);
  g_signal_connect_swapped (other, "failed", G_CALLBACK (on_other_failed), self);
  if (hl_session_get_watch (other) != NULL)
    g_signal_connect_object (hl_session_get_watch (other), "changed", G_CALLBACK (on_other_written), self,
                             G_CONNECT_SWAPPED);
  hl_head_work_set_view_state (self->other_work, b);
  hl_scene_view_set_view_state (self->other_view, b);
  hl_text_bar_set_live (self->other_text_bar, hl_session_get_live (other));
  if (hl_session_get_live (other) != NULL)
    g_signal_connect_object (hl_session_get_live (other), "notify::empty", G_CALLBACK (update_empty), self,
                             G_CONNECT_SWAPPED);
  hl_compare_bar_set_sides (self->bar, self->sides);
  self->scroll = hl_compare_scroll_new (self->sides, self->scene_view, self->other_view);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

void
hl_compare_view_start (HlCompareView       *self,
                       HlSession           *other,
                       const HlHeadPairing *pairing)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (HL_IS_SESSION (other));
  g_return_if_fail (self->session != NULL && other != self->session);

  /* What was asked for is seen first. */
  self->shows_second = self->shows_second || self->sides == NULL;
  stop_opening (self);
  start_sides (self, other, pairing);
}

void
hl_compare_view_stop (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (!hl_compare_view_get_active (self))
    return;
  keep_focus (self);
  if (!self->passes_on)
    stop_opening (self);
  unlink_sides (self);
  update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
}

/* The second side; NULL while there is none. */
HlSession *
hl_compare_view_get_other (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  return self->other;
}

const char *
hl_compare_view_get_title (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);
  return self->title;
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

/* Two pictures side by side would have no room for words. */
void
hl_compare_view_set_narrow (HlCompareView *self,
                            gboolean       narrow)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  self->narrow = narrow;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  if (self->bar != NULL)
    {
      hl_compare_bar_set_narrow (self->bar, narrow);
      hl_text_bar_set_stacked (self->other_text_bar, narrow);
    }
  update (self);
  hl_halves_divide (self->halves);
}

HlCompareSide
hl_compare_view_get_side (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), HL_COMPARE_SIDE_BOTH);

  if (self->session == NULL || !has_turns (self))
    return HL_COMPARE_SIDE_BOTH;
  if (self->cancellable == NULL && hl_compare_view_get_difference (self))
    return HL_COMPARE_SIDE_DIFFERENCE;
  return self->shows_second || self->cancellable != NULL ? HL_COMPARE_SIDE_B : HL_COMPARE_SIDE_A;
}

/* Of sides that are seen one at a time, or as their difference. */
void
hl_compare_view_show_side (HlCompareView *self,
                           gboolean       second)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  self->shows_second = second;
  if (has_turns (self) && hl_compare_view_get_difference (self))
    hl_sides_set_difference (self->sides, FALSE);
  update (self);
}

/* Whether a widget belongs to the second side; where that is seen alone, everything does. */
gboolean
hl_compare_view_is_in_second (HlCompareView *self,
                              GtkWidget     *widget)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);

  GtkWidget *const places[] = { self->other_side, GTK_WIDGET (self->text_place) };

  if (hl_compare_view_get_side (self) == HL_COMPARE_SIDE_B)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (places) && widget != NULL; i++)
    if (places[i] != NULL && (widget == places[i] || gtk_widget_is_ancestor (widget, places[i])))
      return TRUE;
  return FALSE;
}

/* The bar with the text of the second side; NULL where nothing is compared. */
HlTextBar *
hl_compare_view_get_text_bar (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), NULL);

  return self->sides != NULL ? self->other_text_bar : NULL;
}

/* Lets the keyboard go to the picture of the other side, which is seen then. */
void
hl_compare_view_show_other (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  const HlCompareSide side = hl_compare_view_get_side (self);

  if (side == HL_COMPARE_SIDE_BOTH)
    {
      const gboolean is_in_second = hl_compare_view_is_in_second (self, focus);
      gtk_widget_grab_focus (GTK_WIDGET (is_in_second ? self->scene_view : self->other_view));
      return;
    }
  hl_compare_view_show_side (self, side == HL_COMPARE_SIDE_A);
  hl_compare_view_focus (self);
}

/* Lets the keyboard go to the picture that is seen: the first, where both are. */
void
hl_compare_view_focus (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->scene_view != NULL)
    gtk_widget_grab_focus (get_seen (self));
}

/* Lets the keyboard go to the text of the second side, if that is seen alone; whether it is and has one. */
gboolean
hl_compare_view_focus_text (HlCompareView *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_VIEW (self), FALSE);

  if (hl_compare_view_get_side (self) != HL_COMPARE_SIDE_B || self->other == NULL ||
      hl_session_get_live (self->other) == NULL)
    return FALSE;
  hl_text_bar_focus (self->other_text_bar);
  return TRUE;
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
  gboolean is_counterpart; /* of the text of the first side */
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
      if (opening->wants_text && !opening->is_counterpart)
        hl_kept_texts_bring_back (&self->kept_texts, session, self->session);
      hl_compare_view_start (self, session, &(HlHeadPairing){ -1, -1 });
      /* Who has gone to another tab meanwhile stays there. */
      if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
      HlLiveModel *live = opening->wants_text ? hl_session_get_live (session) : NULL;
      if (live != NULL && hl_live_model_get_pixels (live) != NULL)
        gtk_widget_activate_action (GTK_WIDGET (self->other_text_bar), "win.open-other-image", NULL);
      else if (live != NULL)
        hl_text_bar_focus (self->other_text_bar);
      return;
    }
  update (self);
  g_object_notify (G_OBJECT (self), "active");
  /* Translators: stands after a file's name and a colon, and before the reason */
  g_prefix_error (&error, _ ("it cannot be compared with “%s”: "), name);
  g_signal_emit_by_name (self, "failed", error);
}

static void
open_request (HlCompareView       *self,
              const HlOpenRequest *request,
              HlSession           *like,
              gboolean             is_counterpart)
{
  g_autoptr (HlProgress) progress = hl_progress_new ();
  Opening *opening = g_new0 (Opening, 1);

  stop_opening (self);
  self->shows_second = TRUE;
  self->cancellable = g_cancellable_new ();
  opening->view = g_object_ref (self);
  opening->cancellable = g_object_ref (self->cancellable);
  opening->name = hl_file_dup_display_name (request->file);
  opening->wants_text = like == self->session;
  opening->is_counterpart = is_counterpart;
  hl_loading_page_start (self->loading_page, opening->name, progress);
  update (self);
  g_object_notify (G_OBJECT (self), "active");
  hl_session_open_async (request, like, progress, self->cancellable, on_opened, opening);
}

/* As what is seen is once nothing is under way; of a counterpart the other of the two. */
static HlOpenAdapter
choose_adapter (HlLiveModel *live,
                gboolean     is_counterpart)
{
  return hl_live_model_is_bare (live) != is_counterpart ? HL_OPEN_ADAPTER_OFF : HL_OPEN_ADAPTER_ON;
}

/* Opens a file and shows both side by side, or HlCompareView::failed tells why not. */
void
hl_compare_view_open (HlCompareView *self,
                      GFile         *file,
                      HlSession     *like)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));
  g_return_if_fail (G_IS_FILE (file));

  HlLiveModel *live = like != NULL ? hl_session_get_live (like) : NULL;
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);

  if (live != NULL && hl_live_model_has_adapter (live))
    request->adapter = choose_adapter (live, FALSE);
  open_request (self, request, like, FALSE);
}

/* Likewise, the same text once with the adapter and once without. */
void
hl_compare_view_open_counterpart (HlCompareView *self)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self) && self->session != NULL);

  HlLiveModel *live = hl_session_get_live (self->session);

  if (live == NULL || !hl_live_model_has_adapter (live))
    return;
  g_autoptr (HlOpenRequest) request = hl_open_request_new (hl_live_model_get_file (live));
  request->adapter = choose_adapter (live, TRUE);
  open_request (self, request, self->session, TRUE);
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

/* Of sides that are seen one at a time, each has the room of the one that is seen. */
static HlScene *
create_pair_scene (HlCompareView *self)
{
  HlSceneView *left = self->scene_view;
  HlSceneView *right = self->other_view;
  HlSceneView *const seen = HL_SCENE_VIEW (get_seen (self));
  const gboolean is_alone = hl_compare_view_get_side (self) != HL_COMPARE_SIDE_BOTH;

  g_autoptr (HlScene) left_scene = copy_scene (left);
  g_autoptr (HlScene) right_scene = copy_scene (right);
  HlScene *pair = hl_pair_scene_new (left_scene, right_scene);
  double width, height, other_width;
  hl_scene_get_viewport (hl_scene_view_get_scene (is_alone ? seen : left), &width, &height, NULL);
  hl_scene_get_viewport (hl_scene_view_get_scene (is_alone ? seen : right), &other_width, NULL, NULL);
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
  return create_pair_scene (self);
}

void
hl_compare_view_save (HlCompareView  *self,
                      HlSavedSession *saved)
{
  g_return_if_fail (HL_IS_COMPARE_VIEW (self));

  if (self->sides != NULL)
    hl_saved_comparison_take (saved, self->session, self->other, self->sides,
                              hl_scene_view_get_scene (self->other_view));
}
