/* SPDX-License-Identifier: MIT */
#include "view/hl-view-history.h"

#include "core/base/hl-owner.h"
#include "view/pick/hl-pick-sides.h"

/* What comes sooner after another change of its kind belongs to that. */
#define GO_US (G_USEC_PER_SEC)

/* What somebody chose; the rest follows from it, or is not remembered, as the theme and the pointer. */
#define CHOICES                                                                                                        \
  (HL_CHANGED_ATTENTION | HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS | HL_CHANGED_LAYERS |                  \
   HL_CHANGED_HIDDEN | HL_CHANGED_VIEW | HL_CHANGED_DERIVATION | HL_CHANGED_FILTERS | HL_CHANGED_TOKENS |              \
   HL_CHANGED_COLOURS | HL_CHANGED_LINES | HL_CHANGED_THUMBNAILS | HL_CHANGED_ORDER | HL_CHANGED_CHART |               \
   HL_CHANGED_SCORES | HL_CHANGED_ORIENTATION | HL_CHANGED_READING | HL_CHANGED_PIN | HL_CHANGED_GATHERED)

#define PINNING (HL_CHANGED_PIN | HL_CHANGED_GATHERED)

/* What is pinned is kept as it was shown, and by the tokens of the attention: in a difference these are counted otherwise, and whether one is
 * shown, and of what, is no step. */
typedef struct
{
  HlAttention *attention;
  HlViewOptions options;
  HlHeadSelection selection;
  HlFocus pin;
  HlFocus pin_in_text;
  gboolean is_difference;
  GWeakRef other; /* what the attention was subtracted from; HlAttention */
  char *hidden;
} Step;

struct _HlViewHistory
{
  GObject parent_instance;

  GThread *owner;
  HlViewState *state;
  Step *now;
  GQueue before; /* Step*, the last one first */
  GQueue after;
  HlChanges kind; /* of the step that is being made */
  gint64 changed_at;
  gboolean is_going; /* back or forth */
};

enum
{
  MOVED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlViewHistory, hl_view_history, G_TYPE_OBJECT)

static Step *
step_new (HlViewState *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  Step *step = g_new0 (Step, 1);

  step->attention = g_object_ref (hl_view_state_get_attention (state));
  step->options = *hl_view_state_get_options (state);
  step->selection = hl_head_selection_copy (hl_view_state_get_selection (state));
  step->pin = hl_focus_copy (hl_view_state_get_pin (state));
  step->pin_in_text = hl_focus_carried (&step->pin, shown->attention, shown->original);
  step->is_difference = shown->comparison != NULL;
  g_weak_ref_init (&step->other, step->is_difference ? shown->other : NULL);
  step->hidden = hl_view_state_dup_hidden (state);
  return step;
}

static void
step_free (Step *step)
{
  g_object_unref (step->attention);
  hl_head_selection_clear (&step->selection);
  hl_focus_clear (&step->pin);
  hl_focus_clear (&step->pin_in_text);
  g_weak_ref_clear (&step->other);
  g_free (step->hidden);
  g_free (step);
}

/* What was pinned, as it is counted in what is shown now. */
static HlFocus
step_find_pin (Step          *step,
               const HlShown *shown)
{
  g_autoptr (HlAttention) other = g_weak_ref_get (&step->other);

  if (step->is_difference == (shown->comparison != NULL) && (!step->is_difference || other == shown->other))
    return hl_focus_copy (&step->pin);
  return hl_focus_carried (&step->pin_in_text, shown->original, shown->attention);
}

/* Whether what is shown now, which is @now, is that step. */
static gboolean
step_is_shown (Step          *step,
               const Step    *now,
               const HlShown *shown)
{
  if (step->attention != now->attention ||
      (hl_view_options_compare (&step->options, &now->options) & ~(HlChanges) HL_CHANGED_THEME) != 0 ||
      !hl_head_selection_equal (&step->selection, &now->selection) || g_strcmp0 (step->hidden, now->hidden) != 0)
    return FALSE;
  g_auto (HlFocus) pin = step_find_pin (step, shown);
  return hl_focus_equal (&pin, &now->pin);
}

static void
clear_steps (GQueue *steps)
{
  g_queue_clear_full (steps, (GDestroyNotify) step_free);
}

