/* SPDX-License-Identifier: MIT */
/*
 * A sequence of what people do, replayed in the real window. Each step changes something and waits for the frame that
 * shows it. Two times are taken of it: the work, which is what the main thread did for the change and in all frames up
 * to the one that shows it; and the delay, which is the time until that frame was painted, with the wait for a tick of
 * the frame clock (60 a second, whatever the work) and for workers. Of each part also the longest stretch is taken that
 * the main thread was busy: with what came back from workers, whichever frame it was for; and what the main thread's processor
 * worked from one step to the next, with what came after the frame, whatever else the machine did. After the first picture it
 * is counted how often the picture's place changes while nothing is done. Prints a line `name value
 * unit` for everything it measured and closes the window.
 */
#include "config.h"

#include "app/hl-trace.h"

#include "core/analysis/hl-head-index.h"
#include "core/base/hl-utf8.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define REST_MS 30

/* What moves after the first picture does so within this time. */
#define FIRST_REST_MS 2000

/* A part that waits for large pictures makes as many steps as it can in this time, and at least the fewest. */
#define PART_MS 20000
#define MIN_STEPS 5

/* How long the main thread is busy at a stretch: nobody is answered from when its loop has found work until it waits
 * again. The loop calls a function without data; there is one main thread. */
static GPollFunc poll_before;
static gint64 woken;
static gint64 longest;

static gint
wait_for_work (GPollFD *fds,
               guint    n_fds,
               gint     timeout)
{
  const gint64 now = g_get_monotonic_time ();

  if (woken != 0)
    longest = MAX (longest, now - woken);
  const gint n = poll_before (fds, n_fds, timeout);
  woken = g_get_monotonic_time ();
  return n;
}

/* In microseconds, of this thread. */
static gint64
get_worked (void)
{
  struct timespec work;

  return clock_gettime (CLOCK_THREAD_CPUTIME_ID, &work) == 0 ? work.tv_sec * 1000000 + work.tv_nsec / 1000 : 0;
}

static void
start_busy_clock (void)
{
  poll_before = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, wait_for_work);
}

/* In microseconds, since this was last asked. */
static gint64
take_longest_busy (void)
{
  const gint64 taken = longest;

  longest = 0;
  return taken;
}

/* Changes something that the picture shows, for the i-th time. */
typedef void (*Step) (HlSceneView *view, HlViewState *state, guint i);

/* What people do to a picture, many times over. */
typedef struct
{
  const char *name;
  const char *view; /* its nick */
  Step step;
  guint n_steps;
  gboolean needs_picture; /* whether the step is over only when the scene is complete */
  gboolean needs_heads;   /* whether there must be more than one head in the document */
  HlOrientation orientation;
} Part;

static void
hover (HlSceneView *view,
       HlViewState *state,
       guint        i)
{
  const HlRange queries = hl_view_state_get_shown (state)->queries;
  const HlRange keys = hl_view_state_get_shown (state)->keys;
  /* Neighbours would share more than a pointer that sweeps over them does. */
  const HlPick query = { HL_PICK_QUERY, .query = queries.first + i * 7 % queries.n };
  const HlPick key = { HL_PICK_KEY, .key = keys.first + i * 7 % keys.n };

  hl_view_state_set_hovered (state, i % 4 == 3 ? &key : &query);
}

/* Over thumbnails, the first of them while others are still being made. */
static void
hover_head (HlSceneView *view,
            HlViewState *state,
            guint        i)
{
  HlAttention *attention = hl_view_state_get_shown (state)->attention;
  const guint layer = i * 7 % hl_attention_get_n_layers (attention);
  const guint n_heads = hl_attention_get_n_heads (attention, layer);
  const HlPick pick = { HL_PICK_MAP, .head = i * 5 % MAX (n_heads, 1), .layer = layer };

  hl_view_state_set_hovered (state, n_heads > 0 ? &pick : NULL);
}

/* To the next of all: what is shown already has no other picture, and the step would not end. */
static void
change_head (HlSceneView *view,
             HlViewState *state,
             guint        i)
{
  g_auto (HlHeadIndex) index;

  hl_head_index_init (&index, hl_view_state_get_attention_source (state));
  const guint next = (index.starts[hl_view_state_get_layer (state)] + hl_view_state_get_head (state) + 1) %
                     hl_head_index_get_n (&index);
  const guint layer = hl_head_index_get_layer (&index, next);
  hl_view_state_set_hovered (state, NULL);
  hl_view_state_go_to (state, layer, next - index.starts[layer]);
}

