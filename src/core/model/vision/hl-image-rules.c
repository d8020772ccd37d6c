/* SPDX-License-Identifier: MIT */
/* What image processors of transformers do, by the names of their classes, and what preprocessor_config.json changes of it. The file is untrusted:
 * its numbers are held against bounds before anything is made by them. */
#include "core/model/vision/hl-image-rules.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/json/hl-json-tree.h"

#define MAX_SHOWN 80

#define OWN_FILE "preprocessor_config.json"

/* Newer versions of transformers keep all that a model's inputs go through in one file, where this has precedence. */
#define COMMON_FILE "processor_config.json"
#define COMMON_PART "image_processor"

/* Squares of at least this size are made of the whole image. */
#define LARGE_SQUARE 384

#define HALVES                                                                                                         \
  {                                                                                                                    \
    0.5, 0.5, 0.5                                                                                                      \
  }
#define IMAGENET_MEAN                                                                                                  \
  {                                                                                                                    \
    0.485, 0.456, 0.406                                                                                                \
  }
#define IMAGENET_DEVIATION                                                                                             \
  {                                                                                                                    \
    0.229, 0.224, 0.225                                                                                                \
  }
#define CLIP_MEAN                                                                                                      \
  {                                                                                                                    \
    0.48145466, 0.4578275, 0.40821073                                                                                  \
  }
#define CLIP_DEVIATION                                                                                                 \
  {                                                                                                                    \
    0.26862954, 0.26130258, 0.27577711                                                                                 \
  }

#define USUAL .resizes = TRUE, .rescales = TRUE, .factor = 1.0 / 255, .normalizes = TRUE

/* A class, as it is without a file. A single number as the size is the shorter side in some, and both in others. */
typedef struct
{
  HlImageRules rules;
  gboolean one_is_shortest;
  const char *refused; /* nullable: a switch that would make several images of one */
} Row;

static const Row classes[] = {
  { .rules = { .name = "ViTImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BILINEAR,
               .size = { 224, 224 },
               .mean = HALVES,
               .deviation = HALVES } },
  { .rules = { .name = "DeiTImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .size = { 256, 256 },
               .crops = TRUE,
               .crop = { 224, 224 },
               .mean = HALVES,
               .deviation = HALVES } },
  { .rules = { .name = "BitImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .fit = HL_IMAGE_FIT_SHORTEST,
               .shortest = 224,
               .crops = TRUE,
               .crop = { 224, 224 },
               .mean = CLIP_MEAN,
               .deviation = CLIP_DEVIATION },
    .one_is_shortest = TRUE },
  { .rules = { .name = "CLIPImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .fit = HL_IMAGE_FIT_SHORTEST,
               .shortest = 224,
               .crops = TRUE,
               .crop = { 224, 224 },
               .mean = CLIP_MEAN,
               .deviation = CLIP_DEVIATION },
    .one_is_shortest = TRUE },
  { .rules = { .name = "SiglipImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .size = { 224, 224 },
               .mean = HALVES,
               .deviation = HALVES },
    .one_is_shortest = TRUE },
  { .rules = { .name = "Siglip2ImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BILINEAR,
               .fit = HL_IMAGE_FIT_PATCHES,
               .patch = 16,
               .max_patches = 256,
               .mean = HALVES,
               .deviation = HALVES } },
  { .rules = { .name = "DINOv3ViTImageProcessor",
               USUAL,
               .scales_first = TRUE,
               .rounding = HL_IMAGE_ROUNDING_TORCH,
               .filter = HL_IMAGE_FILTER_BILINEAR,
               .size = { 224, 224 },
               .mean = IMAGENET_MEAN,
               .deviation = IMAGENET_DEVIATION } },
  { .rules = { .name = "EfficientNetImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .size = { 346, 346 },
               .crop = { 289, 289 },
               .normalizes_again = TRUE,
               .mean = HALVES,
               .deviation = HALVES } },
  { .rules = { .name = "ConvNextImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BICUBIC,
               .fit = HL_IMAGE_FIT_SHARE,
               .shortest = 384,
               .crop_share = 224.0 / 256,
               .mean = HALVES,
               .deviation = HALVES },
    .one_is_shortest = TRUE },
  { .rules = { .name = "Gemma3ImageProcessor",
               USUAL,
               .filter = HL_IMAGE_FILTER_BILINEAR,
               .size = { 224, 224 },
               .mean = HALVES,
               .deviation = HALVES },
    .refused = "do_pan_and_scan" },
};

