/* SPDX-License-Identifier: MIT */
/*
 * What this program refuses to exceed, each with its reason. Files and texts are not trusted: whoever reads one asks here
 * before memory is taken for what it announces. A new limit is a value and a row of HL_LIMITS(); “headlight-cli info --limits” prints them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a file of attention may announce. */
#define HL_LIMIT_RANK 8
#define HL_LIMIT_LAYERS 4096
#define HL_LIMIT_HEADS 1024
#define HL_LIMIT_ALL_HEADS 65536
#define HL_LIMIT_POSITIONS (1 << 20)
#define HL_LIMIT_DISTANCE_PRODUCTS (1 << 28)
#define HL_LIMIT_EXAMPLES 10000
#define HL_LIMIT_RANKS 1024
#define HL_LIMIT_PARTS 250000
#define HL_LIMIT_BATCH_ITEMS 1000000
#define HL_LIMIT_TOKEN_BYTES (64 << 10)
#define HL_LIMIT_PICTURES 1024u
#define HL_LIMIT_PICTURE_GRIDS 4096u
#define HL_LIMIT_PICTURE_SIDE 32768u
#define HL_LIMIT_PICTURE_PIXELS (1u << 26)
#define HL_LIMIT_PICTURE_PASSES (1u << 30)
#define HL_LIMIT_PICTURE_FILE (256u << 20)
#define HL_LIMIT_KEPT_PICTURE (1u << 22)
#define HL_LIMIT_ANNOUNCED (G_GUINT64_CONSTANT (1) << 30)
#define HL_LIMIT_EXPANSION 100

/* Archives. */
#define HL_LIMIT_MEMBERS 100000
#define HL_LIMIT_EXAMPLE_MEMBERS (20 * HL_LIMIT_MEMBERS)
#define HL_LIMIT_LISTED_MEMBERS (100 * HL_LIMIT_MEMBERS)
#define HL_LIMIT_STRINGS (1 << 20)
#define HL_LIMIT_STRINGS_TEXT ((gsize) 32 << 20)
#define HL_LIMIT_DATASETS 100000
#define HL_LIMIT_GROUP_DEPTH 32
#define HL_LIMIT_HDF5_STEPS 64
#define HL_LIMIT_HDF5_TARGET 4096
#define HL_LIMIT_HDF5_HEADERS 4096
#define HL_LIMIT_HDF5_HEADER (16 << 20)
#define HL_LIMIT_HDF5_HEAP (G_GUINT64_CONSTANT (1) << 30)
#define HL_LIMIT_HDF5_GAPS 10000
#define HL_LIMIT_HDF5_PACKED_CHUNK (G_GUINT64_CONSTANT (512) << 20)
#define HL_LIMIT_HDF5_TEXT (G_GUINT64_CONSTANT (128) << 20)
#define HL_LIMIT_HDF5_ATTRIBUTE (G_GUINT64_CONSTANT (1) << 20)
#define HL_LIMIT_HDF5_EXPANSION 100
#define HL_LIMIT_HDF5_CHUNKS ((gsize) 8 << 20)
#define HL_LIMIT_HDF5_CHUNK ((gsize) 64 << 20)
#define HL_LIMIT_HDF5_PLACES (1 << 20)
#define HL_LIMIT_JSON_DEPTH 64
#define HL_LIMIT_JSON_NUMBERS ((gsize) 1 << 30)
#define HL_LIMIT_JSON_TEXT ((gsize) 128 << 20)
#define HL_LIMIT_JSON_NAME (1 << 20)
#define HL_LIMIT_JSON_NUMBER (1 << 20)
#define HL_LIMIT_JSON_CONFIG (G_GUINT64_CONSTANT (1) << 27)
#define HL_LIMIT_JSON_TREE ((gsize) 96 << 20)
#define HL_LIMIT_NPY_HEADER 65536
#define HL_LIMIT_NPY_STRING (1 << 24)
#define HL_LIMIT_NPY_STRINGS (G_GUINT64_CONSTANT (1) << 30)
#define HL_LIMIT_ZIP_RATIO 1032
#define HL_LIMIT_ZIP_DIRECTORY ((guint64) 64 << 20)
#define HL_LIMIT_ZIP_UNPACKED (G_GUINT64_CONSTANT (2) << 30)
#define HL_LIMIT_PICKLE_DEPTH 32
#define HL_LIMIT_PICKLE_NODES 250000
#define HL_LIMIT_PICKLE_LISTS 250000
#define HL_LIMIT_PICKLE_VALUES 4000000
#define HL_LIMIT_PICKLE_TEXT ((gsize) 256 << 20)
#define HL_LIMIT_PICKLE_MARKS 10000
#define HL_LIMIT_GGUF_KEY 65535
#define HL_LIMIT_GGUF_NAME 256
#define HL_LIMIT_GGUF_ENTRIES 1000000
#define HL_LIMIT_GGUF_ALIGNMENT (1 << 20)
#define HL_LIMIT_GGUF_SHARDS 1000
#define HL_LIMIT_SAFETENSORS_HEADER (100 * 1000 * 1000)
#define HL_LIMIT_SAFETENSORS_NAME 4096
#define HL_LIMIT_SAFETENSORS_METADATA (16 << 20)
#define HL_LIMIT_SAFETENSORS_ENTRIES 100000
#define HL_LIMIT_NOTEBOOK_OUTPUT ((gsize) 256 << 20)

