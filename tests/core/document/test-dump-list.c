/* SPDX-License-Identifier: MIT */
/* Which examples a file holds is found with few looks at it, however many there are. */
#include "test-dumps.h"

#include "core/archive/format/hl-format.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/read/base/hl-dump-steps.h"
#include "core/document/read/hl-dump-reader.h"

/* An archive that counts what is asked of another. */
G_DECLARE_FINAL_TYPE (TestArchive, test_archive, TEST, ARCHIVE, GObject)
G_DECLARE_FINAL_TYPE (TestTensor, test_tensor, TEST, TENSOR, HlTensor)

struct _TestArchive
{
  GObject parent_instance;

  HlArchive *archive;
  guint n_lists;             /* of the root */
  guint n_inside;            /* of groups that are called layers */
  gboolean is_huge;          /* whether those have very many members */
  GCancellable *cancellable; /* if set, cancelled when one of those is listed */
  guint n_reads;
};

struct _TestTensor
{
  HlTensor parent_instance;

  HlTensor *tensor;
  guint *n_reads;
};

G_DEFINE_FINAL_TYPE (TestTensor, test_tensor, HL_TYPE_TENSOR)

static gboolean
test_tensor_read_f32 (HlTensor      *tensor,
                      const guint64 *start,
                      const guint64 *count,
                      float         *target,
                      GCancellable  *cancellable,
                      GError       **error)
{
  ++*TEST_TENSOR (tensor)->n_reads;
  return hl_tensor_read_f32 (TEST_TENSOR (tensor)->tensor, start, count, target, cancellable, error);
}

static void
test_tensor_finalize (GObject *object)
{
  g_object_unref (TEST_TENSOR (object)->tensor);
  G_OBJECT_CLASS (test_tensor_parent_class)->finalize (object);
}

static void
test_tensor_class_init (TestTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = test_tensor_read_f32;
}

static void
test_tensor_init (TestTensor *self)
{
}

static const char *
test_archive_get_container (HlArchive *archive)
{
  return hl_archive_get_container (TEST_ARCHIVE (archive)->archive);
}

static char **
test_archive_list (HlArchive  *archive,
                   const char *group,
                   GError    **error)
{
  TestArchive *self = TEST_ARCHIVE (archive);

  self->n_lists += *group == '\0';
  if (strstr (group, "layer") == NULL)
    return hl_archive_list (self->archive, group, error);
  self->n_inside++;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  if (!self->is_huge)
    return hl_archive_list (self->archive, group, error);
  char **many = g_new0 (char *, HL_LIMIT_MEMBERS + 1);
  for (guint i = 0; i < HL_LIMIT_MEMBERS; i++)
    many[i] = g_strdup ("x");
  return many;
}

static HlMemberKind
test_archive_get_kind (HlArchive  *archive,
                       const char *name)
{
  return hl_archive_get_kind (TEST_ARCHIVE (archive)->archive, name);
}

static HlTensor *
test_archive_open_tensor (HlArchive  *archive,
                          const char *name,
                          GError    **error)
{
  TestArchive *self = TEST_ARCHIVE (archive);
  HlTensor *tensor = hl_archive_open_tensor (self->archive, name, error);

  if (tensor == NULL)
    return NULL;
  TestTensor *counted = g_object_new (test_tensor_get_type (), NULL);
  hl_tensor_set_layout (HL_TENSOR (counted), hl_tensor_get_dtype (tensor), hl_tensor_get_shape (tensor));
  counted->tensor = tensor;
  counted->n_reads = &self->n_reads;
  return HL_TENSOR (counted);
}

static char **
test_archive_read_strings (HlArchive  *archive,
                           const char *name,
                           GError    **error)
{
  return hl_archive_read_strings (TEST_ARCHIVE (archive)->archive, name, error);
}

static GVariant *
test_archive_get_attribute (HlArchive  *archive,
                            const char *group,
                            const char *name,
                            GError    **error)
{
  return hl_archive_get_attribute (TEST_ARCHIVE (archive)->archive, group, name, error);
}

static void
test_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = test_archive_get_container;
  iface->list = test_archive_list;
  iface->get_kind = test_archive_get_kind;
  iface->open_tensor = test_archive_open_tensor;
  iface->read_strings = test_archive_read_strings;
  iface->get_attribute = test_archive_get_attribute;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestArchive,
                               test_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, test_archive_iface_init))

static void
test_archive_finalize (GObject *object)
{
  g_object_unref (TEST_ARCHIVE (object)->archive);
  G_OBJECT_CLASS (test_archive_parent_class)->finalize (object);
}