/* Finds a class by its name, or by what it was called before 2022; “Fast” at the end says whose arithmetic it has. */
static const Row *
find_class (const char *name,
            gboolean   *is_fast)
{
  gsize length = strlen (name);

  const gboolean is_old = g_str_has_suffix (name, "FeatureExtractor");

  *is_fast = g_str_has_suffix (name, "Fast");
  length -= *is_fast ? strlen ("Fast") : is_old ? strlen ("FeatureExtractor") : 0;
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      const char *own = classes[i].rules.name;
      const gsize n_own = strlen (own) - (is_old ? strlen ("ImageProcessor") : 0);

      if (length == n_own && strncmp (own, name, length) == 0)
        return &classes[i];
    }
  return NULL;
}

/**
 * hl_image_rules_init:
 * @self: (out caller-allocates): what the class does unless a file says otherwise
 * @name: a class of transformers
 *
 * Returns: whether the class is known
 */
gboolean
hl_image_rules_init (HlImageRules *self,
                     const char   *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  gboolean is_fast;
  const Row *row = find_class (name, &is_fast);

  if (row == NULL)
    return FALSE;
  *self = row->rules;
  if (is_fast)
    self->rounding = HL_IMAGE_ROUNDING_TORCH;
  return TRUE;
}

static gboolean
fail_value (const char *key,
            const char *expected,
            GError    **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not %s"), key, expected);
  return FALSE;
}

/* Whether a member is there; one of null is not, and leaves what is usual. */
static gboolean
is_there (HlJsonValue value)
{
  const HlJsonKind kind = hl_json_value_get_kind (value);

  return kind != HL_JSON_MISSING && kind != HL_JSON_NULL;
}

static gboolean
read_side (HlJsonValue value,
           const char *key,
           gsize      *side,
           GError    **error)
{
  guint32 number;

  if (!hl_json_value_as_uint (value, &number) || number == 0 || number > HL_LIMIT_IMAGE_SIDE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a size from 1 to %d"), key, HL_LIMIT_IMAGE_SIDE);
      return FALSE;
    }
  *side = number;
  return TRUE;
}

static gboolean
read_number (HlJsonValue root,
             const char *key,
             double     *number,
             GError    **error)
{
  const HlJsonValue value = hl_json_value_get (root, key);

  if (!is_there (value))
    return TRUE;
  return (hl_json_value_as_double (value, number) && isfinite (*number)) || fail_value (key, _ ("a number"), error);
}

/* A number for all colours, or one for each. */
static gboolean
read_colours (HlJsonValue root,
              const char *key,
              double      numbers[3],
              GError    **error)
{
  const HlJsonValue value = hl_json_value_get (root, key);
  HlJsonIter iter;
  guint n = 0;
  double number;

  if (!is_there (value))
    return TRUE;
  if (hl_json_value_as_double (value, &number) && isfinite (number))
    {
      numbers[0] = numbers[1] = numbers[2] = number;
      return TRUE;
    }
  if (hl_json_value_get_kind (value) != HL_JSON_ARRAY || hl_json_value_get_length (value) != 3)
    return fail_value (key, _ ("three numbers"), error);
  hl_json_iter_init (&iter, value);
  while (hl_json_iter_next (&iter))
    {
      if (!hl_json_value_as_double (iter.value, &numbers[n]) || !isfinite (numbers[n]))
        return fail_value (key, _ ("three numbers"), error);
      n++;
    }
  return TRUE;
}

