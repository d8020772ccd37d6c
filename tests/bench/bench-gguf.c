/* SPDX-License-Identifier: MIT */
/*
 * Times what a GGUF file takes, from opening it to the last layer, with queries and keys of all layers kept, as hl-qk-source needs them.
 *
 *   bench-gguf FILE
 *
 * Answers each line that it reads with one line, so that who asks can time something else in between:
 *
 *   open             milliseconds of opening the file, with its tokenizer
 *   first N          the same and those until the first layer of N tokens is there
 *   pass N           milliseconds of all layers of N tokens
 *   layers N         milliseconds from one layer to the next, for each but the last, which is not computed whole
 *   resident N       the most megabytes resident during a pass beside the pages of the file
 *   product M N K    GFLOP/s of a product in float32
 *   reading          GB/s of reading the file, which is in the page cache then
 */
#include "bench-product.h"
#include "bench-reading.h"

#include "core/model/hl-model.h"

#include <stdio.h>
#include <string.h>

/* What one pass has come to. */
typedef struct
{
  GPtrArray *kept;
  GArray *times;        /* double: when each layer was there, in milliseconds */
  const char *path;     /* the file, whose pages are not counted; NULL when nothing is */
  double most_resident; /* MB */
  GCancellable *stop;   /* what ends the pass after a layer, or NULL */
} Pass;

static double
get_time (void)
{
  return (double) g_get_monotonic_time () / 1000;
}

/* Megabytes of all mappings but those of the file. */
static double
get_resident (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  double resident = 0;
  gboolean counts = TRUE;

  if (!g_file_get_contents ("/proc/self/smaps", &text, NULL, &error))
    g_error ("%s", error->message);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize size;

      if (g_ascii_isxdigit (lines[i][0]) && strchr (lines[i], '-') != NULL)
        counts = !g_str_has_suffix (lines[i], path);
      else if (counts && sscanf (lines[i], "Rss: %zu kB", &size) == 1)
        resident += (double) size / 1024;
    }
  return resident;
}

/* Keeps what attention follows from. */
static void
keep_layer (const HlLayerProjections *layer,
            gpointer                  data)
{
  Pass *pass = data;
  const gsize row = layer->head_size * sizeof (float);
  const double now = get_time ();

  g_array_append_val (pass->times, now);
  g_ptr_array_add (pass->kept, g_memdup2 (layer->queries, layer->n_heads * layer->n_queries * row));
  g_ptr_array_add (pass->kept, g_memdup2 (layer->keys, layer->n_key_heads * layer->n_keys * row));
  if (pass->path != NULL)
    pass->most_resident = MAX (pass->most_resident, get_resident (pass->path));
  if (pass->stop != NULL)
    g_cancellable_cancel (pass->stop);
}

static void
run (HlModel *model,
     gsize    n,
     Pass    *pass)
{
  g_autofree guint32 *ids = g_new (guint32, n);
  g_autoptr (GError) error = NULL;
  const HlModelInput input = { .ids = ids, .n_ids = n };

  for (gsize i = 0; i < n; i++)
    ids[i] = 1000 + (guint32) (i * 7919 % 20000);
  if (!hl_model_forward (model, &input, keep_layer, pass, NULL, pass->stop, &error) && pass->stop == NULL)
    g_error ("%s", error->message);
}

static HlModel *
load (GFile *file)
{
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (file, &error);

  if (model == NULL || hl_model_require_tokenizer (model, &error) == NULL)
    g_error ("%s", error->message);
  return model;
}

/* Answers one line. */
static void
answer (const char *line,
        GFile      *file,
        const char *path,
        HlModel    *model)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  Pass pass = { .kept = kept, .times = times };
  const double begin = get_time ();
  gsize m, n, k;

  if (g_str_has_prefix (line, "open"))
    {
      g_autoptr (HlModel) own = load (file);
      printf ("%.3f", get_time () - begin);
    }
  else if (sscanf (line, "first %zu", &n) == 1)
    {
      g_autoptr (HlModel) own = load (file);
      g_autoptr (GCancellable) stop = g_cancellable_new ();

      pass.stop = stop;
      run (own, n, &pass);
      printf ("%.3f", g_array_index (times, double, 0) - begin);
    }
  else if (sscanf (line, "pass %zu", &n) == 1)
    {
      run (model, n, &pass);
      printf ("%.3f", get_time () - begin);
    }
  else if (sscanf (line, "layers %zu", &n) == 1)
    {
      run (model, n, &pass);
      for (guint i = 1; i < times->len; i++)
        printf ("%.3f ", g_array_index (times, double, i) - g_array_index (times, double, i - 1));
    }
  else if (sscanf (line, "resident %zu", &n) == 1)
    {
      pass.path = path;
      run (model, n, &pass);
      printf ("%.1f", pass.most_resident);
    }
  else if (sscanf (line, "product %zu %zu %zu", &m, &n, &k) == 3)
    {
      printf ("%.1f", bench_rate_product (m, n, k));
    }
  else if (g_str_has_prefix (line, "reading"))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, &error);

      if (mapped == NULL)
        g_error ("%s", error->message);
      const gsize size = g_mapped_file_get_length (mapped);
      bench_time_reading (g_mapped_file_get_contents (mapped), size);
      printf ("%.2f", (double) size / bench_time_reading (g_mapped_file_get_contents (mapped), size) / 1e6);
    }
  printf ("\n");
  fflush (stdout);
}

int
main (int    argc,
      char **argv)
{
  char line[100];

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-gguf FILE\n");
      return 2;
    }
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argv[1]);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (HlModel) model = load (file);
  while (fgets (line, sizeof line, stdin) != NULL)
    answer (line, file, path, model);
  return 0;
}
