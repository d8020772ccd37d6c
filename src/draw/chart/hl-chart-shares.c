/* SPDX-License-Identifier: MIT */
/*
 * Shares by layer, one on the other: of the weight by class of key at the left, and of the weight times the length of what a
 * key brings at the right, as Kobayashi et al. 2020 have it; or how many heads of a layer have each pattern.
 */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/chart/hl-chart-axis.h"
#include "draw/chart/hl-chart-legend.h"
#include "draw/paint/hl-palette.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-sentence.h"

#define MARGIN 16
#define GAP 28
#define TITLE_ROOM 24
#define MAX_SHAPE 1.1
#define MAX_CLASSES 8
#define N_PANELS 2
/* Of a layer's slot, its bar; no wider than so many pixels. */
#define BAR 0.72
#define MAX_BAR 56

/* What is stacked: of each panel, layer and class its share. */
typedef struct
{
  guint n_panels;
  guint n_classes;
  guint n_layers;
  const char *titles[N_PANELS];
  char *lacking[N_PANELS]; /* why there is nothing in it */
  const char *labels[MAX_CLASSES];
  gboolean is_used[MAX_CLASSES];
  double *values; /* [panel, layer, class] NaN where not known */
} Shares;

static const HlHeadStat masses[N_PANELS][5] = {
  { HL_HEAD_STAT_MASS_CLS, HL_HEAD_STAT_MASS_SEP, HL_HEAD_STAT_MASS_BARE_FIRST, HL_HEAD_STAT_MASS_PUNCTUATION,
    HL_HEAD_STAT_MASS_OTHER },
  { HL_HEAD_STAT_NORM_SHARE_CLS, HL_HEAD_STAT_NORM_SHARE_SEP, HL_HEAD_STAT_NORM_SHARE_BARE_FIRST,
    HL_HEAD_STAT_NORM_SHARE_PUNCTUATION, HL_HEAD_STAT_NORM_SHARE_OTHER },
};

static double *
get_value (const Shares *self,
           guint         panel,
           guint         layer,
           guint         class)
{
  return &self->values[(panel * self->n_layers + layer) * self->n_classes + class];
}

static void
shares_clear (Shares *self)
{
  g_free (self->values);
  for (guint panel = 0; panel < N_PANELS; panel++)
    g_free (self->lacking[panel]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Shares, shares_clear)

/* The mean over the heads of a layer that have the number. */
static double
find_mean (HlHeadNumbers *numbers,
           guint          first,
           guint          n,
           HlHeadStat     stat)
{
  double sum = 0;
  guint n_found = 0;

  for (guint i = first; i < first + n; i++)
    {
      const double value = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + stat, i);
      if (isfinite (value))
        {
          sum += value;
          n_found++;
        }
    }
  return n_found > 0 ? sum / n_found : NAN;
}

/* How many of the heads whose class is known are of it; of a head over texts counts the part of these where it is. */
static double
count_class (HlHeadNumbers *numbers,
             guint          first,
             guint          n,
             guint          class)
{
  double n_found = 0;
  guint n_known = 0;

  for (guint i = first; i < first + n; i++)
    {
      const double share = hl_head_numbers_get_share (numbers, HL_HEAD_STAT_PATTERN, i, class);
      n_known += isfinite (share);
      n_found += isfinite (share) ? share : 0;
    }
  return n_known > 0 ? n_found / n_known : NAN;
}

static void
name_classes (Shares  *self,
              gboolean is_pattern)
{
  const HlHeadNumberWord *words = hl_head_number_get (HL_HEAD_STAT_PATTERN)->words;

  if (!is_pattern)
    {
      self->n_panels = N_PANELS;
      self->n_classes = G_N_ELEMENTS (masses[0]);
      self->titles[0] = _ ("weight");
      /* Translators: weights times the length of the vector that a key brings */
      self->titles[1] = _ ("weight × length of what the key brings");
      for (guint class = 0; class < self->n_classes; class ++)
        self->labels[class] = _ (hl_head_number_get (masses[0][class])->choice);
      return;
    }
  self->n_panels = 1;
  self->titles[0] = _ ("heads");
  for (; self->n_classes < MAX_CLASSES && words[self->n_classes].nick != NULL; self->n_classes++)
    self->labels[self->n_classes] = _ (words[self->n_classes].label);
}