static void
scroll (HlSceneView *view,
        HlViewState *state,
        guint        i)
{
  HlScene *scene = hl_scene_view_get_scene (view);
  double width, height, page_width, page_height;

  hl_scene_measure (scene, &width, &height);
  hl_scene_get_viewport (scene, &page_width, &page_height, NULL);
  /* To and fro, over all of the content. */
  const double t = i % 100 < 50 ? i % 50 / 50.0 : 1 - i % 50 / 50.0;
  hl_scene_set_scroll (scene, t * MAX (0, width - page_width), t * MAX (0, height - page_height));
}

static void
zoom (HlSceneView *view,
      HlViewState *state,
      guint        i)
{
  hl_scene_view_zoom (view, i % 50 < 25 ? 1.1 : 1 / 1.1);
}

static void
transpose (HlSceneView *view,
           HlViewState *state,
           guint        i)
{
  hl_view_state_set_option (state, direction, i % 2 == 0 ? HL_DIRECTION_TRANSPOSED : HL_DIRECTION_AS_IS);
}

static void
join_words (HlSceneView *view,
            HlViewState *state,
            guint        i)
{
  hl_view_state_set_option (state, words, i % 2 == 0);
}

static const Part parts[] = {
  { "hover", "head-view", hover, 200 },
  { "head-change", "head-view", change_head, 200, TRUE, TRUE },
  { "head-view-scroll", "head-view", scroll, 100 },
  { "head-view-zoom", "head-view", zoom, 100 },
  { "horizontal-hover", "head-view", hover, 200, .orientation = HL_ORIENTATION_HORIZONTAL },
  { "heatmap-hover", "heatmap", hover, 100 },
  { "heatmap-head-change", "heatmap", change_head, 100, TRUE, TRUE },
  { "heatmap-zoom", "heatmap", zoom, 125 },
  { "heatmap-pan", "heatmap", scroll, 100 },
  { "transpose", "heatmap", transpose, 40 },
  { "words", "heatmap", join_words, 40 },
  { "model-view-hover", "model-view", hover_head, 200 },
  { "model-view-zoom", "model-view", zoom, 125 },
  { "model-view-pan", "model-view", scroll, 100 },
  { "layers-hover", "layers", hover, 200 },
  { "picture-hover", "picture", hover, 200 },
};

/* Shows what its steps change, whatever others left. */
static void
begin_part (const Part  *self,
            HlViewState *state)
{
  HlViewKind view;

  hl_view_state_set_hovered (state, NULL);
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  hl_view_state_set_option (state, words, FALSE);
  hl_view_state_set_option (state, orientation, self->orientation);
  if (hl_view_kind_from_nick (self->view, &view))
    hl_view_state_set_option (state, view, view);
}

struct _HlTrace
{
  GObject parent_instance;

  HlWindow *window;
  HlDocumentPage *page;
  HlSceneView *scene_view;
  HlViewState *state;
  GdkFrameClock *clock;

  gint64 began;
  gint64 window_shown;
  gint64 part_began;
  gint64 changed;
  gint64 frame_began;
  gint64 work;
  gboolean shown;
  gboolean complete;
  guint part;
  guint n_done;
  gint64 worked;         /* before the step */
  graphene_rect_t place; /* of the first picture, in the window */
  guint n_moves;
  GArray *works;
  GArray *delays;
  GArray *processor;
  guint timeout;
  gboolean failed;
};

G_DEFINE_FINAL_TYPE (HlTrace, hl_trace, G_TYPE_OBJECT)

static void
print_ms (const char *name,
          const char *suffix,
          gint64      microseconds)
{
  g_print ("%s%s %.2f ms\n", name, suffix, microseconds / 1000.0);
}

