/* SPDX-License-Identifier: MIT */
/* What adapter_config.json says of which modules, and adapters that would take long: how often regular expressions may be
 * tried, and how much a row of embeddings may be made of. */
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/adapter/hl-adapter-config.h"
#include "core/model/adapter/hl-low-rank-tensor.h"

#include "test-dumps.h"

#include <string.h>

static HlAdapterConfig *
parse (const char *patterns)
{
  g_autofree char *text =
    g_strdup_printf ("{\"peft_type\":\"LORA\",\"base_model_name_or_path\":\"a\",\"alpha_pattern\":{%s}}", patterns);
  g_autoptr (GError) error = NULL;
  HlAdapterConfig *config = hl_adapter_config_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return config;
}

static float
get_scale (HlAdapterConfig *config,
           const char      *module)
{
  g_autoptr (GError) error = NULL;
  float scale = 0;

  g_assert_true (hl_adapter_config_get_scale (config, module, 1, &scale, &error));
  g_assert_no_error (error);
  return scale;
}

/* The first that is meant counts: a name from a dot, or an expression. */
static void
test_patterns (void)
{
  g_autoptr (HlAdapterConfig)
    config = parse ("\"q_proj\":1,\"layers\\\\.1\\\\..*\":2,\"^model\\\\.x\":3,\"(q|k)_proj\":4");

  g_assert_cmpfloat (get_scale (config, "model.layers.1.q_proj"), ==, 1);
  g_assert_cmpfloat (get_scale (config, "model.layers.1.k_proj"), ==, 2);
  g_assert_cmpfloat (get_scale (config, "model.layers.0.k_proj"), ==, 4);
  g_assert_cmpfloat (get_scale (config, "model.x"), ==, 3);
  g_assert_cmpfloat (get_scale (config, "model.layers.0.seq_proj"), ==, 8);
}

/* Names can be as many as there may be; expressions only if there are few modules. */
static void
test_tries (void)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) expressions = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const guint n = HL_LIMIT_ADAPTER_ALPHAS, n_most = HL_LIMIT_ADAPTER_TRIES / n;

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (names, "%s\"a%u\":1", i > 0 ? "," : "", i);
      g_string_append_printf (expressions, "%s\"a%u.*\":1", i > 0 ? "," : "", i);
    }
  g_autoptr (HlAdapterConfig) plain = parse (names->str);
  g_autoptr (HlAdapterConfig) config = parse (expressions->str);
  g_assert_true (hl_adapter_config_check_modules (plain, G_MAXUINT, &error));
  g_assert_true (hl_adapter_config_check_modules (config, n_most, &error));
  g_assert_no_error (error);
  g_assert_false (hl_adapter_config_check_modules (config, n_most + 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
}

/* Nor are they tried on names of any length; other names are. */
static void
test_long_module (void)
{
  g_autoptr (HlAdapterConfig) plain = parse ("\"a\":2");
  g_autoptr (HlAdapterConfig) config = parse ("\"b\":2,\"a+\":3");
  g_autofree char *name = g_strnfill (HL_LIMIT_ADAPTER_MODULE, 'a');
  g_autofree char *longer = g_strconcat (name, "a", NULL);
  g_autofree char *meant = g_strconcat (name, ".b", NULL);
  g_autoptr (GError) error = NULL;
  float scale;

  g_assert_cmpfloat (get_scale (config, name), ==, 3);
  g_assert_cmpfloat (get_scale (config, meant), ==, 2);
  g_assert_cmpfloat (get_scale (plain, longer), ==, 8);
  g_assert_false (hl_adapter_config_get_scale (config, longer, 1, &scale, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
}

/* Modules are meant whose names end so, and all that is within them. */
static void
test_saved (void)
{
  static const char text[] = "{\"peft_type\":\"LORA\",\"base_model_name_or_path\":\"a\","
                             "\"modules_to_save\":[\"\",3,\"lm_head\",\"model.words\",\"cls\"]}";
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAdapterConfig) config = hl_adapter_config_parse (text, strlen (text), &error);
  g_autoptr (HlAdapterConfig) none = parse ("");

  g_assert_no_error (error);
  g_assert_true (hl_adapter_config_is_saved (config, "lm_head.weight"));
  g_assert_true (hl_adapter_config_is_saved (config, "outer.model.words.weight"));
  g_assert_true (hl_adapter_config_is_saved (config, "cls.clsx.bias"));
  g_assert_false (hl_adapter_config_is_saved (config, "words.weight"));
  g_assert_false (hl_adapter_config_is_saved (config, "lm_head_2.weight"));
  g_assert_false (hl_adapter_config_is_saved (config, ""));
  g_assert_false (hl_adapter_config_is_saved (none, "lm_head.weight"));
}

/* A matrix of one number that stands for all. */
static HlTensor *
repeat (guint64 n_rows,
        guint64 n_columns)
{
  static const float number = 0.5f;
  const HlShape shape = { 2, { n_rows, n_columns } };
  const gint64 strides[] = { 0, 0 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (&number, sizeof number);
  g_autoptr (GError) error = NULL;
  HlTensor *tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, strides, FALSE, bytes, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
test_rank (void)
{
  g_autoptr (HlTensor) base = repeat (2, 3);

  for (guint past = 0; past < 2; past++)
    {
      g_autoptr (HlTensor) down = repeat (HL_LIMIT_ADAPTER_RANK + past, 3);
      g_autoptr (HlTensor) up = repeat (2, HL_LIMIT_ADAPTER_RANK + past);
      const HlLowRank change = { down, up, 1, FALSE, NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTensor) sum = hl_low_rank_tensor_new (base, &change, &error);

      if (past == 0)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_null (sum);
      g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
      test_assert_sentence (error);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapter/patterns", test_patterns);
  g_test_add_func ("/adapter/tries", test_tries);
  g_test_add_func ("/adapter/long-module", test_long_module);
  g_test_add_func ("/adapter/saved", test_saved);
  g_test_add_func ("/adapter/rank", test_rank);
  return g_test_run ();
}
