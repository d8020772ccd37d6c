/* SPDX-License-Identifier: MIT */
/*
 * Every head of an attention as a picture of a few pixels: its weights, not filtered, pooled by their maximum, as ink on nothing. The weight
 * itself is the strength of the ink, and not its part of the head's own greatest, so that broad heads are pale.
 */
#include "config.h"

#include "app/heads/hl-head-pictures.h"

#include "core/analysis/hl-first-head.h"
#include "core/base/hl-worker.h"

#include <math.h>

/* Multiply-adds that are spent on pictures without being asked: a second or two of a worker. */
#define BUDGET 2e10

typedef struct
{
  float *values; /* [size, size]; NULL until they are read */
  GdkTexture *texture;
  GdkRGBA ink; /* of the texture */
} Picture;

struct _HlHeadPictures
{
  GObject parent_instance;

  HlAttention *attention; /* NULL for none */
  HlAttentionSource *source;
  guint size;
  guint n_layers;
  guint *starts; /* the picture of each layer's first head */
  Picture *pictures;
  guint next; /* the layer that is read next */
  GCancellable *cancellable;
  guint idle;
};

/* A layer. */
typedef struct
{
  HlAttentionSource *source;
  guint layer;
  guint n_heads;
  guint size;
  HlRange queries;
  HlRange keys;
  float **values;
} Reading;

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlHeadPictures, hl_head_pictures, G_TYPE_OBJECT)

static void
reading_free (gpointer data)
{
  Reading *self = data;

  for (guint head = 0; head < self->n_heads; head++)
    g_free (self->values[head]);
  g_free (self->values);
  g_object_unref (self->source);
  g_free (self);
}

static gboolean
read_head (Reading      *self,
           guint         head,
           GCancellable *cancellable,
           GError      **error)
{
  const gsize n_rows = MIN (self->size, self->queries.n), n_columns = MIN (self->size, self->keys.n);
  g_autofree float *pooled = g_new (float, n_rows *n_columns);
  const HlAttentionRequest request = {
    .layer = self->layer,
    .head = head,
    .first_query = self->queries.first,
    .n_queries = self->queries.n,
    .first_key = self->keys.first,
    .n_keys = self->keys.n,
    .n_rows = n_rows,
    .n_columns = n_columns,
    .pooling = HL_POOLING_MAX,
  };

  if (!hl_attention_source_read (self->source, &request, pooled, cancellable, error))
    return FALSE;
  self->values[head] = g_new (float, (gsize) self->size * self->size);
  for (gsize y = 0; y < self->size; y++)
    for (gsize x = 0; x < self->size; x++)
      self->values[head][y * self->size + x] = pooled[y * n_rows / self->size * n_columns + x * n_columns / self->size];
  return TRUE;
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  Reading *self = data;
  GError *error = NULL;

  hl_worker_give_way ();
  for (guint head = 0; head < self->n_heads; head++)
    if (!read_head (self, head, cancellable, &error))
      {
        g_task_return_error (task, error);
        return;
      }
  g_task_return_boolean (task, TRUE);
}

static void start (HlHeadPictures *self);

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlHeadPictures) self = data;
  Reading *reading = g_task_get_task_data (G_TASK (result));
  const gboolean done = g_task_propagate_boolean (G_TASK (result), NULL);

  /* Somebody looks at something else by now. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  for (guint head = 0; done && head < reading->n_heads; head++)
    self->pictures[self->starts[reading->layer] + head].values = g_steal_pointer (&reading->values[head]);
  /* What cannot be read says so where it is looked at. */
  self->next = done ? reading->layer + 1 : self->n_layers;
  if (done)
    g_signal_emit (self, signals[CHANGED], 0);
  start (self);
}

static void
start (HlHeadPictures *self)
{
  if (self->next >= self->n_layers)
    return;
  Reading *reading = g_new0 (Reading, 1);
  reading->source = g_object_ref (self->source);
  reading->layer = self->next;
  reading->n_heads = self->starts[self->next + 1] - self->starts[self->next];
  reading->size = self->size;
  reading->queries.n = hl_attention_get_n_used (self->attention, HL_QUERIES);
  reading->keys.n = hl_attention_get_n_used (self->attention, HL_KEYS);
  reading->values = g_new0 (float *, MAX (reading->n_heads, 1));
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_read, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_name (task, "pictures of heads");
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, run);
}