/* Two sides of an object, of a list, or one number for both. */
static gboolean
read_sides (HlJsonValue  value,
            const char  *key,
            const char  *height,
            const char  *width,
            HlImageSize *size,
            GError     **error)
{
  HlJsonIter iter;

  switch (hl_json_value_get_kind (value))
    {
    case HL_JSON_OBJECT:
      return read_side (hl_json_value_get (value, height), height, &size->height, error) &&
             read_side (hl_json_value_get (value, width), width, &size->width, error);
    case HL_JSON_ARRAY:
      if (hl_json_value_get_length (value) < 2)
        return fail_value (key, _ ("a height and a width"), error);
      hl_json_iter_init (&iter, value);
      return hl_json_iter_next (&iter) && read_side (iter.value, key, &size->height, error) &&
             hl_json_iter_next (&iter) && read_side (iter.value, key, &size->width, error);
    default:
      if (!read_side (value, key, &size->height, error))
        return FALSE;
      size->width = size->height;
      return TRUE;
    }
}

/* What is null is not left to the class, but off. */
static gboolean
read_switch (HlJsonValue root,
             const char *key,
             gboolean   *value,
             GError    **error)
{
  if (hl_json_value_get_kind (hl_json_value_get (root, key)) == HL_JSON_NULL)
    *value = FALSE;
  return hl_json_get_boolean (root, key, value, error);
}

static gboolean
has (HlJsonValue object,
     const char *key)
{
  return is_there (hl_json_value_get (object, key));
}

static gboolean
read_fit (HlImageRules *self,
          const Row    *row,
          HlJsonValue   value,
          GError      **error)
{
  const gboolean is_object = hl_json_value_get_kind (value) == HL_JSON_OBJECT;
  gboolean ok;

  if (self->fit == HL_IMAGE_FIT_PATCHES)
    return TRUE;
  if (hl_json_value_get_kind (value) == HL_JSON_NUMBER && row->one_is_shortest)
    {
      self->fit = self->fit == HL_IMAGE_FIT_SHARE ? HL_IMAGE_FIT_SHARE : HL_IMAGE_FIT_SHORTEST;
      return read_side (value, "size", &self->shortest, error);
    }
  if (is_object && has (value, "shortest_edge"))
    {
      ok = read_side (hl_json_value_get (value, "shortest_edge"), "shortest_edge", &self->shortest, error);
      if (self->fit == HL_IMAGE_FIT_SHARE)
        return ok;
      self->fit = HL_IMAGE_FIT_SHORTEST;
      if (!ok || !has (value, "longest_edge"))
        return ok;
      self->fit = HL_IMAGE_FIT_BETWEEN;
      return read_side (hl_json_value_get (value, "longest_edge"), "longest_edge", &self->longest, error);
    }
  if (self->fit == HL_IMAGE_FIT_SHARE)
    return fail_value ("size", _ ("a “shortest_edge”"), error);
  if (is_object && has (value, "max_height"))
    {
      self->fit = HL_IMAGE_FIT_WITHIN;
      return read_sides (value, "size", "max_height", "max_width", &self->size, error);
    }
  if (is_object && !has (value, "height") && !has (value, "width"))
    return fail_value ("size", _ ("a height and a width, nor a “shortest_edge”"), error);
  self->fit = HL_IMAGE_FIT_EXACT;
  return read_sides (value, "size", "height", "width", &self->size, error);
}

static gboolean
read_size_of (HlJsonValue  root,
              const char  *key,
              HlImageSize *size,
              GError     **error)
{
  const HlJsonValue value = hl_json_value_get (root, key);

  return !is_there (value) || read_sides (value, key, "height", "width", size, error);
}

static gboolean
read_filter (HlImageRules *self,
             HlJsonValue   root,
             GError      **error)
{
  guint32 filter = self->filter;

  if (!hl_json_get_uint (root, "resample", &filter, error))
    return FALSE;
  if (filter > HL_IMAGE_FILTER_HAMMING)
    return fail_value ("resample", _ ("a number from 0 to 5"), error);
  self->filter = (HlImageFilter) filter;
  return TRUE;
}