static void
test_archive_class_init (TestArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_archive_finalize;
}

static void
test_archive_init (TestArchive *self)
{
}

static TestArchive *
open_text (const char *folder,
           const char *text)
{
  g_autofree char *path = g_build_filename (folder, "text.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  TestArchive *self = g_object_new (test_archive_get_type (), NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  self->archive = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return self;
}

/* Of steps that are filled up with rows of zeros, the last that is none is found without reading row by row. */
static void
test_filled_up (void)
{
  static const guint n_queries[] = { 5, 1, 700, 2, 2000 };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (GString) text = g_string_new ("{\"attentions\": [");
  g_autoptr (GError) error = NULL;

  for (guint step = 0; step < G_N_ELEMENTS (n_queries); step++)
    {
      g_string_append (text, step > 0 ? ", [[[[" : "[[[[");
      for (guint query = 0; query < 2000; query++)
        g_string_append_printf (text, "%s[%s, 0, 0]", query > 0 ? ", " : "", query < n_queries[step] ? "1" : "0");
      g_string_append (text, "]]]]");
    }
  g_string_append (text, "]}");
  g_autoptr (TestArchive) archive = open_text (folder, text->str);
  g_autoptr (GPtrArray) entries = hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, G_N_ELEMENTS (n_queries) + 1);
  g_assert_cmpuint (archive->n_reads, <, 50);

  for (guint i = 0; i < entries->len; i++)
    {
      const HlDumpEntry *entry = entries->pdata[i];
      g_autoptr (HlExample) example = hl_dump_reader_load (HL_ARCHIVE (archive), entry, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (example, 0), HL_QUERIES), ==,
                        entry->step == HL_DUMP_ALL_STEPS ? 5 + 1 + 700 + 2 + 2000 : n_queries[entry->step]);
    }
}

/* Opens steps whose maps are all in one, each filled up with zeros; @all is of all steps, the last there is. */
static GPtrArray *
load_entries (TestArchive *archive,
              HlExample  **all)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  *all = NULL;
  for (guint i = 0; i < entries->len; i++)
    if (((HlDumpEntry *) entries->pdata[i])->step == HL_DUMP_ALL_STEPS)
      {
        g_clear_object (all);
        *all = hl_dump_reader_load (HL_ARCHIVE (archive), entries->pdata[i], NULL, NULL, &error);
        g_assert_no_error (error);
      }
  g_assert_nonnull (*all);
  return entries;
}

static GPtrArray *
load_all_steps (const char *folder,
                const char *text,
                HlExample **all)
{
  g_autoptr (TestArchive) archive = open_text (folder, text);

  return load_entries (archive, all);
}

/* How far steps are filled, no head tells alone: it may be switched off, in a text or in all, and so may be a layer. */
static void
test_switched_off (void)
{
  /* [step][layer][text][head]: two queries of a prompt, then one. */
#define NONE "[[0, 0, 0], [0, 0, 0]]"
#define PROMPT "[[1, 0, 0], [0.5, 0.5, 0]]"
#define NEXT "[[0.5, 0, 0.5], [0, 0, 0]]"
  static const struct
  {
    const char *text;
    guint n_queries;
  } cases[] = {
    { "[[[[" PROMPT ", " NONE "]]], [[[" NEXT ", " NONE "]]]]", 3 },
    { "[[[[" NONE ", " PROMPT "]]], [[[" NONE ", " NEXT "]]]]", 3 },
    { "[[[[" NONE "], [" PROMPT "]]], [[[" NONE "], [" NEXT "]]]]", 3 },
    { "[[[[" NONE "]], [[" PROMPT "]]], [[[" NONE "]], [[" NEXT "]]]]", 3 },
    /* Where nothing tells, all is taken. */
    { "[[[[" NONE "]]], [[[" NONE "]]]]", 4 },
  };
#undef NONE
#undef PROMPT
#undef NEXT
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"attentions\": %s}", cases[i].text);
      g_autoptr (HlExample) all = NULL;
      g_autoptr (GPtrArray) entries = load_all_steps (folder, text, &all);

      g_test_message ("%s", text);
      g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (all, 0), HL_QUERIES), ==, cases[i].n_queries);
      g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (all, 0), HL_KEYS), ==, 3);
    }
}

