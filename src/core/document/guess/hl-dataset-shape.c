/* SPDX-License-Identifier: MIT */
#include "core/document/guess/hl-dataset-shape.h"

/* Whether it is a tensor that attention could be read from: of real numbers, with at least two axes, and none of them empty. */
gboolean
hl_dataset_look_at (HlArchive  *archive,
                    const char *path,
                    HlShape    *shape,
                    HlDType    *dtype)
{
  g_autoptr (HlTensor) tensor =
    hl_archive_get_kind (archive, path) == HL_MEMBER_TENSOR ? hl_archive_open_tensor (archive, path, NULL) : NULL;

  if (tensor == NULL || !hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    return FALSE;
  *shape = *hl_tensor_get_shape (tensor);
  if (dtype != NULL)
    *dtype = hl_tensor_get_dtype (tensor);
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i] == 0)
      return FALSE;
  return shape->rank >= 2;
}

/* Whether MATLAB wrote a dataset: it says the class of each. */
gboolean
hl_dataset_is_matlab (HlArchive  *archive,
                      const char *path)
{
  g_autoptr (GVariant) class = hl_archive_get_attribute (archive, path, "MATLAB_class", NULL);

  return class != NULL;
}