static gboolean
on_idle (gpointer data)
{
  HlHeadPictures *self = data;

  self->idle = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

static void
forget (HlHeadPictures *self)
{
  for (guint i = 0; self->starts != NULL && i < self->starts[self->n_layers]; i++)
    {
      g_free (self->pictures[i].values);
      g_clear_object (&self->pictures[i].texture);
    }
  g_clear_pointer (&self->pictures, g_free);
  g_clear_pointer (&self->starts, g_free);
  g_clear_object (&self->attention);
  g_clear_object (&self->source);
  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->n_layers = self->next = 0;
}

static void
hl_head_pictures_dispose (GObject *object)
{
  forget (HL_HEAD_PICTURES (object));
  G_OBJECT_CLASS (hl_head_pictures_parent_class)->dispose (object);
}

static void
hl_head_pictures_class_init (HlHeadPicturesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_head_pictures_dispose;

  /* There are more of them. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_HEAD_PICTURES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_head_pictures_init (HlHeadPictures *self)
{
}

HlHeadPictures *
hl_head_pictures_new (void)
{
  return g_object_new (HL_TYPE_HEAD_PICTURES, NULL);
}

/* Whether all heads can be read without being asked for. */
gboolean
hl_head_pictures_can_follow (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  HlAttention *attention = hl_view_state_get_attention (state);
  return hl_attention_get_n_used (attention, HL_QUERIES) > 0 && hl_attention_get_n_used (attention, HL_KEYS) > 0 &&
         hl_first_head_get_cost (attention) <= BUDGET;
}

/* Pictures of so many pixels to a side of the heads of a state; without a state or a size, none. */
void
hl_head_pictures_follow (HlHeadPictures *self,
                         HlViewState    *state,
                         guint           size)
{
  g_return_if_fail (HL_IS_HEAD_PICTURES (self));

  HlAttention *attention = state != NULL && size > 0 ? hl_view_state_get_attention (state) : NULL;
  if (self->attention == attention && (attention == NULL || self->size == size))
    return;
  forget (self);
  if (attention == NULL)
    return;
  self->attention = g_object_ref (attention);
  self->source = g_object_ref (hl_view_state_get_attention_source (state));
  self->size = size;
  self->n_layers = hl_attention_get_n_layers (attention);
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_get_n_heads (attention, layer);
  self->pictures = g_new0 (Picture, MAX (self->starts[self->n_layers], 1));
  /* The picture on the canvas comes first. */
  self->idle = g_idle_add_full (G_PRIORITY_LOW, on_idle, self, NULL);
}

static GdkTexture *
make_texture (const float   *values,
              guint          size,
              const GdkRGBA *ink)
{
  guint8 *pixels = g_malloc ((gsize) size * size * 4);
  float greatest = 1;

  for (gsize i = 0; i < (gsize) size * size; i++)
    greatest = isfinite (values[i]) ? MAX (greatest, fabsf (values[i])) : greatest;
  for (gsize i = 0; i < (gsize) size * size; i++)
    {
      const float alpha = isfinite (values[i]) ? sqrtf (fabsf (values[i]) / greatest) * ink->alpha : 0;

      pixels[4 * i] = (guint8) lroundf (255 * ink->red * alpha);
      pixels[4 * i + 1] = (guint8) lroundf (255 * ink->green * alpha);
      pixels[4 * i + 2] = (guint8) lroundf (255 * ink->blue * alpha);
      pixels[4 * i + 3] = (guint8) lroundf (255 * alpha);
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, (gsize) size * size * 4);
  return gdk_memory_texture_new ((int) size, (int) size, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes, (gsize) size * 4);
}

/* NULL while it is not known. */
GdkTexture *
hl_head_pictures_get (HlHeadPictures *self,
                      guint           layer,
                      guint           head,
                      const GdkRGBA  *ink)
{
  g_return_val_if_fail (HL_IS_HEAD_PICTURES (self), NULL);

  if (layer >= self->n_layers || head >= self->starts[layer + 1] - self->starts[layer])
    return NULL;
  Picture *picture = &self->pictures[self->starts[layer] + head];
  if (picture->values == NULL)
    return NULL;
  if (picture->texture == NULL || !gdk_rgba_equal (&picture->ink, ink))
    {
      g_clear_object (&picture->texture);
      picture->texture = make_texture (picture->values, self->size, ink);
      picture->ink = *ink;
    }
  return picture->texture;
}
