/* SPDX-License-Identifier: MIT */
/*
 * Finds out what there is to know of heads, in a worker, some heads at a time: what becomes known is in the view state
 * after each of these steps, and steps that nobody has a use for any more are cancelled.
 */
#include "config.h"

#include "app/heads/hl-head-work.h"

#include "app/heads/hl-head-pictures.h"
#include "core/base/hl-worker.h"

/* Microseconds that a step should take: soon enough for the first rows, long enough to be worth its repaint. */
#define SHORT_STEP 25000
#define LONG_STEP 120000
#define FIRST_STEP 2
#define MAX_STEP 256

/* Milliseconds between two looks at the progress of a number that costs. */
#define WATCH_INTERVAL 100

struct _HlHeadWork
{
  GObject parent_instance;

  HlViewState *state;
  const HlAttentionSource *source; /* the maps that its numbers are of, to tell others from them */
  gulong changed_id;
  GCancellable *cancellable; /* of the step that runs */
  GError *error;
  GError *refusal; /* why not all that was asked for is read */
  guint idle;
  guint n_heads;           /* in the next step */
  HlHeadNumberSet numbers; /* those that are wanted */
  HlProgress *progress;    /* of a step that costs */
  guint watch;
  gboolean wanted;
  gboolean stopped;
};

/* What a worker does: rank all heads, find out how far all have changed, compute one number of all, or read some of some. */
typedef struct
{
  HlHeadNumberRequest request; /* of what @attention, @source, @weights and @call hold */
  HlAttention *attention;
  HlAttentionSource *source;  /* the maps that numbers are of */
  HlAttentionSource *weights; /* those they were made of */
  HlAttentionSource *read;    /* (unowned): one of both, which rows are read of */
  HlRange queries;
  HlTokenPairs *pairs;
  HlPairRanking *ranking;
  HlComparison *compared;
  GArray *changes;
  guint first;
  guint n;
  HlHeadNumberSet set;
  HlHeadStats *stats;
  HlModelCall *call;
  HlHeadStat stat;
  double *values; /* of the number that is computed */
  HlProgress *progress;
  gint64 time;
} Step;

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlHeadWork, hl_head_work, G_TYPE_OBJECT)

static void queue (HlHeadWork *self);

static void
step_free (Step *step)
{
  g_object_unref (step->attention);
  g_object_unref (step->source);
  g_object_unref (step->weights);
  g_clear_pointer (&step->pairs, hl_token_pairs_unref);
  g_clear_pointer (&step->ranking, hl_pair_ranking_unref);
  g_clear_object (&step->compared);
  g_clear_pointer (&step->changes, g_array_unref);
  g_clear_object (&step->call);
  g_clear_object (&step->progress);
  g_free (step->values);
  g_free (step->stats);
  g_free (step);
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  hl_worker_give_way ();
  Step *step = data;
  const gint64 start = g_get_monotonic_time ();
  GError *error = NULL;
  gboolean done;

  if (step->pairs != NULL)
    {
      step->ranking = hl_pair_ranking_compute (step->weights, step->pairs, cancellable, &error);
      done = step->ranking != NULL;
    }
  else if (step->compared != NULL)
    {
      step->changes = hl_head_changes_compute (step->compared, cancellable, &error);
      done = step->changes != NULL;
    }
  else if (step->values != NULL)
    done = hl_head_number_get (step->stat)->compute (&step->request, step->values, step->progress, cancellable, &error);
  else
    done = hl_head_stats_compute_range (step->attention, step->read, step->queries.first, step->queries.n, step->first,
                                        step->n, step->set, step->stats, cancellable, &error);
  step->time = g_get_monotonic_time () - start;
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Whether the state still asks for what a step finds out. */
static gboolean
is_of_use (HlHeadWork *self,
           const Step *step)
{
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (self->state));

  if (step->attention != hl_view_state_get_attention (self->state))
    return FALSE;
  if (step->pairs != NULL)
    return step->pairs == hl_view_state_get_found_pairs (self->state);
  if (step->compared != NULL)
    return step->compared == hl_view_state_get_compared (self->state);
  return step->source == hl_view_state_get_shown (self->state)->numbered_source &&
         step->queries.first == queries.first && step->queries.n == queries.n;
}