static int
compare_times (gconstpointer a,
               gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static void
print_times (const char *name,
             const char *median_suffix,
             const char *worst_suffix,
             GArray     *times)
{
  g_array_sort (times, compare_times);
  print_ms (name, median_suffix, g_array_index (times, gint64, times->len / 2));
  print_ms (name, worst_suffix, g_array_index (times, gint64, times->len - 1));
  g_array_set_size (times, 0);
}

/* From when the kernel made the process, which it tells to a tick of 10 ms; and what of it the process worked. */
static void
print_start (void)
{
  g_autofree char *status = NULL;
  struct timespec now, work;

  if (!g_file_get_contents ("/proc/self/stat", &status, NULL, NULL))
    return;
  /* The second field is a name in brackets, which may hold anything; the start is the twentieth after it. */
  const char *rest = strrchr (status, ')');
  g_auto (GStrv) fields = g_strsplit (rest != NULL ? rest : "", " ", -1);
  if (g_strv_length (fields) <= 20 || clock_gettime (CLOCK_BOOTTIME, &now) != 0 ||
      clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &work) != 0)
    return;
  const double start = g_ascii_strtod (fields[20], NULL) * 1000 / (double) sysconf (_SC_CLK_TCK);
  g_print ("process-start-to-picture %.0f ms\n", (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6 - start);
  g_print ("process-start-to-picture-work %.1f ms\n", (double) work.tv_sec * 1000 + (double) work.tv_nsec / 1e6);
}

/* What is resident now. */
static void
print_memory (const char *name)
{
  static const char field[] = "VmRSS:";
  g_autofree char *status = NULL;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return;
  const char *line = strstr (status, field);
  if (line != NULL)
    g_print ("%s-resident %.1f MiB\n", name, g_ascii_strtod (line + strlen (field), NULL) / 1024);
}

static void
finish (HlTrace *self)
{
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  gtk_window_close (GTK_WINDOW (self->window));
}

static gboolean
make_step (gpointer data)
{
  HlTrace *self = data;
  const Part *part = &parts[self->part];

  const gint64 worked = get_worked ();
  const gint64 before = worked - self->worked;

  self->timeout = 0;
  if (self->n_done > 0)
    g_array_append_val (self->processor, before);
  self->worked = worked;
  if (self->n_done == 0)
    {
      self->part_began = g_get_monotonic_time ();
      take_longest_busy ();
    }
  self->complete = !part->needs_picture;
  self->changed = g_get_monotonic_time ();
  part->step (self->scene_view, self->state, self->n_done);
  self->work = g_get_monotonic_time () - self->changed;
  gtk_widget_queue_draw (GTK_WIDGET (self->scene_view));
  return G_SOURCE_REMOVE;
}

/* There may be no other head, and nothing that the view shows. */
static gboolean
is_possible (HlTrace    *self,
             const Part *part)
{
  g_auto (HlHeadIndex) index;
  HlViewKind view;

  hl_head_index_init (&index, hl_view_state_get_attention_source (self->state));
  if (hl_view_kind_from_nick (part->view, &view) &&
      hl_view_kind_get_lack (view, hl_view_state_get_attention (self->state)) != NULL)
    return FALSE;
  return !part->needs_heads || hl_head_index_get_n (&index) > 1;
}

static gboolean
start_part (gpointer data)
{
  HlTrace *self = data;

  self->timeout = 0;
  while (self->part < G_N_ELEMENTS (parts) && !is_possible (self, &parts[self->part]))
    self->part++;
  if (self->part == G_N_ELEMENTS (parts))
    {
      finish (self);
      return G_SOURCE_REMOVE;
    }
  begin_part (&parts[self->part], self->state);
  /* The first picture of a view is not this part's. */
  self->timeout = g_timeout_add (10 * REST_MS, make_step, self);
  return G_SOURCE_REMOVE;
}

static gboolean
end_first_rest (gpointer data)
{
  HlTrace *self = data;

  g_print ("first-picture-moves %u times\n", self->n_moves);
  return start_part (self);
}

static graphene_rect_t
get_place (HlTrace *self)
{
  graphene_rect_t place = GRAPHENE_RECT_INIT (0, 0, 0, 0);

  if (!gtk_widget_compute_bounds (GTK_WIDGET (self->scene_view), GTK_WIDGET (self->window), &place))
    g_printerr ("headlight: the picture has no place in the window\n");
  return place;
}

/* Where from and to tells what came or went beside it. */
static void
note_move (HlTrace               *self,
           const graphene_rect_t *place)
{
  const graphene_rect_t *const places[] = { &self->place, place };

  self->n_moves++;
  g_printerr ("headlight: the picture moved:");
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    g_printerr (" %g × %g at %g, %g%s", places[i]->size.width, places[i]->size.height, places[i]->origin.x,
                places[i]->origin.y, i == 0 ? " →" : "\n");
}

static void
end_step (HlTrace *self,
          gint64   now)
{
  const Part *part = &parts[self->part];
  const gint64 delay = now - self->changed;

  self->changed = 0;
  g_array_append_val (self->works, self->work);
  g_array_append_val (self->delays, delay);
  self->n_done++;
  if (self->n_done < MIN_STEPS || (self->n_done < part->n_steps && now - self->part_began < PART_MS * 1000))
    {
      self->timeout = g_timeout_add (REST_MS, make_step, self);
      return;
    }
  print_times (part->name, "-median", "-worst", self->works);
  print_times (part->name, "-delay-median", "-delay-worst", self->delays);
  print_times (part->name, "-processor-median", "-processor-worst", self->processor);
  print_ms (part->name, "-busy-worst", take_longest_busy ());
  print_memory (part->name);
  self->n_done = 0;
  self->part++;
  self->timeout = g_timeout_add (REST_MS, start_part, self);
}

static void
on_frame (HlTrace *self)
{
  self->frame_began = g_get_monotonic_time ();
}

static void
on_painted (HlTrace *self)
{
  const gint64 now = g_get_monotonic_time ();

  self->work += now - self->frame_began;
  if (!self->shown)
    {
      self->shown = TRUE;
      self->window_shown = now;
      print_ms ("window-shown", "", now - self->began);
    }
  if (self->state == NULL)
    {
      HlSession *session = hl_document_page_get_session (self->page);
      if (session == NULL || !self->complete)
        return;
      self->state = g_object_ref (hl_session_get_view_state (session));
      print_ms ("first-picture-after-window", "", now - self->window_shown);
      print_start ();
      self->place = get_place (self);
      self->timeout = g_timeout_add (FIRST_REST_MS, end_first_rest, self);
    }
  else if (self->part == 0 && self->n_done == 0 && self->changed == 0)
    {
      const graphene_rect_t place = get_place (self);
      if (!graphene_rect_equal (&place, &self->place))
        note_move (self, &place);
      self->place = place;
    }
  else if (self->changed != 0 && self->complete)
    end_step (self, now);
}

static void
follow_clock (HlTrace *self)
{
  self->clock = g_object_ref (gtk_widget_get_frame_clock (GTK_WIDGET (self->window)));
  g_signal_connect_swapped (self->clock, "before-paint", G_CALLBACK (on_frame), self);
  g_signal_connect_swapped (self->clock, "after-paint", G_CALLBACK (on_painted), self);
}

static void
on_finished (HlTrace *self)
{
  self->complete = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self->scene_view));
}

