/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of PyTorch or NumPy: opened, everything listed, and the last number of every tensor read. */
#include "core/base/hl-limits.h"
#include "fuzz.h"

#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_DEPTH 4
#define MAX_MEMBERS 16

static void
read_last (HlTensor *tensor)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 start[HL_LIMIT_RANK], count[HL_LIMIT_RANK];
  g_autoptr (GError) error = NULL;
  float number;

  for (guint i = 0; i < shape->rank; i++)
    {
      if (shape->dims[i] == 0)
        return;
      start[i] = shape->dims[i] - 1;
      count[i] = 1;
    }
  g_assert (hl_tensor_read_f32 (tensor, start, count, &number, NULL, &error) == (error == NULL));
}

static void
look_at_group (HlArchive  *archive,
               const char *group,
               guint       depth)
{
  g_auto (GStrv) names = hl_archive_list (archive, group, NULL);

  for (guint i = 0; names != NULL && names[i] != NULL && i < MAX_MEMBERS; i++)
    {
      g_autofree char *path = *group != '\0' ? g_strconcat (group, "/", names[i], NULL) : g_strdup (names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, path, &error);
      g_auto (GStrv) strings = hl_archive_read_strings (archive, path, NULL);

      g_assert ((tensor == NULL) == (error != NULL));
      if (tensor != NULL)
        read_last (tensor);
      if (depth < MAX_DEPTH && hl_archive_get_kind (archive, path) == HL_MEMBER_GROUP)
        look_at_group (archive, path, depth + 1);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  const int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert (fd >= 0);
  g_assert (write (fd, bytes, size) == (gssize) size);
  fuzz_make_old (fd);
  {
    g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);
    g_assert ((archive == NULL) == (error != NULL));
    if (error != NULL)
      g_assert (g_utf8_validate (error->message, -1, NULL));
    if (archive != NULL)
      look_at_group (archive, "", 0);
  }
  close (fd);
  return 0;
}