/* Lists and texts. */
#define HL_LIMIT_LINE (1u << 20)
#define HL_LIMIT_PIPE (256u << 20)
#define HL_LIMIT_TEXTS 10000000u
#define HL_LIMIT_SENTENCES 10000000u
#define HL_LIMIT_ENTITIES 4000000u
#define HL_LIMIT_OPEN_MENTIONS 1000u
#define HL_LIMIT_MENTIONS 10000
#define HL_LIMIT_RELATIONS 1000
#define HL_LIMIT_ANNOTATION_WORDS 100000u
#define HL_LIMIT_PROBE_WORDS 8192
#define HL_LIMIT_PROBE_COUNTS (1u << 22)
#define HL_LIMIT_SET_ITEMS 4096
#define HL_LIMIT_PAIRS 4096
#define HL_LIMIT_PAIR_LIST ((gsize) 1024 * 1024)
#define HL_LIMIT_PAIR_WEIGHTS ((gsize) 64 << 20)
#define HL_LIMIT_TOKEN_IDS (1u << 21)
#define HL_LIMIT_TOKEN_FILE (64u << 20)

/* Models and their tokenizers. */
#define HL_LIMIT_MODEL_SIZE (1 << 28)
#define HL_LIMIT_WIDTH (1 << 20)
#define HL_LIMIT_EXPERTS 2048
#define HL_LIMIT_ALL_EXPERTS (1 << 17)
#define HL_LIMIT_SHARDS 4096
#define HL_LIMIT_MODULES (1 << 20)
#define HL_LIMIT_CHECKPOINTS 10000
#define HL_LIMIT_ADAPTER_CONFIG (1 << 20)
#define HL_LIMIT_ADAPTER_ALPHAS 1024
#define HL_LIMIT_ADAPTER_PATTERN 512
#define HL_LIMIT_ADAPTER_MODULE 256
#define HL_LIMIT_ADAPTER_TRIES (1u << 19)
#define HL_LIMIT_ADAPTER_RANK (1 << 14)
#define HL_LIMIT_IMAGE_SIDE 16384
#define HL_LIMIT_IMAGE_NUMBERS (1u << 24)
#define HL_LIMIT_PATCH_NUMBERS (1u << 20)
#define HL_LIMIT_CHANNELS 256
#define HL_LIMIT_IMAGE_RULES (1 << 20)
#define HL_LIMIT_TEXT (1 << 26)
#define HL_LIMIT_FIELD_TEXT (1 << 18)
#define HL_LIMIT_FIELD_MARKS 1000
#define HL_LIMIT_NORMALIZED_TEXT (3 * (guint64) HL_LIMIT_TEXT)
#define HL_LIMIT_NORMALIZED_GROWTH (1 << 20)
#define HL_LIMIT_NORMALIZED_TIMES 32
#define HL_LIMIT_PATTERN (1 << 16)
#define HL_LIMIT_TRANSLATED_PATTERN (1 << 20)
#define HL_LIMIT_TOKEN_ID ((1u << 22) - 1)
#define HL_LIMIT_SPELLING 4096
#define HL_LIMIT_VOCABULARY ((gsize) 32 << 20)
#define HL_LIMIT_BEGINNINGS (1 << 23)
#define HL_LIMIT_COMPONENT_DEPTH 8
#define HL_LIMIT_COMPONENTS 1000
#define HL_LIMIT_SPECIAL_TOKENS 4096
#define HL_LIMIT_TOKENIZER_FILE (G_GUINT64_CONSTANT (1) << 27)
#define HL_LIMIT_PIECE_FILE (64 << 20)
#define HL_LIMIT_MODEL_ENTRIES 50000
#define HL_LIMIT_LISTED_CONFIG (1 << 20)

/* What comes from a hub. */
#define HL_LIMIT_HUB_FILES 20000
#define HL_LIMIT_HUB_BYTES (G_GUINT64_CONSTANT (1) << 46)
#define HL_LIMIT_HUB_ANSWER (16 << 20)
#define HL_LIMIT_HUB_PAGES 100
#define HL_LIMIT_HUB_REDIRECTIONS 8
#define HL_LIMIT_HUB_ADDRESS 8192
#define HL_LIMIT_HUB_TOKEN 4096

/* What is computed and kept. */
#define HL_LIMIT_HEAD_MAP (G_GUINT64_CONSTANT (2) << 30)
#define HL_LIMIT_KEPT_HEADS (8u << 20)
#define HL_LIMIT_KEPT_HEAD (96u << 20)
#define HL_LIMIT_COMPUTED_HEADS (32u << 20)
#define HL_LIMIT_ROLLOUT_TOKENS 8192
#define HL_LIMIT_ROLLOUT_MAPS (256u << 20)
#define HL_LIMIT_FLOW_TOKENS 1024
#define HL_LIMIT_FLOW_MEMORY (G_GUINT64_CONSTANT (2) << 30)
#define HL_LIMIT_NORM_PRODUCTS (G_GUINT64_CONSTANT (1) << 30)
#define HL_LIMIT_PERIOD 65535u
#define HL_LIMIT_DISTANT_HEADS 4096
#define HL_LIMIT_PLANE_TOKENS 2048
#define HL_LIMIT_PLANE_FEATURES 1024
#define HL_LIMIT_HEAD_VIEW_LINES ((gsize) 256 << 20)
#define HL_LIMIT_PICTURE_MAP ((gsize) 256 << 20)
#define HL_LIMIT_LAYERS_LINES ((gsize) 512 << 20)
#define HL_LIMIT_LOGITS (1u << 24)
#define HL_LIMIT_CANDIDATES (1u << 26)
#define HL_LIMIT_PREDICTED 10000
#define HL_LIMIT_GENERATED (1 << 20)