/* Steps of a batch are counted with few looks at them, and once: not for each item, nor again for each step that is opened. */
static void
test_filled_up_batch (void)
{
  enum
  {
    N_STEPS = 6,
    N_ITEMS = 16
  };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (GString) text = g_string_new ("{\"attentions\": [");
  g_autoptr (HlExample) all = NULL;

  for (guint step = 0; step < N_STEPS; step++)
    {
      g_string_append (text, step > 0 ? ", [[" : "[[");
      for (guint item = 0; item < N_ITEMS; item++)
        g_string_append_printf (text, "%s[[[1, 0, 0, 0], [0, %u, 0, 0], [0, 0, 0, 0]]]", item > 0 ? ", " : "",
                                step == 0 && item == N_ITEMS - 1);
      g_string_append (text, "]]");
    }
  g_string_append (text, "]}");
  g_autoptr (TestArchive) archive = open_text (folder, text->str);
  g_autoptr (GPtrArray) entries = load_entries (archive, &all);

  /* The prompt has two queries, which one item tells, and the other steps have one each. */
  g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (all, 0), HL_QUERIES), ==, 2 + N_STEPS - 1);
  g_assert_cmpuint (archive->n_reads, <, 4 * N_STEPS);
  archive->n_reads = 0;
  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlExample) example = hl_dump_reader_load (HL_ARCHIVE (archive), entries->pdata[i], NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (archive->n_reads, <, entries->len);
}

/* A cache with room for eight keys, two of which were there before the first query. A head that gives all its weight to the first key has not seen
 * less. */
static void
test_sink_of_cache (void)
{
  static const char sink[] = "[[1, 0, 0, 0, 0, 0, 0, 0]]";
  static const char *const seen[] = { "[[0.5, 0, 0.5, 0, 0, 0, 0, 0]]", "[[0.5, 0, 0, 0.5, 0, 0, 0, 0]]",
                                      "[[0.5, 0, 0, 0, 0.5, 0, 0, 0]]" };

  for (guint turn = 0; turn < 2; turn++)
    {
      g_autoptr (TestFolder) folder = test_make_folder ();
      g_autoptr (GString) text = g_string_new ("{\"attentions\": [");
      g_autoptr (HlExample) all = NULL;

      for (guint step = 0; step < G_N_ELEMENTS (seen); step++)
        g_string_append_printf (text, "%s[[[%s, %s]]]", step > 0 ? ", " : "", turn == 0 ? sink : seen[step],
                                turn == 0 ? seen[step] : sink);
      g_string_append (text, "]}");
      g_autoptr (GPtrArray) entries = load_all_steps (folder, text->str, &all);
      g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (all, 0), HL_QUERIES), ==, 3);
      g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (all, 0), HL_KEYS), ==, 5);
    }
}

/* A generation for each of so many examples, beside which much else lies. */
static TestArchive *
open_generations (const char *folder,
                  guint       n)
{
  g_autoptr (GString) text = g_string_new ("{\"attentions\": {");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "%s\"%u\": {\"0\": {\"0\": [[[[1, 0], [0.5, 0.5]]]]}, \"1\": {\"0\": [[[[0, 0.5, 0.5]]]]}}",
                            i > 0 ? ", " : "", i);
  g_string_append (text, "}, \"words\": {");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s\"%u\": [\"a%u\", \"b\", \"c\"]", i > 0 ? ", " : "", i, i);
  g_string_append (text, "}");
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, ", \"x%u\": [\"x\"]", i);
  g_string_append (text, "}");
  return open_text (folder, text->str);
}

/* The names beside a list are looked through once, not for each of its elements, and tokens are found among them. */
static void
test_lists (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  guint n_lists[2];

  for (guint i = 0; i < 2; i++)
    {
      const guint n = i == 0 ? 2 : 40;
      g_autoptr (TestArchive) archive = open_generations (folder, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) entries = hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (entries->len, ==, 3 * n);
      n_lists[i] = archive->n_lists;

      g_autoptr (HlExample)
        last = hl_dump_reader_load (HL_ARCHIVE (archive), entries->pdata[3 * (n - 1)], NULL, NULL, &error);
      g_autofree char *word = g_strdup_printf ("a%u", n - 1);
      g_assert_no_error (error);
      g_assert_cmpstr (hl_attention_get_tokens (hl_example_get_attention (last, 0), HL_KEYS)[0], ==, word);
    }
  g_assert_cmpuint (n_lists[1], ==, n_lists[0]);
}

/* Series that are called layers, of a group each, behind @before. */
static void
add_layers (GString    *text,
            const char *before,
            guint       n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s\"layer_%c%c_0\": {\"x\": [1]}", i > 0 ? ", " : before, 'a' + i / 8, 'a' + i % 8);
}