static void
take (HlHeadWork *self,
      Step       *step)
{
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (self->state);
  g_autoptr (HlHeadNumbers) more = NULL;

  if (step->ranking != NULL)
    more = hl_head_numbers_set_ranking (numbers, step->ranking);
  else if (step->changes != NULL)
    more = hl_head_numbers_set_changes (numbers, step->compared, step->changes);
  else if (hl_head_numbers_get_n_texts (numbers) > 0)
    return;
  else if (step->values != NULL)
    more = hl_head_numbers_give (numbers, step->stat, step->values);
  else
    more = hl_head_numbers_add_stats (numbers, step->first, step->n, step->set, step->stats);
  if (step->stats != NULL && step->time < SHORT_STEP)
    self->n_heads = MIN (self->n_heads * 2, MAX_STEP);
  else if (step->stats != NULL && step->time > LONG_STEP)
    self->n_heads = MAX (self->n_heads / 2, 1);
  if (more != NULL)
    hl_view_state_set_numbers (self->state, more);
}

static gboolean
on_watch (gpointer data)
{
  g_signal_emit (data, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

/* Of a number that takes its time it is told how far it is. */
static void
watch (HlHeadWork *self,
       HlProgress *progress)
{
  self->progress = g_object_ref (progress);
  self->watch = g_timeout_add (WATCH_INTERVAL, on_watch, self);
}

static void
unwatch (HlHeadWork *self)
{
  g_clear_object (&self->progress);
  g_clear_handle_id (&self->watch, g_source_remove);
}

static void
finished (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlHeadWork) self = data;
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  const gboolean failed = !done && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  Step *step = g_task_get_task_data (G_TASK (result));

  g_clear_object (&self->cancellable);
  unwatch (self);
  if (self->state == NULL)
    return;
  if (done && is_of_use (self, step))
    take (self, step);
  /* The heads before the one that cannot be read have their numbers. */
  else if (failed && step->n > 1)
    self->n_heads = 1;
  else if (failed)
    self->error = g_steal_pointer (&error);
  queue (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* The names of heads, which the picker tells beside the picture; not of very many weights. */
static HlHeadNumberSet
get_told (HlHeadWork *self)
{
  const HlShown *shown = hl_view_state_get_shown (self->state);

  return shown->numbered_source == hl_view_state_get_attention_source (self->state) &&
             hl_head_pictures_can_follow (self->state)
           ? hl_head_name_get_numbers () | hl_head_measure_get_set (HL_HEAD_GRID_SMALL_MEASURE)
           : 0;
}

/* What was asked for: colours in the picker, columns of the table, and what the picture needs. */
static HlHeadNumberSet
get_asked (HlHeadWork *self)
{
  const HlHeadNumberSet colours = hl_head_measure_get_set (hl_view_state_get_options (self->state)->colour_by);

  return hl_view_state_get_wanted_numbers (self->state) |
         ((colours | (self->wanted ? self->numbers : 0)) & hl_head_number_get_computable ());
}

/* The numbers that somebody looks at. */
static HlHeadNumberSet
get_wanted (HlHeadWork *self)
{
  return get_told (self) | get_asked (self);
}

static gboolean
lacks (HlHeadWork     *self,
       HlHeadNumberSet set)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self->state);

  return set != 0 && (numbers == NULL || hl_head_numbers_get_n_known (numbers, set) < hl_head_numbers_get_n (numbers));
}

/* What only the table tells can wait until its other columns are there. */
static gboolean
lacks_changes (HlHeadWork *self)
{
  if (hl_view_state_get_compared (self->state) == NULL)
    return FALSE;
  const gboolean is_coloured = hl_view_state_get_options (self->state)->colour_by == HL_HEAD_MEASURE_CHANGE &&
                               !hl_view_state_knows_changes (self->state);
  return is_coloured || hl_view_state_wants_changes (self->state) ||
         (self->wanted && !lacks (self, get_wanted (self)) && !hl_view_state_knows_changes (self->state));
}

/* Whether what was asked for would read far more than the file holds, and nobody has allowed that. */
static gboolean
is_refused (HlHeadWork *self,
            GError    **error)
{
  const gboolean changes = lacks_changes (self);

  return (changes || hl_view_state_wants_ranking (self->state) || lacks (self, get_asked (self))) &&
         !hl_view_state_check_reading (self->state, hl_view_state_count_maps (self->state), changes, error);
}

/* The numbers that are read for that. */
static HlHeadNumberSet
get_sought (HlHeadWork *self)
{
  return is_refused (self, NULL) ? get_told (self) : get_wanted (self);
}

static gboolean
wants_stats (HlHeadWork *self)
{
  return !self->stopped && lacks (self, get_sought (self));
}

static gboolean
wants_changes (HlHeadWork *self)
{
  return !self->stopped && lacks_changes (self) && !is_refused (self, NULL);
}

static gboolean
wants_ranking (HlHeadWork *self)
{
  return hl_view_state_wants_ranking (self->state) && !is_refused (self, NULL);
}

/* Those that are read come first: they cost less. */
static HlHeadNumberSet
get_read (HlHeadNumberSet set)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (!hl_head_number_is_read (stat))
      set &= ~HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/* What is not defined is known at once. */
static void
give_undefined (HlHeadWork *self)
{
  const HlHeadNumberRequest request = hl_view_state_get_number_request (self->state);
  const HlHeadNumberSet wanted = get_sought (self);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (self->state);
  gboolean is_any = FALSE;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(wanted & HL_HEAD_NUMBER_BIT (stat)) || hl_head_number_is_read (stat) ||
          hl_head_numbers_knows (numbers, HL_HEAD_MEASURE_STATS + stat) || hl_head_number_check (stat, &request, NULL))
        continue;
      HlHeadNumbers *more = hl_head_numbers_give (numbers, stat, NULL);
      hl_head_numbers_unref (numbers);
      numbers = more;
      is_any = TRUE;
    }
  if (is_any)
    hl_view_state_set_numbers (self->state, numbers);
}