/* What is written, and what is open. */
#define HL_LIMIT_CSV_CELLS (G_GUINT64_CONSTANT (1) << 24)
#define HL_LIMIT_FIGURE_SIDE 32767
#define HL_LIMIT_FIGURE_PIXELS ((gint64) 256 * 1024 * 1024)
#define HL_LIMIT_FIGURE_LINES (1u << 18)
#define HL_LIMIT_FIGURE_TEXTS 100000u
#define HL_LIMIT_PAGE_NUMBERS ((gsize) 8 << 20)
#define HL_LIMIT_SESSION (16u << 20)
#define HL_LIMIT_KEPT_VALUES (1u << 19)
#define HL_LIMIT_KEPT ((gsize) 32 << 20)
#define HL_LIMIT_FILES_AT_ONCE 200u

/* ROW (value, name, unit, reason) */
#define HL_LIMITS(ROW)                                                                                                 \
  ROW (HL_LIMIT_RANK, "rank", N_ ("axes"), N_ ("attention has six at the most: step, layer, batch, head, query, key")) \
  ROW (HL_LIMIT_LAYERS, "layers", N_ ("layers"),                                                                       \
       N_ ("the deepest models have some hundreds; each has an entry in memory before anything is read"))              \
  ROW (HL_LIMIT_HEADS, "heads", N_ ("heads of a layer"),                                                               \
       N_ ("the widest models have 128; each has an entry in memory before anything is read"))                         \
  ROW (HL_LIMIT_ALL_HEADS, "all-heads", N_ ("heads of all layers"),                                                    \
       N_ ("the largest models have 16,128; each is a row of tables, a mark of charts and a thumbnail"))               \
  ROW (HL_LIMIT_POSITIONS, "positions", N_ ("tokens"),                                                                 \
       N_ ("products of two such numbers are far from overflow, and no view tells more apart"))                        \
  ROW (HL_LIMIT_DISTANCE_PRODUCTS, "distance-products", N_ ("numbers"),                                                \
       N_ ("what keys give with the distances of a head is in memory while the head is looked at"))                    \
  ROW (HL_LIMIT_EXAMPLES, "examples", N_ ("examples"),                                                                 \
       N_ ("all are looked at when a file is opened, about 0.3 ms each"))                                              \
  ROW (HL_LIMIT_RANKS, "ranks", N_ ("files"), N_ ("all files of one dump are open as long as it is"))                  \
  ROW (HL_LIMIT_PARTS, "parts", N_ ("tensors"),                                                                        \
       N_ ("one kind of attention is put together from them, and each is opened"))                                     \
  ROW (HL_LIMIT_BATCH_ITEMS, "batch-items", N_ ("numbers"),                                                            \
       N_ ("they say which item of a batch a sequence is at each step, and are in memory together"))                   \
  ROW (HL_LIMIT_TOKEN_BYTES, "token-bytes", N_ ("bytes"),                                                              \
       N_ ("nobody sees more than the beginning of a longer token"))                                                   \
  ROW (HL_LIMIT_PICTURES, "pictures", N_ ("images of an example"), N_ ("all of them are in memory"))                   \
  ROW (HL_LIMIT_PICTURE_GRIDS, "picture-grids", N_ ("grids of patches"),                                               \
       N_ ("which of them lie over one another is found by comparing each with each"))                                 \
  ROW (HL_LIMIT_PICTURE_SIDE, "picture-side", N_ ("pixels"), N_ ("longer sides are no picture of anything"))           \
  ROW (HL_LIMIT_PICTURE_PIXELS, "picture-pixels", N_ ("pixels of an image, or of all of an example"),                  \
       N_ ("an image is in memory, seven bytes a pixel while it is decoded"))                                          \
  ROW (HL_LIMIT_PICTURE_PASSES, "picture-passes", N_ ("pixels"),                                                       \
       N_ ("each pass over a JPEG decodes all of it; cameras make ten"))                                               \
  ROW (HL_LIMIT_PICTURE_FILE, "picture-file", N_ ("bytes"), N_ ("no image of so many pixels needs more"))              \
  ROW (HL_LIMIT_KEPT_PICTURE, "kept-picture", N_ ("pixels"),                                                           \
       N_ ("what a model was given is kept with what came of it; of a larger image a smaller one is"))                 \
  ROW (HL_LIMIT_ANNOUNCED, "announced", N_ ("bytes"), N_ ("what announces no more is read without a question"))        \
  ROW (HL_LIMIT_EXPANSION, "expansion", N_ ("times"),                                                                  \
       N_ ("attention packs less than that, but for maps that are nearly all padding; more takes --allow-expansion"))  \
  ROW (HL_LIMIT_MEMBERS, "members", N_ ("members"), N_ ("all members of a group are listed when a file is opened"))    \
  ROW (HL_LIMIT_EXAMPLE_MEMBERS, "example-members", N_ ("members"),                                                    \
       N_ ("all members of all examples are listed when a file is opened"))                                            \
  ROW (HL_LIMIT_LISTED_MEMBERS, "listed-members", N_ ("members"),                                                      \
       N_ ("links of a small file can make many large groups of one"))                                                 \
  ROW (HL_LIMIT_STRINGS, "strings", N_ ("strings"),                                                                    \
       N_ ("tokens are in memory together, and no view shows more of them"))                                           \
  ROW (HL_LIMIT_STRINGS_TEXT, "strings-text", N_ ("bytes"),                                                            \
       N_ ("the text of a list is in memory, more than once while it is read; tokens have a few bytes each"))          \
  ROW (HL_LIMIT_DATASETS, "datasets", N_ ("datasets"),                                                                 \
       N_ ("those that could be chosen are listed, and as many groups looked into"))                                   \
  ROW (HL_LIMIT_GROUP_DEPTH, "group-depth", N_ ("levels"), N_ ("links of HDF5 can lead in a circle"))                  \
  ROW (HL_LIMIT_HDF5_STEPS, "hdf5-steps", N_ ("links"),                                                                \
       N_ ("links can lead in a circle: what one name leads through comes to an end"))                                 \
  ROW (HL_LIMIT_HDF5_TARGET, "hdf5-target", N_ ("bytes"), N_ ("no path that a link leads to is longer"))               \
  ROW (HL_LIMIT_HDF5_HEADERS, "hdf5-headers", N_ ("blocks"),                                                           \
       N_ ("real files have a few headers and continuations of an object"))                                            \
  ROW (HL_LIMIT_HDF5_HEADER, "hdf5-header", N_ ("bytes"), N_ ("a header is read whole"))                               \
  ROW (HL_LIMIT_HDF5_HEAP, "hdf5-heap", N_ ("bytes"),                                                                  \
       N_ ("heaps are read whole: a file whose strings jump between large ones is given up"))                          \
  ROW (HL_LIMIT_HDF5_GAPS, "hdf5-gaps", N_ ("gaps"),                                                                   \
       N_ ("the library keeps each gap between the names of a group, and a damaged file can lead it in a circle"))     \
  ROW (HL_LIMIT_HDF5_PACKED_CHUNK, "hdf5-packed-chunk", N_ ("bytes"),                                                  \
       N_ ("to read one number of a chunk, all of it must be unpacked"))                                               \
  ROW (HL_LIMIT_HDF5_TEXT, "hdf5-text", N_ ("bytes"), N_ ("a list of strings is read whole"))                          \
  ROW (HL_LIMIT_HDF5_ATTRIBUTE, "hdf5-attribute", N_ ("bytes"),                                                        \
       N_ ("an attribute is a word or a few numbers; the library takes as much memory as it announces"))               \
  ROW (HL_LIMIT_HDF5_EXPANSION, "hdf5-expansion", N_ ("times"),                                                        \
       N_ ("strings are so many times as long as their file when they are packed well"))                               \
  ROW (HL_LIMIT_HDF5_CHUNKS, "hdf5-chunks", N_ ("bytes"),                                                              \
       N_ ("unpacked chunks that may be needed again are kept, in all of the program; the last one however large"))    \
  ROW (HL_LIMIT_HDF5_CHUNK, "hdf5-chunk", N_ ("bytes"),                                                                \
       N_ ("of a larger chunk a quarter at least is to be of the dataset, as all of it is unpacked"))                  \
  ROW (HL_LIMIT_HDF5_PLACES, "hdf5-places", N_ ("chunks"),                                                             \
       N_ ("chunks that were never written are looked for one by one; beyond, not more than the file has bytes"))      \
  ROW (HL_LIMIT_JSON_DEPTH, "json-depth", N_ ("levels"),                                                               \
       N_ ("lists and objects inside one another are followed on the stack"))                                          \
  ROW (HL_LIMIT_JSON_NUMBERS, "json-numbers", N_ ("bytes"),                                                             \
       N_ ("numbers of a JSON file are in memory, or in a file that is gone with the program"))                        \
  ROW (HL_LIMIT_JSON_TEXT, "json-text", N_ ("bytes"),                                                                  \
       N_ ("names, strings and structure of a JSON file are in memory"))                                               \
  ROW (HL_LIMIT_JSON_NAME, "json-name", N_ ("bytes"), N_ ("sentences quote it"))                                       \
  ROW (HL_LIMIT_JSON_NUMBER, "json-number", N_ ("bytes"),                                                              \
       N_ ("longer spellings of one number are nonsense, and need a copy to be read"))                                 \
  ROW (HL_LIMIT_JSON_CONFIG, "json-config", N_ ("bytes"), N_ ("files of settings are in memory as a whole"))           \
  ROW (HL_LIMIT_JSON_TREE, "json-tree", N_ ("bytes"),                                                                  \
       N_ ("what becomes of a file of settings is in memory; the longest need some sixty megabytes"))                  \
  ROW (HL_LIMIT_NPY_HEADER, "npy-header", N_ ("bytes"), N_ ("the header of an array is a line of text"))               \
  ROW (HL_LIMIT_NPY_STRING, "npy-string", N_ ("bytes"), N_ ("more would be no token but a mistake"))                   \
  ROW (HL_LIMIT_NPY_STRINGS, "npy-strings", N_ ("bytes"), N_ ("NumPy gives each string the room of the longest"))      \
  ROW (HL_LIMIT_ZIP_RATIO, "zip-ratio", N_ ("times"),                                                                  \
       N_ ("deflate cannot pack better, so that more is a lie that would only cost memory"))                           \
  ROW (HL_LIMIT_ZIP_DIRECTORY, "zip-directory", N_ ("bytes"),                                                          \
       N_ ("entries are 46 bytes and a name; the list of them is in memory"))                                          \
  ROW (HL_LIMIT_ZIP_UNPACKED, "zip-unpacked", N_ ("bytes"),                                                            \
       N_ ("a small file can unpack to any size: this is of all its packed members together"))                         \
  ROW (HL_LIMIT_PICKLE_DEPTH, "pickle-depth", N_ ("levels"),                                                           \
       N_ ("data nests less deeply, and values that hold themselves would not end"))                                   \
  ROW (HL_LIMIT_PICKLE_NODES, "pickle-nodes", N_ ("members"), N_ ("one value can be at many places"))                  \
  ROW (HL_LIMIT_PICKLE_LISTS, "pickle-lists", N_ ("lists"),                                                            \
       N_ ("an array of objects becomes as many lists as it has rows"))                                                \
  ROW (HL_LIMIT_PICKLE_VALUES, "pickle-values", N_ ("values"),                                                         \
       N_ ("all that a pickle makes is in memory, and a few of its bytes can make much"))                              \
  ROW (HL_LIMIT_PICKLE_TEXT, "pickle-text", N_ ("bytes"), N_ ("text with escapes is spelled anew in memory"))          \
  ROW (HL_LIMIT_PICKLE_MARKS, "pickle-marks", N_ ("marks"),                                                            \
       N_ ("more than any data nests, and a bound for those who walk through it"))                                     \
  ROW (HL_LIMIT_GGUF_KEY, "gguf-key", N_ ("bytes"), N_ ("as the format has it"))                                       \
  ROW (HL_LIMIT_GGUF_NAME, "gguf-name", N_ ("bytes"),                                                                  \
       N_ ("names of tensors have 64 at the most as the format has it"))                                               \
  ROW (HL_LIMIT_GGUF_ENTRIES, "gguf-entries", N_ ("entries"), N_ ("each has a place in memory"))                       \
  ROW (HL_LIMIT_GGUF_ALIGNMENT, "gguf-alignment", N_ ("bytes"), N_ ("writers use 32; sums with more could overflow"))  \
  ROW (HL_LIMIT_GGUF_SHARDS, "gguf-shards", N_ ("files"), N_ ("each is open while the model is"))                      \
  ROW (HL_LIMIT_SAFETENSORS_HEADER, "safetensors-header", N_ ("bytes"), N_ ("as the format has it"))                   \
  ROW (HL_LIMIT_SAFETENSORS_NAME, "safetensors-name", N_ ("bytes"),                                                    \
       N_ ("no name of a tensor is longer; sentences quote it"))                                                       \
  ROW (HL_LIMIT_SAFETENSORS_METADATA, "safetensors-metadata", N_ ("bytes"),                                            \
       N_ ("it is in memory while the file is open"))                                                                  \
  ROW (HL_LIMIT_SAFETENSORS_ENTRIES, "safetensors-entries", N_ ("tensors"), N_ ("each has a place in memory"))         \
  ROW (HL_LIMIT_NOTEBOOK_OUTPUT, "notebook-output", N_ ("bytes"),                                                      \
       N_ ("an output of a notebook is unpacked into a file of its own, and more would fill the disk"))                \
  ROW (HL_LIMIT_LINE, "line", N_ ("bytes"),                                                                            \
       N_ ("no text or annotation has a longer line; one is in memory at a time"))                                     \
  ROW (HL_LIMIT_PIPE, "pipe", N_ ("bytes"), N_ ("what cannot be mapped, for a program writes it, is in memory"))       \
  ROW (HL_LIMIT_TEXTS, "texts", N_ ("texts"), N_ ("each has an entry in memory before the first is read"))             \
  ROW (HL_LIMIT_SENTENCES, "sentences", N_ ("sentences"), N_ ("each has an entry in memory before the first is read")) \
  ROW (HL_LIMIT_ENTITIES, "entities", N_ ("entities"), N_ ("names of entities become numbers"))                        \
  ROW (HL_LIMIT_OPEN_MENTIONS, "open-mentions", N_ ("mentions"),                                                       \
       N_ ("those that are open are looked through for each that closes"))                                             \
  ROW (HL_LIMIT_MENTIONS, "mentions", N_ ("mentions of a document"), N_ ("each is compared with all before it"))       \
  ROW (HL_LIMIT_RELATIONS, "relations", N_ ("relations"), N_ ("treebanks have some forty, with subtypes some eighty")) \
  ROW (HL_LIMIT_ANNOTATION_WORDS, "annotation-words", N_ ("words"),                                                    \
       N_ ("a sentence is matched with tokens as a whole"))                                                            \
  ROW (HL_LIMIT_PROBE_WORDS, "probe-words", N_ ("words"), N_ ("each is held against all others, in each head"))        \
  ROW (HL_LIMIT_PROBE_COUNTS, "probe-counts", N_ ("numbers"),                                                          \
       N_ ("each relation is counted for each head: 64 MiB, once more in each thread"))                                \
  ROW (HL_LIMIT_SET_ITEMS, "set-items", N_ ("items"), N_ ("nobody writes a longer list of tokens by hand"))            \
  ROW (HL_LIMIT_PAIRS, "pairs", N_ ("pairs"), N_ ("each is looked up in all heads"))                                   \
  ROW (HL_LIMIT_PAIR_LIST, "pair-list", N_ ("bytes"), N_ ("a list of pairs is in memory"))                             \
  ROW (HL_LIMIT_PAIR_WEIGHTS, "pair-weights", N_ ("weights"),                                                          \
       N_ ("the weight of each pair in each head is in memory"))                                                       \
  ROW (HL_LIMIT_TOKEN_IDS, "token-ids", N_ ("numbers"),                                                                \
       N_ ("a list of token numbers on the command line is in memory twice"))                                          \
  ROW (HL_LIMIT_TOKEN_FILE, "token-file", N_ ("bytes"),                                                                \
       N_ ("far more than the tokens of the longest text that can be shown"))                                          \
  ROW (HL_LIMIT_MODEL_SIZE, "model-size", "",                                                                          \
       N_ ("no size of a model comes near it, and products of two are far from overflow"))                             \
  ROW (HL_LIMIT_WIDTH, "width", N_ ("features"), N_ ("the widest layers have some ten thousand"))                      \
  ROW (HL_LIMIT_EXPERTS, "experts", N_ ("experts"), N_ ("the largest routers choose among some hundreds"))             \
  ROW (HL_LIMIT_ALL_EXPERTS, "all-experts", N_ ("experts of all layers"),                                              \
       N_ ("each has a place in memory, and the largest models have some twenty thousand"))                            \
  ROW (HL_LIMIT_SHARDS, "shards", N_ ("files"), N_ ("a shard holds gigabytes, and no model has so many"))              \
  ROW (HL_LIMIT_MODULES, "modules", N_ ("bytes"), N_ ("modules.json is a list of some modules"))                       \
  ROW (HL_LIMIT_CHECKPOINTS, "checkpoints", N_ ("entries of a folder"),                                                \
       N_ ("a training that saves more often would fill any disk"))                                                    \
  ROW (HL_LIMIT_ADAPTER_CONFIG, "adapter-config", N_ ("bytes"), N_ ("adapter_config.json is a list of some settings")) \
  ROW (HL_LIMIT_ADAPTER_ALPHAS, "adapter-alphas", N_ ("patterns"), N_ ("each is tried on each tensor"))                \
  ROW (HL_LIMIT_ADAPTER_PATTERN, "adapter-pattern", N_ ("bytes"),                                                      \
       N_ ("a pattern of an adapter is a regular expression, which anybody can make slow"))                            \
  ROW (HL_LIMIT_ADAPTER_MODULE, "adapter-module", N_ ("bytes"),                                                        \
       N_ ("a step of an expression can go over all of a module’s name; real ones are far shorter"))                   \
  ROW (HL_LIMIT_ADAPTER_TRIES, "adapter-tries", N_ ("tries"),                                                          \
       N_ ("each expression of an adapter is tried on each module, which takes up to a fiftieth of a millisecond"))    \
  ROW (HL_LIMIT_ADAPTER_RANK, "adapter-rank", N_ ("rows"),                                                             \
       N_ ("all that an adapter adds by is read for each row of embeddings; ranks are some hundreds"))                 \
  ROW (HL_LIMIT_IMAGE_SIDE, "image-side", N_ ("pixels"), N_ ("no model was trained on larger images"))                 \
  ROW (HL_LIMIT_IMAGE_NUMBERS, "image-numbers", N_ ("numbers"), N_ ("64 MB: 2,364 × 2,364 pixels of three colours"))   \
  ROW (HL_LIMIT_PATCH_NUMBERS, "patch-numbers", N_ ("numbers"), N_ ("a patch is a row of a product"))                  \
  ROW (HL_LIMIT_CHANNELS, "channels", N_ ("channels"), N_ ("images of the sciences have some dozens"))                 \
  ROW (HL_LIMIT_IMAGE_RULES, "image-rules", N_ ("bytes"), N_ ("preprocessor_config.json is a list of some settings"))   \
  ROW (HL_LIMIT_TEXT, "text", N_ ("bytes"), N_ ("a text is in memory several times while it is cut into tokens"))      \
  ROW (HL_LIMIT_FIELD_TEXT, "field-text", N_ ("bytes"),                                                               \
       N_ ("all lines of a paragraph that is written on are laid out at once, while the window waits"))                  \
  ROW (HL_LIMIT_FIELD_MARKS, "field-marks", N_ ("marks"),                                                              \
       N_ ("all marks on a letter are laid out together, which takes the square of their number"))                     \
  ROW (HL_LIMIT_NORMALIZED_TEXT, "normalized-text", N_ ("bytes"),                                                      \
       N_ ("the longest text if all of it is spaces that become “▁”, and nine bytes of memory each, twice"))           \
  ROW (HL_LIMIT_NORMALIZED_GROWTH, "normalized-growth", N_ ("bytes"),                                                  \
       N_ ("what a normalizer may add to any text, however short; each byte can become a token"))                      \
  ROW (HL_LIMIT_NORMALIZED_TIMES, "normalized-times", N_ ("times"),                                                    \
       N_ ("a character of three bytes can become 33 by NFKC, and those 66 in the alphabet of bytes"))                 \
  ROW (HL_LIMIT_PATTERN, "pattern", N_ ("bytes"),                                                                      \
       N_ ("the longest regular expression of a tokenizer has a few hundred"))                                         \
  ROW (HL_LIMIT_TRANSLATED_PATTERN, "translated-pattern", N_ ("bytes"),                                                \
       N_ ("a letter of a pattern may stand for some hundred bytes; what is longer cannot be compiled"))               \
  ROW (HL_LIMIT_TOKEN_ID, "token-id", "",                                                                              \
       N_ ("the largest vocabularies have a quarter of a million tokens, and each id has a place in memory"))          \
  ROW (HL_LIMIT_SPELLING, "spelling", N_ ("bytes"),                                                                    \
       N_ ("the longest tokens have some hundreds; texts repeat them, and are compared with them byte by byte"))       \
  ROW (HL_LIMIT_VOCABULARY, "vocabulary", N_ ("bytes"),                                                                \
       N_ ("the tokens of the largest have some ten megabytes, and are in memory"))                                    \
  ROW (HL_LIMIT_BEGINNINGS, "beginnings", N_ ("beginnings of tokens"),                                                 \
       N_ ("each takes twelve bytes of memory; a million tokens have some millions"))                                  \
  ROW (HL_LIMIT_COMPONENT_DEPTH, "component-depth", N_ ("levels"),                                                     \
       N_ ("sequences inside one another are followed on the stack"))                                                  \
  ROW (HL_LIMIT_COMPONENTS, "components", N_ ("steps"),                                                                \
       N_ ("some dozens are known, and each goes through all of a text"))                                              \
  ROW (HL_LIMIT_SPECIAL_TOKENS, "special-tokens", N_ ("tokens"),                                                       \
       N_ ("more special tokens than any model has; a template may name a list of them again and again"))              \
  ROW (HL_LIMIT_TOKENIZER_FILE, "tokenizer-file", N_ ("bytes"), N_ ("the longest have some 30 MB, and are in memory")) \
  ROW (HL_LIMIT_PIECE_FILE, "piece-file", N_ ("bytes"),                                                                \
       N_ ("the largest known vocabulary has a quarter of a million entries in five megabytes"))                       \
  ROW (HL_LIMIT_MODEL_ENTRIES, "model-entries", N_ ("entries of a cache"), N_ ("who has a thousand models has fewer")) \
  ROW (HL_LIMIT_LISTED_CONFIG, "listed-config", N_ ("bytes"),                                                          \
       N_ ("config.json of each model is read for the list of models; the longest have some kilobytes"))               \
  ROW (HL_LIMIT_HUB_FILES, "hub-files", N_ ("files"), N_ ("the largest repositories of models have some thousands"))   \
  ROW (HL_LIMIT_HUB_BYTES, "hub-bytes", N_ ("bytes"), N_ ("the largest files have some hundreds of gigabytes"))        \
  ROW (HL_LIMIT_HUB_ANSWER, "hub-answer", N_ ("bytes"),                                                                \
       N_ ("the list of the files of the largest repositories is a megabyte a page"))                                  \
  ROW (HL_LIMIT_HUB_PAGES, "hub-pages", N_ ("pages"), N_ ("a page has a thousand files"))                              \
  ROW (HL_LIMIT_HUB_REDIRECTIONS, "hub-redirections", N_ ("redirections"), N_ ("addresses can lead in a circle"))      \
  ROW (HL_LIMIT_HUB_ADDRESS, "hub-address", N_ ("bytes"), N_ ("no server takes longer ones"))                          \
  ROW (HL_LIMIT_HUB_TOKEN, "hub-token", N_ ("bytes"), N_ ("a token is some forty letters"))                            \
  ROW (HL_LIMIT_HEAD_MAP, "head-map", N_ ("bytes"), N_ ("a map that is asked for as a whole is in memory"))            \
  ROW (HL_LIMIT_KEPT_HEADS, "kept-heads", N_ ("bytes"), N_ ("heads that were read are kept for those who come back"))  \
  ROW (HL_LIMIT_KEPT_HEAD, "kept-head", N_ ("bytes"), N_ ("a larger head is read by the rows that are asked for"))     \
  ROW (HL_LIMIT_COMPUTED_HEADS, "computed-heads", N_ ("bytes"),                                                        \
       N_ ("heads that were computed of queries and keys are kept for those who come back"))                           \
  ROW (HL_LIMIT_ROLLOUT_TOKENS, "rollout-tokens", N_ ("tokens"),                                                       \
       N_ ("two maps are needed besides those that are kept, of 256 MB each"))                                         \
  ROW (HL_LIMIT_ROLLOUT_MAPS, "rollout-maps", N_ ("bytes"),                                                            \
       N_ ("maps of layers are kept, and the latest whatever it takes"))                                               \
  ROW (HL_LIMIT_FLOW_TOKENS, "flow-tokens", N_ ("tokens"), N_ ("a row of more takes minutes"))                         \
  ROW (HL_LIMIT_FLOW_MEMORY, "flow-memory", N_ ("bytes"),                                                              \
       N_ ("all layers are in memory, and once more in each thread"))                                                  \
  ROW (HL_LIMIT_NORM_PRODUCTS, "norm-products", N_ ("bytes"),                                                          \
       N_ ("products of what all heads give to a sum are in memory, of each key"))                                     \
  ROW (HL_LIMIT_PERIOD, "period", N_ ("tokens"),                                                                       \
       N_ ("a random text is twice as long, and the model is run on all of it"))                                       \
  ROW (HL_LIMIT_DISTANT_HEADS, "distant-heads", N_ ("heads"), N_ ("each has a distance to every other"))               \
  ROW (HL_LIMIT_PLANE_TOKENS, "plane-tokens", N_ ("tokens"),                                                           \
       N_ ("more points are a cloud, and the weights between more of them take long"))                                 \
  ROW (HL_LIMIT_PLANE_FEATURES, "plane-features", N_ ("features"),                                                     \
       N_ ("the covariance of more takes more time than a picture is worth"))                                          \
  ROW (HL_LIMIT_HEAD_VIEW_LINES, "head-view-lines", N_ ("bytes"),                                                      \
       N_ ("every line needs its weight in memory: a head of 8192 × 8192, or 16 of 2048 × 2048"))                      \
  ROW (HL_LIMIT_PICTURE_MAP, "picture-map", N_ ("bytes"),                                                              \
       N_ ("the map of a picture is in memory: one of 8192 × 8192"))                                                   \
  ROW (HL_LIMIT_LAYERS_LINES, "layers-lines", N_ ("bytes"),                                                            \
       N_ ("every line of all layers needs its weight in memory"))                                                     \
  ROW (HL_LIMIT_LOGITS, "logits", N_ ("numbers"), N_ ("64 MB in memory at a time"))                                    \
  ROW (HL_LIMIT_CANDIDATES, "candidates", N_ ("numbers"), N_ ("1 GB is kept of all positions and layers"))             \
  ROW (HL_LIMIT_PREDICTED, "predicted", N_ ("tokens"), N_ ("--top prints a row for each, of every position"))          \
  ROW (HL_LIMIT_GENERATED, "generated", N_ ("tokens"), N_ ("no longer text can be shown"))                             \
  ROW (HL_LIMIT_CSV_CELLS, "csv-cells", N_ ("weights"),                                                                \
       N_ ("copied to the clipboard they are about 200 MB of text; a file has no such limit"))                         \
  ROW (HL_LIMIT_FIGURE_SIDE, "figure-side", N_ ("pixels"), N_ ("cairo has no longer sides"))                           \
  ROW (HL_LIMIT_FIGURE_PIXELS, "figure-pixels", N_ ("pixels"), N_ ("a picture is in memory, four bytes a pixel"))      \
  ROW (HL_LIMIT_FIGURE_LINES, "figure-lines", N_ ("lines"),                                                            \
       N_ ("each is a shape of an SVG or a PDF, about 1.7 kB in memory; 512 tokens have no more in a head"))           \
  ROW (HL_LIMIT_FIGURE_TEXTS, "figure-texts", N_ ("texts"),                                                            \
       N_ ("each is one of an SVG or a PDF, in memory until it is written"))                                           \
  ROW (HL_LIMIT_PAGE_NUMBERS, "page-numbers", N_ ("weights"),                                                          \
       N_ ("a page that is shared holds all it shows, and has to load in a browser"))                                  \
  ROW (HL_LIMIT_SESSION, "session", N_ ("bytes"), N_ ("a session is a short list of choices, and is in memory"))  \
  ROW (HL_LIMIT_KEPT_VALUES, "kept-values", N_ ("values"),                                                             \
       N_ ("tokens, and whatever else was open, of all programs together; each takes far more memory than text"))      \
  ROW (HL_LIMIT_KEPT, "kept", N_ ("bytes"),                                                                            \
       N_ ("what was open when a program ended unexpectedly, of all programs together, is in memory"))                 \
  ROW (HL_LIMIT_FILES_AT_ONCE, "files-at-once", N_ ("files"),                                                          \
       N_ ("each gets a tab of the window, and no more tabs are opened again after a program ended unexpectedly"))

/**
 * HlLimit:
 * @name: what it is called
 * @value: the most that is allowed
 * @unit: of what, not translated; may be empty
 * @reason: why, not translated
 *
 * A limit.
 */
typedef struct
{
  const char *name;
  guint64 value;
  const char *unit;
  const char *reason;
} HlLimit;

const HlLimit *hl_limit_get   (guint       index);
gboolean       hl_limit_check (const char *member,
                               guint64     n,
                               guint64     limit,
                               const char *what,
                               GError    **error);

G_END_DECLS