static void
find_lacking (Shares        *self,
              const HlChart *chart,
              gboolean       is_pattern)
{
  const HlHeadNumberRequest request = hl_view_state_get_number_request (hl_scene_get_state (chart->scene));

  for (guint panel = 0; panel < self->n_panels; panel++)
    {
      g_autoptr (GError) error = NULL;
      if (!hl_head_number_check (is_pattern ? HL_HEAD_STAT_PATTERN : masses[panel][0], &request, &error))
        self->lacking[panel] = hl_sentence_of_error (error);
    }
}

static void
shares_init (Shares        *self,
             const HlChart *chart)
{
  const gboolean is_pattern = chart->frame->shown->options.number == HL_HEAD_MEASURE_PATTERN;
  HlHeadNumbers *numbers = hl_view_state_get_numbers (hl_scene_get_state (chart->scene));

  *self = (Shares){ .n_layers = chart->numbers->n_layers };
  name_classes (self, is_pattern);
  find_lacking (self, chart, is_pattern);
  self->values = g_new (double, MAX (self->n_panels * self->n_layers * self->n_classes, 1));
  for (guint panel = 0; panel < self->n_panels; panel++)
    for (guint layer = 0; layer < self->n_layers; layer++)
      for (guint class = 0; class < self->n_classes; class ++)
        {
          const guint first = chart->numbers->starts[layer];
          const guint n = hl_chart_numbers_get_n_heads (chart->numbers, layer);
          double *value = get_value (self, panel, layer, class);

          *value = numbers == NULL || self->lacking[panel] != NULL ? NAN
                   : is_pattern                                    ? count_class (numbers, first, n, class)
                                : find_mean (numbers, first, n, masses[panel][class]);
          self->is_used[class] |= *value > 0;
        }
}

/* What is none of the classes stands back. */
static HlColour
get_colour (const HlChart *self,
            const Shares  *shares,
            guint          class)
{
  return class + 1 == shares->n_classes ? self->frame->theme->hatch
                                        : hl_palette_get_head_colour (class, self->frame->theme->dark);
}

static guint
make_samples (const HlChart *self,
              const Shares  *shares,
              HlChartSample *samples)
{
  guint n = 0;

  for (guint class = 0; class < shares->n_classes; class ++)
    if (shares->is_used[class])
      samples[n++] = (HlChartSample){ HL_CHART_MARK_AREA, get_colour (self, shares, class), shares->labels[class] };
  return n;
}

static HlChartAxis
get_axis (const HlChart *self)
{
  HlChartAxis axis;

  hl_chart_axis_init (&axis, 0, 1, TRUE, 5);
  axis.begin = self->layout->plot.y + self->layout->plot.height;
  axis.end = self->layout->plot.y;
  return axis;
}

static char *
get_notice (const HlChart *self)
{
  if (self->frame->shown->other != NULL)
    return g_strdup (_ ("Shares have no difference; the two sides can be seen side by side"));
  g_auto (Shares) shares = { 0 };
  shares_init (&shares, self);
  if (shares.lacking[0] != NULL)
    return g_strdup_printf ("%s: %s", shares.titles[0], shares.lacking[0]);
  for (guint class = 0; class < shares.n_classes; class ++)
    if (shares.is_used[class])
      return NULL;
  HlViewState *state = hl_scene_get_state (self->scene);
  if (hl_view_state_get_wanted_numbers (state) != 0)
    return g_strdup (_ ("The numbers are being computed…"));
  return g_strdup_printf (_ ("No head has a number for “%s” here"),
                          shares.n_panels == 1 ? hl_head_measure_get_label (HL_HEAD_MEASURE_PATTERN)
                                               : shares.titles[0]);
}

static void
lay_out (const HlChart *self,
         HlChartLayout *layout)
{
  const HlChartAxis axis = get_axis (self);
  g_auto (Shares) shares = { 0 };
  HlChartSample samples[MAX_CLASSES];

  shares_init (&shares, self);
  const double left = MARGIN + hl_chart_axis_measure (&axis, self->scene);
  const double width = MAX (self->frame->width - left - MARGIN, 60);
  const guint n_lines = hl_chart_legend_draw (self->scene, self->frame, NULL, samples,
                                              make_samples (self, &shares, samples), left, width, 0);
  const double top = layout->top + n_lines * HL_CHART_LEGEND_LINE + TITLE_ROOM + 4;
  const double panel = (width - (shares.n_panels - 1) * GAP) / shares.n_panels;

  layout->legend_y = layout->top + HL_CHART_LEGEND_LINE / 2.0;
  layout->plot =
    (cairo_rectangle_t){ left - self->frame->x, top - self->frame->y, width,
                         CLAMP (self->frame->height - top - HL_CHART_LAYERS_ROOM, 60, MAX (panel * MAX_SHAPE, 60)) };
  layout->content_height = top + layout->plot.height + HL_CHART_LAYERS_ROOM;
}