/* Groups are not looked into where names tell what is attention. */
static void
test_named (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (GString) text = g_string_new ("{\"examples\": {");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_string_append_printf (text, "%s\"%u\": {\"attn_0\": [[[1, 0], [0, 1]]], \"attn_1\": [[[1, 0], [0, 1]]]",
                              i > 0 ? ", " : "", i);
      add_layers (text, ", ", 40);
      g_string_append_c (text, '}');
    }
  g_string_append (text, "}}");
  g_autoptr (TestArchive) archive = open_text (folder, text->str);
  g_autoptr (GPtrArray) entries = hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 3);
  g_assert_cmpuint (archive->n_inside, ==, 0);
}

/* Links of a small file make many large groups of one: there is an end to looking into them, for all groups together. */
static void
test_huge (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_string_append_printf (text, "%s\"group%u\": {", i > 0 ? ", " : "", i);
      add_layers (text, "", 60);
      g_string_append_c (text, '}');
    }
  g_string_append_c (text, '}');
  g_autoptr (TestArchive) archive = open_text (folder, text->str);
  archive->is_huge = TRUE;
  g_assert_null (hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpuint (archive->n_inside, <=, 2 * 60);
}

/* Who stops it does not wait for the other groups. */
static void
test_stopped (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (GString) text = g_string_new ("{");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  add_layers (text, "", 60);
  g_string_append_c (text, '}');
  g_autoptr (TestArchive) archive = open_text (folder, text->str);
  archive->cancellable = cancellable;
  g_assert_null (hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (archive->n_inside, ==, 1);
}

/* In a dict that is saved, names with slashes are no groups. What is listed can be chosen, a series too. */
static void
test_slashes (void)
{
#define MAPS "[[[0.5, 0.5], [0.1, 0.9]]]"
  static const char *const cases[][3] = {
    { "{\"enc/attn\": [" MAPS "], \"dec/attn\": [" MAPS "]}", "dec/attn", "" },
    { "{\"layer_0/attn\": " MAPS ", \"layer_1/attn\": " MAPS "}", "layer_#/attn", "" },
    { "{\"run\": {\"layer_0/attn\": " MAPS ", \"layer_1/attn\": " MAPS "}}", "run/layer_#/attn", "run" },
    { "{\"run/1\": {\"enc/attn\": " MAPS "}}", "run/1/enc/attn", "run/1" },
    { "{\"run\": {\"attn\": " MAPS "}, \"x\": " MAPS "}", "run/attn", "run" },
  };
#undef MAPS
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const HlOpenOptions options = { .dataset = (char *) cases[i][1] };
      g_autoptr (TestArchive) archive = open_text (folder, cases[i][0]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) entries = hl_dump_reader_list (HL_ARCHIVE (archive), &options, NULL, NULL, &error);

      g_test_message ("%s", cases[i][1]);
      g_assert_no_error (error);
      g_assert_cmpuint (entries->len, ==, 1);
      g_assert_cmpstr (((HlDumpEntry *) entries->pdata[0])->group, ==, cases[i][2]);
      g_autoptr (HlExample) example = hl_dump_reader_load (HL_ARCHIVE (archive), entries->pdata[0], NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (hl_attention_get_n_layers (hl_example_get_attention (example, 0)), ==,
                        strchr (cases[i][1], '#') != NULL ? 2 : 1);
    }
}

/* The digits that a byte of a name is spelt with are no number of a layer or an example. */
static void
test_spelt_bytes (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (TestArchive)
    archive = open_text (folder, "{\"gr<0xF6><0xDF>e\": [[[[0.5, 0.5], [0.1, 0.9]]], [[[0.5, 0.5], [0.2, 0.8]]]]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = hl_dump_reader_list (HL_ARCHIVE (archive), NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 1);
  g_autoptr (HlExample) example = hl_dump_reader_load (HL_ARCHIVE (archive), entries->pdata[0], NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_attention_get_n_layers (hl_example_get_attention (example, 0)), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dump-list/filled-up", test_filled_up);
  g_test_add_func ("/dump-list/filled-up-batch", test_filled_up_batch);
  g_test_add_func ("/dump-list/switched-off", test_switched_off);
  g_test_add_func ("/dump-list/sink-of-cache", test_sink_of_cache);
  g_test_add_func ("/dump-list/lists", test_lists);
  g_test_add_func ("/dump-list/named", test_named);
  g_test_add_func ("/dump-list/huge", test_huge);
  g_test_add_func ("/dump-list/stopped", test_stopped);
  g_test_add_func ("/dump-list/slashes", test_slashes);
  g_test_add_func ("/dump-list/spelt-bytes", test_spelt_bytes);
  return g_test_run ();
}