static void
on_failed (HlTrace      *self,
           const GError *error)
{
  g_autofree char *whole = g_strdup_printf ("%s: %s", hl_document_page_get_name (self->page), error->message);
  g_autofree char *line = hl_utf8_bound_line (whole);

  g_printerr ("headlight: %s\n", line);
  self->failed = TRUE;
  finish (self);
}

static void
hl_trace_dispose (GObject *object)
{
  HlTrace *self = HL_TRACE (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_data (self->clock, self);
  if (self->page != NULL)
    g_signal_handlers_disconnect_by_data (self->page, self);
  if (self->scene_view != NULL)
    g_signal_handlers_disconnect_by_data (self->scene_view, self);
  g_clear_object (&self->clock);
  g_clear_object (&self->state);
  g_clear_object (&self->scene_view);
  g_clear_object (&self->page);
  g_clear_object (&self->window);
  G_OBJECT_CLASS (hl_trace_parent_class)->dispose (object);
}

static void
hl_trace_finalize (GObject *object)
{
  g_array_unref (HL_TRACE (object)->works);
  g_array_unref (HL_TRACE (object)->delays);
  g_array_unref (HL_TRACE (object)->processor);
  G_OBJECT_CLASS (hl_trace_parent_class)->finalize (object);
}

static void
hl_trace_class_init (HlTraceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_trace_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_trace_finalize;
}

static void
hl_trace_init (HlTrace *self)
{
  self->began = g_get_monotonic_time ();
  self->works = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->delays = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->processor = g_array_new (FALSE, FALSE, sizeof (gint64));
}

/* Starts the clock: what is measured of the start begins here. */
HlTrace *
hl_trace_new (void)
{
  return g_object_new (HL_TYPE_TRACE, NULL);
}

void
hl_trace_start (HlTrace  *self,
                HlWindow *window)
{
  g_return_if_fail (HL_IS_TRACE (self));
  g_return_if_fail (HL_IS_WINDOW (window));
  g_return_if_fail (self->window == NULL);
  g_return_if_fail (hl_window_get_page (window) != NULL);

  start_busy_clock ();
  self->window = g_object_ref (window);
  self->page = g_object_ref (hl_window_get_page (window));
  self->scene_view = g_object_ref (hl_document_page_get_scene_view (self->page));
  if (gtk_widget_get_realized (GTK_WIDGET (window)))
    follow_clock (self);
  else
    g_signal_connect_object (window, "realize", G_CALLBACK (follow_clock), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_swapped (self->page, "failed", G_CALLBACK (on_failed), self);
  g_signal_connect_swapped (self->scene_view, "finished", G_CALLBACK (on_finished), self);
}

gboolean
hl_trace_get_failed (HlTrace *self)
{
  g_return_val_if_fail (HL_IS_TRACE (self), TRUE);
  return self->failed;
}
