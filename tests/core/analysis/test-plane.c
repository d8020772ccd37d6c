/* SPDX-License-Identifier: MIT */
/* Queries and keys in their plane: against NumPy's singular vectors, and what has no plane. */
#include "test-dumps.h"

#include "core/analysis/hl-plane.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <json-glib/json-glib.h>
#include <math.h>

static float *
read_vectors (JsonObject *one,
              const char *name,
              gsize       n_features,
              gsize      *n)
{
  JsonArray *array = json_object_get_array_member (one, name);
  float *vectors = g_new (float, json_array_get_length (array));

  for (guint i = 0; i < json_array_get_length (array); i++)
    vectors[i] = (float) json_array_get_double_element (array, i);
  *n = json_array_get_length (array) / n_features;
  return vectors;
}

static void
test_numpy (void)
{
  g_autoptr (GFile) file = test_get_file ("core/analysis", "planes.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();

  g_assert_true (json_parser_load_from_file (parser, g_file_peek_path (file), NULL));
  JsonArray *cases = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (cases), ==, 5);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *one = json_array_get_object_element (cases, i);
      const gsize n_features = (gsize) json_object_get_int_member (one, "features");
      gsize n[2];
      g_autofree float *queries = read_vectors (one, "queries", n_features, &n[HL_QUERIES]);
      g_autofree float *keys = read_vectors (one, "keys", n_features, &n[HL_KEYS]);
      g_auto (HlPlane) plane = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_true (hl_plane_compute (&plane, (const float *const[]){ queries, keys }, n, n_features, NULL, &error));
      g_assert_no_error (error);
      for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
        {
          JsonArray *places = json_array_get_array_element (json_object_get_array_member (one, "places"), (guint) side);
          g_assert_cmpuint (plane.n[side] * 2, ==, json_array_get_length (places));
          for (guint k = 0; k < json_array_get_length (places); k++)
            g_assert_cmpfloat_with_epsilon (plane.points[side][k], json_array_get_double_element (places, k), 1e-6);
        }
      for (guint axis = 0; axis < 2; axis++)
        g_assert_cmpfloat_with_epsilon (
          plane.shares[axis], json_array_get_double_element (json_object_get_array_member (one, "shares"), axis), 1e-9);
    }
}

/* What is all the same is in one point, and holds no variance. */
static void
test_one_point (void)
{
  const float same[] = { 1, 2, 3, 1, 2, 3 };
  g_auto (HlPlane) plane = { 0 };

  g_assert_true (
    hl_plane_compute (&plane, (const float *const[]){ same, same }, (const gsize[]){ 2, 1 }, 3, NULL, NULL));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (plane.points[HL_QUERIES][i], ==, 0);
  g_assert_cmpfloat (plane.shares[0], ==, 0);
  g_assert_cmpfloat (plane.shares[1], ==, 0);
}

static void
test_errors (void)
{
  const float odd[] = { 1, INFINITY, 3, 4 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_auto (HlPlane) plane = { 0 };

  g_assert_false (
    hl_plane_compute (&plane, (const float *const[]){ odd, odd }, (const gsize[]){ 2, 2 }, 2, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_clear_error (&error);
  g_assert_false (hl_plane_compute (&plane, (const float *const[]){ odd, odd }, (const gsize[]){ 0, 0 },
                                    HL_LIMIT_PLANE_FEATURES + 1, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  test_assert_sentence (error);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (
    hl_plane_compute (&plane, (const float *const[]){ odd, odd }, (const gsize[]){ 1, 0 }, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plane/numpy", test_numpy);
  g_test_add_func ("/plane/one-point", test_one_point);
  g_test_add_func ("/plane/errors", test_errors);
  return g_test_run ();
}