static cairo_rectangle_t
get_panel (const HlChart *self,
           const Shares  *shares,
           guint          panel)
{
  const cairo_rectangle_t *plot = &self->layout->plot;
  const double width = (plot->width - (shares->n_panels - 1) * GAP) / shares->n_panels;

  return (cairo_rectangle_t){ plot->x + panel * (width + GAP), plot->y, width, plot->height };
}

/* The notes of a panel that has no bars, in as many lines as it takes. */
static void
draw_lacking (const HlChart           *self,
              cairo_t                 *cr,
              const char              *text,
              const cairo_rectangle_t *box)
{
  g_auto (GStrv) lines = hl_caption_break (hl_scene_get_text (self->scene), text, box->width, box->height);
  const HlTextStyle style = hl_caption_get_style (box->width);

  for (guint i = 0; lines[i] != NULL; i++)
    hl_scene_write (self->scene, cr, lines[i], &style, &self->frame->theme->muted, box->x + box->width / 2,
                    box->y + box->height / 2 + (i - (g_strv_length (lines) - 1) / 2.0) * HL_CAPTION_LINE, 0.5);
}

static void
draw_backdrop (const HlChart *self,
               cairo_t       *cr)
{
  const HlChartAxis axis = get_axis (self);
  g_auto (Shares) shares = { 0 };
  HlChartSample samples[MAX_CLASSES];

  shares_init (&shares, self);
  hl_chart_legend_draw (self->scene, self->frame, cr, samples, make_samples (self, &shares, samples),
                        self->layout->plot.x, self->layout->plot.width, self->layout->legend_y);
  for (guint panel = 0; panel < shares.n_panels; panel++)
    {
      const cairo_rectangle_t box = get_panel (self, &shares, panel);
      const HlTextStyle style = { .size = HL_CHART_TITLE_SIZE, .bold = TRUE, .max_width = box.width };
      const HlTextStyle fitted = hl_scene_fit_text (self->scene, shares.titles[panel], &style);

      hl_scene_write (self->scene, cr, shares.titles[panel], &fitted, &self->frame->theme->foreground,
                      box.x + box.width / 2, box.y - TITLE_ROOM / 2.0, 0.5);
      if (shares.lacking[panel] != NULL)
        {
          draw_lacking (self, cr, shares.lacking[panel], &box);
          continue;
        }
      if (panel == 0)
        hl_chart_axis_draw_values (&axis, self->scene, self->frame, cr, &box, NULL);
      hl_chart_draw_layers (self->scene, self->frame, cr, &box, shares.n_layers, TRUE);
    }
}

/* FALSE where the share is not known. */
static gboolean
get_box (const HlChart     *self,
         const Shares      *shares,
         guint              panel,
         guint              layer,
         guint              class,
         cairo_rectangle_t *box)
{
  const cairo_rectangle_t plot = get_panel (self, shares, panel);
  const double slot = hl_chart_get_slot (&plot, shares->n_layers);
  const double width = MIN (slot * BAR, MAX_BAR);
  double below = 0;

  for (guint other = 0; other < class; other++)
    below += *get_value (shares, panel, layer, other);
  const double value = *get_value (shares, panel, layer, class);
  *box = (cairo_rectangle_t){ hl_chart_get_layer_x (&plot, shares->n_layers, layer) - width / 2,
                              plot.y + plot.height * (1 - below - value), width, plot.height * value };
  return isfinite (below + value);
}

static void
draw_picture (const HlChart *self,
              cairo_t       *cr)
{
  g_auto (Shares) shares = { 0 };
  cairo_rectangle_t box;

  shares_init (&shares, self);
  for (guint panel = 0; panel < shares.n_panels; panel++)
    for (guint layer = 0; layer < shares.n_layers; layer++)
      for (guint class = 0; class < shares.n_classes; class ++)
        {
          if (!get_box (self, &shares, panel, layer, class, &box) || box.height <= 0)
            continue;
          const HlColour colour = get_colour (self, &shares, class);
          hl_cairo_set_colour (cr, &colour, 1);
          /* Neighbours are told apart by a hairline of the paper too. */
          cairo_rectangle (cr, box.x, box.y, box.width, MAX (box.height - 1, MIN (box.height, 0.5)));
          cairo_fill (cr);
        }
}