static void
find_stat (HlHeadWork    *self,
           HlHeadNumbers *numbers,
           Step          *step)
{
  const HlHeadNumberSet wanted = get_sought (self);

  g_set_object (&step->call, step->request.call);
  for (step->stat = 0; step->stat < HL_N_HEAD_STATS; step->stat++)
    if ((wanted & HL_HEAD_NUMBER_BIT (step->stat)) && !hl_head_number_is_read (step->stat) &&
        !hl_head_numbers_knows (numbers, HL_HEAD_MEASURE_STATS + step->stat))
      break;
  if (hl_head_number_get (step->stat)->of_weights)
    step->request = hl_head_number_get_own_request (&step->request);
  step->values = g_new (double, MAX (hl_head_numbers_get_n (numbers), 1));
  step->progress = hl_progress_new ();
}

/* First those of the maps that are shown, then those that are of the weights whatever is made of these. */
static void
find_rows (HlHeadWork    *self,
           HlHeadNumbers *numbers,
           Step          *step)
{
  const HlHeadNumberSet of_weights = step->source != step->weights ? hl_head_number_get_of_weights () : 0;
  const HlHeadNumberSet wanted = get_read (get_sought (self));

  step->read = step->source;
  step->set = hl_head_numbers_find_next (numbers, wanted & ~of_weights, &step->first, &step->n);
  if (step->set != 0)
    return;
  step->read = step->weights;
  step->set = hl_head_numbers_find_next (numbers, wanted & of_weights, &step->first, &step->n);
}

