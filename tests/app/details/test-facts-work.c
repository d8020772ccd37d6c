/* SPDX-License-Identifier: MIT */
/* What is read of heads: the newest alone, in two steps, and nothing after it was stopped. */
#include "panel-support.h"

#include "app/details/hl-facts-work.h"

static const PanelAttention small = { .n_layers = 3, .n_heads = 4, .n = 12, .delay = 1000 };

typedef struct
{
  HlViewState *state;
  HlFactsWork *work;
  guint n_read, n_alike;
  HlHeadFacts *last;
} Fixture;

static void
on_read (Fixture      *fixture,
         HlHeadFacts  *facts,
         const GError *error)
{
  g_assert_no_error (error);
  g_assert_nonnull (hl_head_facts_get_picture (facts));
  fixture->n_read++;
  fixture->last = facts;
}

static void
on_alike_read (Fixture      *fixture,
               HlHeadFacts  *facts,
               const GError *error)
{
  g_assert_no_error (error);
  fixture->n_alike++;
  fixture->last = facts;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->state = panel_state_new (&small);
  fixture->work = hl_facts_work_new ();
  g_signal_connect_swapped (fixture->work, "read", G_CALLBACK (on_read), fixture);
  g_signal_connect_swapped (fixture->work, "alike-read", G_CALLBACK (on_alike_read), fixture);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_assert_finalize_object (fixture->work);
  g_assert_finalize_object (fixture->state);
}

static HlHeadFacts *
create_facts (Fixture *fixture,
              guint    layer)
{
  const HlThumbnailStyle style = {
    .kind = HL_THUMBNAIL_HEATMAP, .value_scale = HL_VALUE_SCALE_LINEAR, .width = 20, .height = 20, .scale = 1
  };

  return hl_head_facts_new (fixture->state, layer, 0, &style);
}

static void
test_steps (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr (HlHeadFacts) facts = create_facts (fixture, 1);
  g_autoptr (HlHeadFacts) again = create_facts (fixture, 1);
  g_autoptr (HlHeadFacts) other = create_facts (fixture, 2);

  g_assert_null (hl_facts_work_get_awaited (fixture->work));
  g_assert_false (hl_facts_work_goes_on (fixture->work, facts));
  hl_facts_work_ask (fixture->work, facts);
  g_assert_true (hl_facts_work_get_awaited (fixture->work) == facts);
  g_assert_true (hl_facts_work_goes_on (fixture->work, again));
  g_assert_false (hl_facts_work_goes_on (fixture->work, other));
  PANEL_WAIT_UNTIL (fixture->n_read == 1);
  g_assert_true (fixture->last == facts);
  g_assert_cmpuint (fixture->n_alike, ==, 0);
  hl_facts_work_ask (fixture->work, facts);
  PANEL_WAIT_UNTIL (fixture->n_alike == 1);
  g_assert_cmpuint (fixture->n_read, ==, 1);
  g_assert_null (hl_facts_work_get_awaited (fixture->work));
}

static void
test_newest (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr (HlHeadFacts) first = create_facts (fixture, 0);
  g_autoptr (HlHeadFacts) second = create_facts (fixture, 1);
  g_autoptr (HlHeadFacts) third = create_facts (fixture, 2);

  hl_facts_work_ask (fixture->work, first);
  hl_facts_work_ask (fixture->work, second);
  hl_facts_work_ask (fixture->work, third);
  g_assert_true (hl_facts_work_get_awaited (fixture->work) == third);
  /* It was given up for another: it does not go on. */
  g_assert_false (hl_facts_work_goes_on (fixture->work, first));
  PANEL_WAIT_UNTIL (fixture->n_read > 0);
  g_assert_true (fixture->last == third);
  g_assert_cmpuint (fixture->n_read, ==, 1);
}

static void
test_stopped (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr (HlHeadFacts) facts = create_facts (fixture, 0);
  g_autoptr (HlHeadFacts) other = create_facts (fixture, 1);

  hl_facts_work_ask (fixture->work, facts);
  hl_facts_work_ask (fixture->work, other);
  hl_facts_work_stop (fixture->work);
  PANEL_WAIT_UNTIL (hl_facts_work_get_awaited (fixture->work) == NULL);
  g_assert_cmpuint (fixture->n_read, ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add ("/facts-work/steps", Fixture, NULL, set_up, test_steps, tear_down);
  g_test_add ("/facts-work/newest", Fixture, NULL, set_up, test_newest, tear_down);
  g_test_add ("/facts-work/stopped", Fixture, NULL, set_up, test_stopped, tear_down);
  return g_test_run ();
}