static gboolean
read_patches (HlImageRules *self,
              HlJsonValue   root,
              GError      **error)
{
  guint32 n = (guint32) self->max_patches;

  if (self->fit != HL_IMAGE_FIT_PATCHES)
    return TRUE;
  if ((has (root, "patch_size") &&
       !read_side (hl_json_value_get (root, "patch_size"), "patch_size", &self->patch, error)) ||
      !hl_json_get_uint (root, "max_num_patches", &n, error))
    return FALSE;
  if (n == 0 || n > HL_LIMIT_IMAGE_NUMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is not a size from 1 to %d"), "max_num_patches",
                   (int) HL_LIMIT_IMAGE_NUMBERS);
      return FALSE;
    }
  self->max_patches = n;
  return TRUE;
}

/* What only some classes have. */
static gboolean
read_special (HlImageRules *self,
              const Row    *row,
              HlJsonValue   root,
              GError      **error)
{
  const gboolean is_efficient = row->rules.normalizes_again;
  gboolean is_square = FALSE, has_offset = FALSE, refused = FALSE;

  if (row->refused != NULL && (!hl_json_get_boolean (root, row->refused, &refused, error) || refused))
    {
      if (refused)
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("“%s” makes several images of one"), row->refused);
      return FALSE;
    }
  if (self->fit == HL_IMAGE_FIT_SHARE)
    {
      if (!read_number (root, "crop_pct", &self->crop_share, error))
        return FALSE;
      if (!(self->crop_share > 0.01 && self->crop_share <= 1))
        return fail_value ("crop_pct", _ ("a number above 0 and at most 1"), error);
    }
  if (is_efficient && (!hl_json_get_boolean (root, "rescale_offset", &has_offset, error) ||
                       !read_switch (root, "include_top", &self->normalizes_again, error)))
    return FALSE;
  self->offset = has_offset ? 1 : 0;
  if (self->fit == HL_IMAGE_FIT_SHORTEST && !hl_json_get_boolean (root, "use_square_size", &is_square, error))
    return FALSE;
  if (is_square)
    {
      self->fit = HL_IMAGE_FIT_EXACT;
      self->size = (HlImageSize){ row->rules.shortest, row->rules.shortest };
    }
  return TRUE;
}

static gboolean
check_rules (const HlImageRules *self,
             GError            **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->deviation); i++)
    if ((self->normalizes || self->normalizes_again) && self->deviation[i] == 0)
      return fail_value ("image_std", _ ("three numbers other than 0"), error);
  if (self->crops && self->crop.height == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), "crop_size");
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_rules (HlImageRules *self,
            const Row    *row,
            HlJsonValue   root,
            GError      **error)
{
  const HlJsonValue size = hl_json_value_get (root, "size");

  if (!read_switch (root, "do_resize", &self->resizes, error) ||
      (is_there (size) && !read_fit (self, row, size, error)) || !read_filter (self, root, error) ||
      !read_switch (root, "do_center_crop", &self->crops, error) ||
      !read_size_of (root, "crop_size", &self->crop, error) ||
      !read_switch (root, "do_rescale", &self->rescales, error) ||
      !read_number (root, "rescale_factor", &self->factor, error) ||
      !read_switch (root, "do_normalize", &self->normalizes, error) ||
      !read_colours (root, "image_mean", self->mean, error) ||
      !read_colours (root, "image_std", self->deviation, error) || !read_switch (root, "do_pad", &self->pads, error) ||
      !read_size_of (root, "pad_size", &self->pad, error) || !read_patches (self, root, error) ||
      !read_special (self, row, root, error))
    return FALSE;
  /* Of one image the largest of all has its size. */
  self->pads = self->pads && self->pad.height > 0;
  return check_rules (self, error);
}

/**
 * hl_image_rules_parse:
 * @self: (out caller-allocates): what the processor does
 * @text: (array length=size): a preprocessor_config.json, or what has one as a part
 * @size: its bytes
 * @part: (nullable): the name of that part
 * @usual_name: the class where the file names none
 * @error: %HL_ERROR_UNSUPPORTED for a class that is not known; %HL_ERROR_MISSING without that part; what is wrong
 *
 * Returns: whether it is understood
 */