static Step *
create_step (HlHeadWork *self)
{
  const gboolean ranks = wants_ranking (self);
  const gboolean compares = !ranks && wants_changes (self);

  if (!ranks && !compares && !wants_stats (self))
    return NULL;
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (self->state);
  Step *step = g_new0 (Step, 1);
  step->request = hl_view_state_get_number_request (self->state);
  step->attention = g_object_ref (step->request.attention);
  step->source = g_object_ref (step->request.source);
  step->weights = g_object_ref (hl_view_state_get_attention_source (self->state));
  step->queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (self->state));
  if (ranks)
    {
      step->pairs = hl_token_pairs_ref (hl_view_state_get_found_pairs (self->state));
      return step;
    }
  if (compares)
    {
      g_set_object (&step->compared, hl_view_state_get_compared (self->state));
      return step;
    }
  find_rows (self, numbers, step);
  if (step->set == 0)
    {
      find_stat (self, numbers, step);
      return step;
    }
  step->n = MIN (self->n_heads, step->n);
  step->stats = g_new (HlHeadStats, MAX (step->n, 1));
  return step;
}

/* It is said where errors are, and what else there is to do goes on. */
static void
update_refusal (HlHeadWork *self)
{
  g_autoptr (GError) refusal = NULL;

  is_refused (self, &refusal);
  if (g_strcmp0 (refusal != NULL ? refusal->message : NULL, self->refusal != NULL ? self->refusal->message : NULL) == 0)
    return;
  g_clear_error (&self->refusal);
  self->refusal = g_steal_pointer (&refusal);
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
start (gpointer data)
{
  HlHeadWork *self = data;

  self->idle = 0;
  if (self->cancellable != NULL || self->state == NULL || self->error != NULL)
    return G_SOURCE_REMOVE;
  update_refusal (self);
  if (!self->stopped)
    give_undefined (self);
  Step *step = create_step (self);
  if (step == NULL)
    return G_SOURCE_REMOVE;
  if (step->progress != NULL)
    watch (self, step->progress);
  self->cancellable = g_cancellable_new ();
  /* The task does not own the object: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, finished, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_name (task, "numbers of heads");
  g_task_set_task_data (task, step, (GDestroyNotify) step_free);
  g_task_run_in_thread (task, run);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* One change of the view state is many signals. */
static void
queue (HlHeadWork *self)
{
  if (self->idle == 0 && self->cancellable == NULL && self->state != NULL)
    self->idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, start, self, NULL);
}

static void
cancel (HlHeadWork *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

static void
on_state_changed (HlHeadWork *self,
                  HlChanges   changes)
{
  HlAttentionSource *source = hl_view_state_get_shown (self->state)->numbered_source;
  const gboolean are_others = source != self->source;

  self->source = source;
  if (are_others || (changes & (HL_CHANGED_ATTENTION | HL_CHANGED_TOKENS | HL_CHANGED_PAIRS | HL_CHANGED_COMPARED)))
    {
      /* What was stopped or went wrong was something else. */
      self->stopped = FALSE;
      g_clear_error (&self->error);
      cancel (self);
      g_signal_emit (self, signals[CHANGED], 0);
    }
  else if (!(changes & (HL_CHANGED_SOURCE | HL_CHANGED_VIEW | HL_CHANGED_ORDER | HL_CHANGED_CHART | HL_CHANGED_NUMBERS |
                        HL_CHANGED_DERIVATION)))
    return;
  queue (self);
}

static void
hl_head_work_dispose (GObject *object)
{
  HlHeadWork *self = HL_HEAD_WORK (object);

  hl_head_work_set_view_state (self, NULL);
  unwatch (self);
  g_clear_error (&self->error);
  g_clear_error (&self->refusal);
  G_OBJECT_CLASS (hl_head_work_parent_class)->dispose (object);
}

static void
hl_head_work_class_init (HlHeadWorkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_head_work_dispose;

  /* It began, went on or ended. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_HEAD_WORK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_head_work_init (HlHeadWork *self)
{
  self->n_heads = FIRST_STEP;
  self->numbers = hl_head_number_get_usual ();
}

HlHeadWork *
hl_head_work_new (void)
{
  return g_object_new (HL_TYPE_HEAD_WORK, NULL);
}

void
hl_head_work_set_view_state (HlHeadWork  *self,
                             HlViewState *state)
{
  g_return_if_fail (HL_IS_HEAD_WORK (self));
  g_return_if_fail (state == NULL || HL_IS_VIEW_STATE (state));

  if (self->state == state)
    return;
  cancel (self);
  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->state != NULL)
    g_clear_signal_handler (&self->changed_id, self->state);
  g_set_object (&self->state, state);
  self->source = state != NULL ? hl_view_state_get_shown (state)->numbered_source : NULL;
  self->stopped = FALSE;
  self->n_heads = FIRST_STEP;
  g_clear_error (&self->error);
  g_clear_error (&self->refusal);
  if (state == NULL)
    return;
  self->changed_id = g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  queue (self);
}

/* Which numbers somebody looks at who looks at those of all heads. */
void
hl_head_work_set_numbers (HlHeadWork     *self,
                          HlHeadNumberSet numbers)
{
  g_return_if_fail (HL_IS_HEAD_WORK (self));

  if (self->numbers == numbers)
    return;
  self->numbers = numbers;
  /* What is no longer looked at, or went wrong, does not stand in the way. */
  self->stopped = FALSE;
  g_clear_error (&self->error);
  cancel (self);
  queue (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Whether somebody looks at the numbers of all heads, besides the picture. */
void
hl_head_work_set_wanted (HlHeadWork *self,
                         gboolean    wanted)
{
  g_return_if_fail (HL_IS_HEAD_WORK (self));

  self->wanted = !!wanted;
  if (self->wanted)
    queue (self);
  else if (self->state != NULL && !hl_view_state_wants_ranking (self->state) &&
           hl_view_state_get_wanted_numbers (self->state) == 0 && !hl_view_state_wants_changes (self->state))
    cancel (self);
}

/* What is known stays. */
void
hl_head_work_stop (HlHeadWork *self)
{
  g_return_if_fail (HL_IS_HEAD_WORK (self));

  self->stopped = TRUE;
  cancel (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Where it was stopped, or failed, or waits to be allowed what would read far more than the file holds. */
void
hl_head_work_resume (HlHeadWork *self)
{
  g_return_if_fail (HL_IS_HEAD_WORK (self));

  self->stopped = FALSE;
  if (self->error == NULL && self->refusal != NULL)
    hl_view_state_allow_expansion (self->state, lacks_changes (self));
  g_clear_error (&self->error);
  queue (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
hl_head_work_get_busy (HlHeadWork *self)
{
  g_return_val_if_fail (HL_IS_HEAD_WORK (self), FALSE);

  return self->state != NULL && self->error == NULL &&
         (self->cancellable != NULL || wants_ranking (self) || wants_stats (self) || wants_changes (self));
}

gboolean
hl_head_work_get_stopped (HlHeadWork *self)
{
  g_return_val_if_fail (HL_IS_HEAD_WORK (self), FALSE);

  return self->stopped;
}

/* Of how many heads there are the numbers that are wanted, 0 to 1; of one that costs, how far it is. */
double
hl_head_work_get_fraction (HlHeadWork *self)
{
  g_return_val_if_fail (HL_IS_HEAD_WORK (self), 0);

  HlHeadNumbers *numbers = self->state != NULL ? hl_view_state_get_numbers (self->state) : NULL;
  if (numbers == NULL)
    return 0;
  if (self->progress != NULL)
    return MIN (hl_progress_get_fraction (self->progress), 0.999);
  return (double) hl_head_numbers_get_n_known (numbers, get_wanted (self)) / MAX (hl_head_numbers_get_n (numbers), 1);
}

const GError *
hl_head_work_get_error (HlHeadWork *self)
{
  g_return_val_if_fail (HL_IS_HEAD_WORK (self), NULL);

  return self->error != NULL ? self->error : self->refusal;
}
