/* SPDX-License-Identifier: MIT */
/* What comes along: in one folder, of which a package may leave out the model, by far the largest. */
#include "config.h"

#include "app/base/hl-sample.h"

/* As make-sample.py computes them. The first is that of the welcome page. */
static const HlSampleText texts[] = {
  { "time flies like an arrow", "fruit flies like a banana", "minilm-time-flies.h5" },
  { "the animal did not cross the street because it was too tired", NULL, "minilm-street.h5" },
  { "she poured water from the jug into the cup until it was full", NULL, "minilm-cup.h5" },
};

/* HEADLIGHT_DATA_DIR says where data is when the program is run without having been installed. */
static GFile *
get_file (const char *name)
{
  const char *folder = g_getenv ("HEADLIGHT_DATA_DIR");

  return g_file_new_build_filename (folder != NULL ? folder : HL_PKGDATADIR, "samples", name, NULL);
}

/* Returns NULL where the model did not come along. */
GFile *
hl_sample_find_model (void)
{
  g_autoptr (GFile) file = get_file ("minilm-l6-v2.gguf");

  return g_file_query_exists (file, NULL) ? g_steal_pointer (&file) : NULL;
}

GFile *
hl_sample_get_dump (const HlSampleText *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  return get_file (text->dump);
}

const HlSampleText *
hl_sample_get_texts (guint *n_texts)
{
  g_return_val_if_fail (n_texts != NULL, NULL);
  *n_texts = G_N_ELEMENTS (texts);
  return texts;
}
