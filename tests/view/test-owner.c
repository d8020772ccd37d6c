/* SPDX-License-Identifier: MIT */
/* What is looked at is changed in the thread that it belongs to; who does it in another is stopped. */
#include "view/hl-view-history.h"

#include "core/test-attentions.h"

static HlViewState *
make_state (void)
{
  g_autofree float *weights = test_make_weights (1, 3 * 4, 6, 6);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, test_make_attention_full (3, 4, 6, 6, weights, NULL, NULL, 6, 0, (HlMask){ FALSE, 0 }));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

static gpointer
choose (gpointer state)
{
  hl_view_state_set_option (state, threshold, 0.25);
  return NULL;
}

static gpointer
hover (gpointer state)
{
  const HlPick pick = hl_pick_of (HL_KEYS, 2);

  hl_view_state_set_hovered (state, &pick);
  return NULL;
}

static gpointer
go_to (gpointer state)
{
  hl_view_state_go_to (state, 1, 1);
  return NULL;
}

static gpointer
hide (gpointer state)
{
  const HlPick pick = hl_pick_of (HL_KEYS, 2);

  hl_view_state_hide (state, &pick);
  return NULL;
}

#ifdef HL_CHECK_OWNERS

static gpointer
undo (gpointer history)
{
  hl_view_history_undo (history);
  return NULL;
}

#endif

static gpointer
make_and_choose (gpointer nothing)
{
  g_autoptr (HlViewState) state = make_state ();

  choose (state);
  return GINT_TO_POINTER (hl_view_state_get_options (state)->threshold == 0.25);
}

static void
test_own (void)
{
  g_autoptr (HlViewState) state = make_state ();

  choose (state);
  hover (state);
  go_to (state);
  hide (state);
  g_assert_true (hl_view_state_hides (state));
  /* Or in another, which made it. */
  g_assert_true (GPOINTER_TO_INT (g_thread_join (g_thread_new ("maker", make_and_choose, NULL))));
}

#ifdef HL_CHECK_OWNERS

static void
test_foreign (gconstpointer data)
{
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_failed ();
      g_test_trap_assert_stderr ("*called from a thread that does not own what it changes*");
      return;
    }
  g_autoptr (HlViewState) state = make_state ();
  g_autoptr (HlViewHistory) history = hl_view_history_new (state);
  const GThreadFunc function = *(const GThreadFunc *) data;
  choose (state);
  g_thread_join (g_thread_new ("other", function, function == undo ? (gpointer) history : state));
}

#endif

int
main (int    argc,
      char **argv)
{
#ifdef HL_CHECK_OWNERS
  static const struct
  {
    const char *path;
    GThreadFunc function;
  } foreign[] = {
    { "/owner/options", choose }, { "/owner/hovered", hover }, { "/owner/selection", go_to },
    { "/owner/hidden", hide },    { "/owner/history", undo },
  };
#endif

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owner/own", test_own);
#ifdef HL_CHECK_OWNERS
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    g_test_add_data_func (foreign[i].path, &foreign[i].function, test_foreign);
#endif
  return g_test_run ();
}