gboolean
hl_image_rules_parse (HlImageRules *self,
                      const char   *text,
                      gsize         size,
                      const char   *part,
                      const char   *usual_name,
                      GError      **error)
{
  g_return_val_if_fail (self != NULL && text != NULL && usual_name != NULL, FALSE);

  g_autoptr (HlJsonTree) tree = hl_json_tree_new (text, size, error);
  const char *name = NULL;
  gboolean is_fast;

  if (tree == NULL)
    return FALSE;
  HlJsonValue root = hl_json_tree_get_root (tree);
  if (part != NULL && hl_json_value_get_kind (root) == HL_JSON_OBJECT)
    root = hl_json_value_get (root, part);
  if (hl_json_value_get_kind (root) != HL_JSON_OBJECT)
    {
      g_set_error (error, HL_ERROR, part != NULL ? HL_ERROR_MISSING : HL_ERROR_VALUE, _ ("it is no object"));
      return FALSE;
    }
  if (!hl_json_get_string (root, "image_processor_type", &name, error) ||
      (name == NULL && !hl_json_get_string (root, "feature_extractor_type", &name, error)))
    return FALSE;
  name = name != NULL ? name : usual_name;
  const Row *row = find_class (name, &is_fast);
  if (row == NULL || !hl_image_rules_init (self, name))
    {
      g_autofree char *shown = hl_utf8_quote (name, strlen (name), MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the image processor “%s” is not known; --pixels takes an array that it has made"), shown);
      return FALSE;
    }
  return read_rules (self, row, root, error);
}

/* %NULL where there is no such file; an error only where there is one that cannot be read. */
static char *
read_file (GFile      *folder,
           const char *name,
           gsize      *size,
           GError    **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) local_error = NULL;

  if (!g_file_query_exists (file, NULL))
    return NULL;
  char *text = hl_file_load_regular (file, size, HL_LIMIT_IMAGE_RULES, &local_error);
  if (g_error_matches (local_error, HL_ERROR, HL_ERROR_TOO_LARGE))
    g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” is no file of at most %d bytes"), name,
                 HL_LIMIT_IMAGE_RULES);
  else if (text == NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", name);
  return text;
}

static gboolean
load_part (HlImageRules *self,
           GFile        *folder,
           const char   *name,
           const char   *part,
           const char   *usual_name,
           gboolean     *found,
           GError      **error)
{
  GError *local_error = NULL;
  gsize size;
  g_autofree char *text = read_file (folder, name, &size, &local_error);

  *found = text != NULL || local_error != NULL;
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (text == NULL || hl_image_rules_parse (self, text, size, part, usual_name, &local_error))
    return TRUE;
  /* Many models have the common file without the part. */
  if (part != NULL && g_error_matches (local_error, HL_ERROR, HL_ERROR_MISSING))
    {
      g_clear_error (&local_error);
      *found = FALSE;
      return TRUE;
    }
  g_propagate_prefixed_error (error, local_error, "%s: ", name);
  return FALSE;
}

/**
 * hl_image_rules_load:
 * @self: (out caller-allocates): what the processor of a model does
 * @folder: where the model is
 * @usual_name: the class where no file names one
 * @is_there: (out): whether a file says so, and not the class alone
 * @error: which file is wrong, and how
 *
 * Reads preprocessor_config.json, or the part of processor_config.json that newer versions of transformers write in its place. Blocks.
 *
 * Returns: whether what is there is understood
 */
gboolean
hl_image_rules_load (HlImageRules *self,
                     GFile        *folder,
                     const char   *usual_name,
                     gboolean     *is_there,
                     GError      **error)
{
  g_return_val_if_fail (self != NULL && G_IS_FILE (folder) && usual_name != NULL, FALSE);

  if (!load_part (self, folder, COMMON_FILE, COMMON_PART, usual_name, is_there, error) ||
      (!*is_there && !load_part (self, folder, OWN_FILE, NULL, usual_name, is_there, error)))
    return FALSE;
  return *is_there || hl_image_rules_init (self, usual_name);
}

/* Python's round(), which goes to the even one from the middle. */
static double
round_even (double value)
{
  return nearbyint (value);
}