static void
on_changed (HlViewHistory *self,
            HlChanges      changes)
{
  const HlChanges kind = changes & CHOICES;
  const gint64 now = g_get_monotonic_time ();

  if (self->is_going)
    return;
  if (changes & HL_CHANGED_EXAMPLE)
    {
      clear_steps (&self->before);
      clear_steps (&self->after);
      g_clear_pointer (&self->now, step_free);
      self->now = step_new (self->state);
      self->kind = 0;
      g_signal_emit (self, signals[MOVED], 0);
      return;
    }
  if (kind == 0)
    return;
  Step *step = step_new (self->state);
  if (step_is_shown (self->now, step, hl_view_state_get_shown (self->state)))
    {
      step_free (step);
      return;
    }
  /* Who looks for a pair pins a dozen tokens; nobody goes back through them. */
  const gboolean goes_on = kind == self->kind && ((kind & ~(HlChanges) PINNING) == 0 || now - self->changed_at < GO_US);
  if (goes_on)
    step_free (self->now);
  else
    g_queue_push_head (&self->before, self->now);
  self->now = step;
  self->kind = kind;
  self->changed_at = now;
  clear_steps (&self->after);
  while (g_queue_get_length (&self->before) > HL_VIEW_HISTORY_STEPS)
    step_free (g_queue_pop_tail (&self->before));
  g_signal_emit (self, signals[MOVED], 0);
}

static void
hl_view_history_dispose (GObject *object)
{
  HlViewHistory *self = HL_VIEW_HISTORY (object);

  if (self->state != NULL)
    g_signal_emit (self, signals[MOVED], 0);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  clear_steps (&self->before);
  clear_steps (&self->after);
  g_clear_pointer (&self->now, step_free);
  G_OBJECT_CLASS (hl_view_history_parent_class)->dispose (object);
}

static void
hl_view_history_class_init (HlViewHistoryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_view_history_dispose;

  /* What would be undone now is another step than it was, or there is none. */
  signals[MOVED] = g_signal_new ("moved", HL_TYPE_VIEW_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_view_history_init (HlViewHistory *self)
{
  self->owner = g_thread_self ();
}

/* It begins with what is shown now. */
HlViewHistory *
hl_view_history_new (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  HlViewHistory *self = g_object_new (HL_TYPE_VIEW_HISTORY, NULL);
  self->state = g_object_ref (state);
  self->now = step_new (state);
  g_signal_connect_swapped (state, "changed", G_CALLBACK (on_changed), self);
  return self;
}

gboolean
hl_view_history_can_undo (HlViewHistory *self)
{
  g_return_val_if_fail (HL_IS_VIEW_HISTORY (self), FALSE);

  return !g_queue_is_empty (&self->before);
}

gboolean
hl_view_history_can_redo (HlViewHistory *self)
{
  g_return_val_if_fail (HL_IS_VIEW_HISTORY (self), FALSE);

  return !g_queue_is_empty (&self->after);
}

static void
go (HlViewHistory *self,
    GQueue        *from,
    GQueue        *to)
{
  if (g_queue_is_empty (from))
    return;
  g_queue_push_head (to, self->now);
  self->now = g_queue_pop_head (from);
  self->kind = 0;
  self->is_going = TRUE;
  HlViewOptions options = self->now->options;
  options.dark = hl_view_state_get_options (self->state)->dark;
  g_object_freeze_notify (G_OBJECT (self->state));
  if (self->now->attention != hl_view_state_get_attention (self->state))
    hl_view_state_set_attention (self->state, self->now->attention);
  hl_view_state_set_options (self->state, &options);
  hl_view_state_set_selection (self->state, &self->now->selection);
  hl_view_state_set_hidden (self->state, self->now->hidden);
  g_auto (HlFocus) pin = step_find_pin (self->now, hl_view_state_get_shown (self->state));
  hl_view_state_keep_pin (self->state, &pin);
  g_object_thaw_notify (G_OBJECT (self->state));
  self->is_going = FALSE;
  g_signal_emit (self, signals[MOVED], 0);
}

void
hl_view_history_undo (HlViewHistory *self)
{
  g_return_if_fail (HL_IS_VIEW_HISTORY (self));
  HL_ASSERT_OWNER (self);

  go (self, &self->before, &self->after);
}

void
hl_view_history_redo (HlViewHistory *self)
{
  g_return_if_fail (HL_IS_VIEW_HISTORY (self));
  HL_ASSERT_OWNER (self);

  go (self, &self->after, &self->before);
}

/* What changes next is a step of its own, however soon. */
void
hl_view_history_end_step (HlViewHistory *self)
{
  g_return_if_fail (HL_IS_VIEW_HISTORY (self));
  HL_ASSERT_OWNER (self);

  self->kind = 0;
}