/* A part of a layer's bar: of both panels, one after the other. */
static gboolean
read_pick (const Shares *shares,
           const HlPick *pick,
           guint        *panel,
           guint        *class)
{
  *panel = (guint) pick->feature / MAX (shares->n_classes, 1);
  *class = (guint) pick->feature % MAX (shares->n_classes, 1);
  return pick->kind == HL_PICK_LAYER && *panel < shares->n_panels && pick->layer < shares->n_layers;
}

static void
pick_at (const HlChart *self,
         double         x,
         double         y,
         HlPick        *pick)
{
  g_auto (Shares) shares = { 0 };
  cairo_rectangle_t box;

  shares_init (&shares, self);
  for (guint panel = 0; panel < shares.n_panels; panel++)
    for (guint layer = 0; layer < shares.n_layers; layer++)
      for (guint class = 0; class < shares.n_classes; class ++)
        if (get_box (self, &shares, panel, layer, class, &box) && x >= box.x && x < box.x + box.width && y >= box.y &&
            y < box.y + box.height)
          *pick = (HlPick){ HL_PICK_LAYER, .layer = layer, .feature = panel * shares.n_classes + class };
}

static char *
describe (const HlChart *self,
          const HlPick  *pick)
{
  g_auto (Shares) shares = { 0 };
  guint panel, class;

  shares_init (&shares, self);
  if (!read_pick (&shares, pick, &panel, &class))
    return NULL;
  const double value = *get_value (&shares, panel, pick->layer, class);
  if (!isfinite (value))
    return NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  /* Translators: a layer, a class such as “Punctuation”, its share in percent, and of what: “weight” or “heads” */
  return g_strdup_printf (_ ("layer %u: %s %s %% (%s)"), pick->layer, shares.labels[class],
                          g_ascii_formatd (number, sizeof number, "%.1f", value * 100), shares.titles[panel]);
}

static gboolean
locate (const HlChart     *self,
        const HlPick      *pick,
        cairo_rectangle_t *box)
{
  g_auto (Shares) shares = { 0 };
  guint panel, class;

  shares_init (&shares, self);
  return read_pick (&shares, pick, &panel, &class) && get_box (self, &shares, panel, pick->layer, class, box);
}

static void
draw_overlay (const HlChart *self,
              cairo_t       *cr)
{
  const HlPick *pick = self->frame->hovered;
  cairo_rectangle_t box;

  if (!hl_shown_has_pick (self->frame->shown, pick) || !locate (self, pick, &box))
    return;
  hl_callout_outline (cr, &box, 1);
  hl_chart_draw_bubble (self, cr, pick, &box);
}

/* To the side from layer to layer, and from the last of one panel to the first of the next; up and down from class to class. */
static void
move (const HlChart *self,
      HlPick        *pick,
      int            dx,
      int            dy,
      gboolean       to_end)
{
  g_auto (Shares) shares = { 0 };
  guint panel, class;

  shares_init (&shares, self);
  if (!read_pick (&shares, pick, &panel, &class))
    {
      *pick = (HlPick){ HL_PICK_LAYER, .layer = self->frame->shown->selection.layer };
      return;
    }
  const guint n_panels = shares.n_panels > 1 && shares.lacking[1] != NULL ? 1 : shares.n_panels;
  const guint column =
    hl_chart_move_index (panel * shares.n_layers + pick->layer, n_panels * shares.n_layers, dx, to_end);
  class = hl_chart_move_index (class, shares.n_classes, -dy, to_end);
  pick->layer = column % shares.n_layers;
  pick->feature = column / shares.n_layers * shares.n_classes + class;
}

const HlChartClass hl_chart_shares = {
  .lay_out = lay_out,
  .get_notice = get_notice,
  .draw_backdrop = draw_backdrop,
  .draw_picture = draw_picture,
  .draw_overlay = draw_overlay,
  .pick = pick_at,
  .describe = describe,
  .locate = locate,
  .move = move,
};
