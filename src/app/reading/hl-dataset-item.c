/* SPDX-License-Identifier: MIT */
/* One way to begin reading a file: a dataset of it, or all that was found. Made in a worker, not changed any more when
 * it is on screen. */
#include "config.h"

#include "app/reading/hl-dataset-item.h"

#include "core/base/hl-utf8.h"

#include <glib/gi18n.h>
#include <string.h>

struct _HlDatasetItem
{
  GObject parent_instance;

  char *path; /* NULL for what is found without a choice */
  char *title;
  char *subtitle;
  HlShape shape;
  HlLayoutAxes axes;
  gboolean certain;
};

enum
{
  PROP_TITLE = 1,
  PROP_SUBTITLE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlDatasetItem, hl_dataset_item, G_TYPE_OBJECT)

static void
hl_dataset_item_get_property (GObject    *object,
                              guint       id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  HlDatasetItem *self = HL_DATASET_ITEM (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_dataset_item_finalize (GObject *object)
{
  HlDatasetItem *self = HL_DATASET_ITEM (object);

  g_free (self->path);
  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (hl_dataset_item_parent_class)->finalize (object);
}

static void
hl_dataset_item_class_init (HlDatasetItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_dataset_item_get_property;
  object_class->finalize = hl_dataset_item_finalize;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_dataset_item_init (HlDatasetItem *self)
{
}

/* Where nothing is likely, the first of all but the last two axes. */
static void
guess_axes (HlDatasetItem *self,
            gboolean       one_layer)
{
  gboolean ambiguous;
  const guint rank = self->shape.rank;

  if (hl_layout_axes_guess (&self->axes, &self->shape, one_layer, &ambiguous))
    return;
  self->axes = (HlLayoutAxes){ 0 };
  memset (self->axes.letters, 'x', rank);
  for (guint i = 0; i < MIN (rank, 3); i++)
    self->axes.letters[rank - 1 - i] = "kqh"[i];
}

/**
 * hl_dataset_item_new:
 * @dataset: a dataset of a file
 *
 * Returns: (transfer full): it, with the likeliest axes
 */
HlDatasetItem *
hl_dataset_item_new (const HlDataset *dataset)
{
  HlDatasetItem *self = g_object_new (HL_TYPE_DATASET_ITEM, NULL);

  self->path = g_strdup (dataset->path);
  /* Translators: what lies in a list that has no names */
  self->title = g_strdup (g_str_equal (dataset->path, "#") ? _ ("0, 1, 2 …") : dataset->path);
  /* A name can be anything; a title is one line. */
  hl_utf8_flatten (self->title);
  self->subtitle = hl_dataset_describe (dataset);
  self->shape = dataset->shape;
  guess_axes (self, dataset->n_layers > 0);
  return self;
}

/**
 * hl_dataset_item_new_for_found:
 * @subtitle: what it is, for people
 * @shape: the sizes of its first tensor; of rank 0 if it has none
 * @n_layers: how many tensors there are, a layer each; 0 for one with all layers
 *
 * Returns: (transfer full): what is found in a file in which nobody chose a dataset
 */
HlDatasetItem *
hl_dataset_item_new_for_found (const char    *subtitle,
                               const HlShape *shape,
                               guint          n_layers)
{
  HlDatasetItem *self = g_object_new (HL_TYPE_DATASET_ITEM, NULL);

  self->title = g_strdup (_ ("All That Was Found"));
  self->subtitle = g_strdup (subtitle);
  self->shape = *shape;
  if (shape->rank > 0)
    guess_axes (self, n_layers > 0);
  return self;
}

/**
 * hl_dataset_item_set_found:
 * @self: an item that nobody sees yet
 * @axes: what its axes were taken for
 * @certain: whether they could not be others
 *
 * Makes it what is read when nobody chooses.
 */
void
hl_dataset_item_set_found (HlDatasetItem      *self,
                           const HlLayoutAxes *axes,
                           gboolean            certain)
{
  g_return_if_fail (HL_IS_DATASET_ITEM (self));

  g_clear_pointer (&self->path, g_free);
  self->axes = *axes;
  self->certain = certain;
}

/**
 * hl_dataset_item_get_path:
 * @self: an item
 *
 * Returns: (nullable): what #HlOpenOptions calls the dataset; %NULL for what is found without
 */
const char *
hl_dataset_item_get_path (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->path;
}

/**
 * hl_dataset_item_get_title:
 * @self: an item
 *
 * Returns: what it is called
 */
const char *
hl_dataset_item_get_title (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->title;
}

/**
 * hl_dataset_item_get_subtitle:
 * @self: an item
 *
 * Returns: its sizes and type
 */
const char *
hl_dataset_item_get_subtitle (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->subtitle;
}

/**
 * hl_dataset_item_get_shape:
 * @self: an item
 *
 * Returns: the sizes of its tensor, or of the first one; of rank 0 where axes cannot be chosen
 */
const HlShape *
hl_dataset_item_get_shape (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return &self->shape;
}

/**
 * hl_dataset_item_get_axes:
 * @self: an item
 *
 * Returns: what its axes are likely to be
 */
const HlLayoutAxes *
hl_dataset_item_get_axes (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return &self->axes;
}

/**
 * hl_dataset_item_is_certain:
 * @self: an item
 *
 * Returns: whether its axes need not be told: it is read so without
 */
gboolean
hl_dataset_item_is_certain (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), FALSE);

  return self->certain;
}