/* Its shorter side is @self->shortest, and the longer one cut off at the point; if that were too long, that one counts. */
static void
fit_between (const HlImageRules *self,
             double              height,
             double              width,
             double             *new_height,
             double             *new_width)
{
  const double least = MIN (height, width), greatest = MAX (height, width);
  double size = (double) self->shortest, raw = size;

  if (greatest / least * size > (double) self->longest)
    {
      raw = (double) self->longest * least / greatest;
      size = round_even (raw);
    }
  *new_height = height;
  *new_width = width;
  if ((height <= width && height == size) || (width <= height && width == size))
    return;
  *new_height = width < height ? trunc (raw * height / width) : size;
  *new_width = width < height ? size : trunc (raw * width / height);
}

static void
fit_shortest (double  shortest,
              double  height,
              double  width,
              double *new_height,
              double *new_width)
{
  const double longest = trunc (shortest * MAX (height, width) / MIN (height, width));

  *new_height = width <= height ? longest : shortest;
  *new_width = width <= height ? shortest : longest;
}

/* The greatest scale at which so many squares cover the image; searched for as transformers does, with its bounds. */
static void
fit_patches (const HlImageRules *self,
             double              height,
             double              width,
             double             *new_height,
             double             *new_width)
{
  const double patch = (double) self->patch, tolerance = 1e-5;
  double least = tolerance / 10, greatest = 100;

  while (greatest - least >= tolerance)
    {
      const double scale = (least + greatest) / 2;
      const double rows = MAX (ceil (height * scale / patch), 1), columns = MAX (ceil (width * scale / patch), 1);

      if (rows * columns <= (double) self->max_patches)
        least = scale;
      else
        greatest = scale;
    }
  *new_height = MAX (ceil (height * least / patch), 1) * patch;
  *new_width = MAX (ceil (width * least / patch), 1) * patch;
}

/**
 * hl_image_rules_get_size:
 * @self: what a processor does
 * @image: the size of an image, at least 1 × 1
 * @resized: (out): the size it is given, before it is cropped
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether it is a size that images have
 */
gboolean
hl_image_rules_get_size (const HlImageRules *self,
                         const HlImageSize  *image,
                         HlImageSize        *resized,
                         GError            **error)
{
  g_return_val_if_fail (self != NULL && image->height > 0 && image->width > 0, FALSE);

  const double old_height = (double) image->height, old_width = (double) image->width;
  double height = old_height, width = old_width, factor;

  switch (self->resizes ? (int) self->fit : -1)
    {
    case HL_IMAGE_FIT_EXACT:
      height = (double) self->size.height;
      width = (double) self->size.width;
      break;
    case HL_IMAGE_FIT_SHORTEST:
      fit_shortest ((double) self->shortest, old_height, old_width, &height, &width);
      break;
    case HL_IMAGE_FIT_BETWEEN:
      fit_between (self, old_height, old_width, &height, &width);
      break;
    case HL_IMAGE_FIT_WITHIN:
      factor = MIN ((double) self->size.height / old_height, (double) self->size.width / old_width);
      height = trunc (old_height * factor);
      width = trunc (old_width * factor);
      break;
    case HL_IMAGE_FIT_SHARE:
      if (self->shortest >= LARGE_SQUARE)
        height = width = (double) self->shortest;
      else
        fit_shortest (trunc ((double) self->shortest / self->crop_share), old_height, old_width, &height, &width);
      break;
    case HL_IMAGE_FIT_PATCHES:
      fit_patches (self, old_height, old_width, &height, &width);
      break;
    default:
      break;
    }
  if (height < 1 || width < 1 || (self->resizes && (height > HL_LIMIT_PICTURE_SIDE || width > HL_LIMIT_PICTURE_SIDE)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the image of %zu × %zu pixels would become one of %.0f × %.0f; 1 to %u are possible"),
                   image->width, image->height, width, height, HL_LIMIT_PICTURE_SIDE);
      return FALSE;
    }
  *resized = (HlImageSize){ (gsize) height, (gsize) width };
  return TRUE;
}
