/* SPDX-License-Identifier: MIT */
/*
 * Walks what a program tells screen readers, for the journeys: walk-accessibles
 *
 * Each line read is an accessible, "BUS-NAME PATH"; each line written is what is in it, level by level, children of one parent in
 * their order: a JSON array of [path, role, name, description]. A walk asks hundreds of questions, which in Python take as long again as
 * the program takes to answer them.
 *
 * Nothing is kept from one walk to the next, but what roles are called, and to how many it came: GTK 4.8 does not say all that changed.
 * What there is comes as one answer, with all that the program offers to be kept: that costs a tenth of asking each of them, but is of all
 * that there are, so where there are few, they are asked. In that answer hidden ones and pages that are not seen name their parent, too,
 * and those that nobody asked about do not: where as many name one as it says that it has, they are its children. That is not so of what
 * shows another child by its width, as headers do, which are near the top: the first ones are asked what is in them, and all of which it
 * is not certain.
 */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define TIMEOUT_MS 20000

/* One that is asked costs as much as so many that come in one answer. */
#define COST_OF_ASKING 10

typedef struct
{
  char *path;
  char *role; /* NULL where only its number is known */
  char *name;
  char *description;
  guint32 role_number;
  gint32 n_children; /* -1 where that is not known */
  gint32 index;      /* among those of its parent */
} Node;

/* What is known in a walk. */
typedef struct
{
  GHashTable *nodes;    /* by path */
  GHashTable *children; /* of a path: GPtrArray of nodes that name it as their parent */
  gboolean has_all;     /* whether the program was asked for all that it offers */
  gboolean trusts;      /* whether these are those of a parent, where they are as many */
} Known;

typedef struct
{
  GDBusConnection *bus;
  GHashTable *role_names; /* of numbers */
  GHashTable *n_found;    /* by bus name and path: how many the last walk from there came to */
  guint n_offered;        /* in the last answer with all that the program offers to be kept */
} Walker;

/* Questions that are asked at once. */
typedef struct
{
  Walker *walker;
  const char *bus_name;
  GPtrArray *answers; /* (nullable) GVariants, in order */
  guint n_left;
} Round;

typedef struct
{
  Round *round;
  guint index;
} Question;

static void
node_free (Node *node)
{
  g_free (node->path);
  g_free (node->role);
  g_free (node->name);
  g_free (node->description);
  g_free (node);
}

static void
unref_answer (GVariant *answer)
{
  g_clear_pointer (&answer, g_variant_unref);
}

static void
take_answer (GObject      *bus,
             GAsyncResult *result,
             gpointer      data)
{
  g_autofree Question *question = data;

  /* Without one, as of what is gone. */
  question->round->answers->pdata[question->index] =
    g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);
  question->round->n_left--;
}

static void
round_begin (Round      *round,
             Walker     *walker,
             const char *bus_name)
{
  *round = (Round){ walker, bus_name, g_ptr_array_new_with_free_func ((GDestroyNotify) unref_answer), 0 };
}

static void
round_ask (Round      *round,
           const char *path,
           const char *interface,
           const char *method,
           GVariant   *arguments)
{
  Question *question = g_new (Question, 1);

  *question = (Question){ round, round->answers->len };
  g_ptr_array_add (round->answers, NULL);
  round->n_left++;
  g_dbus_connection_call (round->walker->bus, round->bus_name, path, interface, method, arguments, NULL,
                          G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, take_answer, question);
}

static void
round_wait (Round *round)
{
  while (round->n_left > 0)
    g_main_context_iteration (NULL, TRUE);
}

static GVariant *
round_get (const Round *round,
           guint        index,
           const char  *type)
{
  GVariant *answer = g_ptr_array_index (round->answers, index);

  return answer != NULL && g_variant_is_of_type (answer, G_VARIANT_TYPE (type)) ? answer : NULL;
}

static void
round_end (Round *round)
{
  g_ptr_array_unref (round->answers);
}

static void
known_begin (Known *known)
{
  known->nodes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) node_free);
  known->children = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  known->has_all = known->trusts = FALSE;
}

static void
known_end (Known *known)
{
  g_hash_table_unref (known->children);
  g_hash_table_unref (known->nodes);
}

static void
keep (Known      *known,
      const Node *node,
      const char *parent)
{
  Node *kept = g_new (Node, 1);
  GPtrArray *siblings = g_hash_table_lookup (known->children, parent);

  *kept = *node;
  g_hash_table_replace (known->nodes, kept->path, kept);
  if (siblings == NULL)
    {
      siblings = g_ptr_array_new ();
      g_hash_table_insert (known->children, g_strdup (parent), siblings);
    }
  g_ptr_array_add (siblings, kept);
}

/* All that the program offers to be kept; nothing where it does not. */
static void
read_all (Walker     *walker,
          const char *bus_name,
          Known      *known)
{
  g_autoptr (GVariantIter) items = NULL;
  g_autoptr (GVariant)
    reply = g_dbus_connection_call_sync (walker->bus, bus_name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache",
                                         "GetItems", NULL, G_VARIANT_TYPE ("(a((so)(so)(so)iiassusau))"),
                                         G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, NULL);
  Node node = { 0 };
  char *parent;

  /* What was asked before stands in it again, as it is now. */
  g_hash_table_remove_all (known->nodes);
  known->has_all = TRUE;
  if (reply == NULL)
    return;
  g_variant_get (reply, "(a((so)(so)(so)iiassusau))", &items);
  while (g_variant_iter_next (items, "((so)(so)(so)iiassusau)", NULL, &node.path, NULL, NULL, NULL, &parent,
                              &node.index, &node.n_children, NULL, &node.name, &node.role_number, &node.description,
                              NULL))
    {
      keep (known, &node, parent);
      g_free (parent);
    }
  walker->n_offered = g_hash_table_size (known->nodes);
}

static gint
compare_places (gconstpointer a,
                gconstpointer b)
{
  const Node *const *first = a, *const *second = b;

  return (*first)->index - (*second)->index;
}

/* Pages of stacks, which nobody calls a child, have one, which says that it is the second. */
static gboolean
may_be_page (const Known *known,
             const Node  *node)
{
  const GPtrArray *children = g_hash_table_lookup (known->children, node->path);

  return node->n_children == 1 &&
         (children == NULL || children->len != 1 || ((const Node *) children->pdata[0])->index != 0);
}

/* The children of what was offered, in order; NULL where some of those that name it may be none, or others may be. */
static GPtrArray *
find_children (const Known *known,
               const char  *path)
{
  const Node *node = g_hash_table_lookup (known->nodes, path);
  GPtrArray *children = g_hash_table_lookup (known->children, path);

  if (!known->trusts || node == NULL || children == NULL || node->n_children != (gint32) children->len)
    return NULL;
  g_ptr_array_sort (children, compare_places);
  for (guint i = 0; i < children->len; i++)
    if (((const Node *) children->pdata[i])->index != (gint32) i || may_be_page (known, children->pdata[i]))
      return NULL;
  return children;
}

/* What it did not offer, as nobody asked about it yet; NULL of what is gone. */
static Node *
make_node (const char *path,
           GVariant   *role,
           GVariant   *properties)
{
  g_autoptr (GVariant) all = NULL;

  if (role == NULL || properties == NULL)
    return NULL;
  Node *node = g_new0 (Node, 1);
  node->path = g_strdup (path);
  node->n_children = -1;
  g_variant_get (role, "(s)", &node->role);
  g_variant_get (properties, "(@a{sv})", &all);
  if (!g_variant_lookup (all, "Name", "s", &node->name))
    node->name = g_strdup ("");
  if (!g_variant_lookup (all, "Description", "s", &node->description))
    node->description = g_strdup ("");
  return node;
}

static void
read_unknown (Walker     *walker,
              const char *bus_name,
              GPtrArray  *paths,
              GHashTable *nodes)
{
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();
  Round round;

  round_begin (&round, walker, bus_name);
  for (guint i = 0; i < paths->len; i++)
    if (!g_hash_table_contains (nodes, paths->pdata[i]))
      {
        g_ptr_array_add (unknown, paths->pdata[i]);
        round_ask (&round, paths->pdata[i], ACCESSIBLE, "GetRoleName", NULL);
        round_ask (&round, paths->pdata[i], "org.freedesktop.DBus.Properties", "GetAll",
                   g_variant_new ("(s)", ACCESSIBLE));
      }
  round_wait (&round);
  for (guint i = 0; i < unknown->len; i++)
    {
      Node *node =
        make_node (unknown->pdata[i], round_get (&round, 2 * i, "(s)"), round_get (&round, 2 * i + 1, "(a{sv})"));
      if (node != NULL)
        g_hash_table_replace (nodes, node->path, node);
    }
  round_end (&round);
}

static void
name_roles (Walker     *walker,
            const char *bus_name,
            GPtrArray  *level)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  Round round;

  round_begin (&round, walker, bus_name);
  for (guint i = 0; i < level->len; i++)
    {
      const Node *node = level->pdata[i];
      if (node->role != NULL || g_hash_table_contains (walker->role_names, GUINT_TO_POINTER (node->role_number)))
        continue;
      g_hash_table_insert (walker->role_names, GUINT_TO_POINTER (node->role_number), g_strdup (""));
      g_array_append_val (numbers, node->role_number);
      round_ask (&round, node->path, ACCESSIBLE, "GetRoleName", NULL);
    }
  round_wait (&round);
  for (guint i = 0; i < numbers->len; i++)
    {
      const gpointer number = GUINT_TO_POINTER (g_array_index (numbers, guint32, i));
      GVariant *answer = round_get (&round, i, "(s)");
      char *name = NULL;
      if (answer == NULL)
        {
          /* Another one of that role is asked. */
          g_hash_table_remove (walker->role_names, number);
          continue;
        }
      g_variant_get (answer, "(s)", &name);
      g_hash_table_insert (walker->role_names, number, name);
    }
  round_end (&round);
}

/* The paths of the children of all that may have some, in order. */
static GPtrArray *
list_children (Walker      *walker,
               const char  *bus_name,
               const Known *known,
               GPtrArray   *parents)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  Round round;
  guint n_asked = 0;

  round_begin (&round, walker, bus_name);
  for (guint i = 0; i < parents->len; i++)
    if (find_children (known, parents->pdata[i]) == NULL)
      round_ask (&round, parents->pdata[i], ACCESSIBLE, "GetChildren", NULL);
  round_wait (&round);
  for (guint i = 0; i < parents->len; i++)
    {
      const GPtrArray *found = find_children (known, parents->pdata[i]);
      GVariant *answer = found == NULL ? round_get (&round, n_asked++, "(a(so))") : NULL;
      g_autoptr (GVariantIter) children = NULL;
      char *path;
      for (guint j = 0; found != NULL && j < found->len; j++)
        g_ptr_array_add (paths, g_strdup (((const Node *) found->pdata[j])->path));
      if (answer == NULL)
        continue;
      g_variant_get (answer, "(a(so))", &children);
      while (g_variant_iter_next (children, "(so)", NULL, &path))
        g_ptr_array_add (paths, path);
    }
  round_end (&round);
  return paths;
}

static void
add_node (Walker      *walker,
          JsonBuilder *builder,
          const Node  *node)
{
  const char *role =
    node->role != NULL ? node->role : g_hash_table_lookup (walker->role_names, GUINT_TO_POINTER (node->role_number));

  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, node->path);
  json_builder_add_string_value (builder, role != NULL ? role : "");
  json_builder_add_string_value (builder, node->name);
  json_builder_add_string_value (builder, node->description);
  json_builder_end_array (builder);
}

static void
walk (Walker     *walker,
      const char *bus_name,
      const char *root)
{
  Known known;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) parents = g_ptr_array_new_with_free_func (g_free);
  char *place = g_strconcat (bus_name, root, NULL);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (walker->n_found, place));

  known_begin (&known);
  if (COST_OF_ASKING * n > walker->n_offered)
    read_all (walker, bus_name, &known);
  n = 0;
  json_builder_begin_array (builder);
  /* An application does not say that there are any in it. */
  g_ptr_array_add (parents, g_strdup (root));
  while (parents->len > 0)
    {
      g_autoptr (GPtrArray) paths = list_children (walker, bus_name, &known, parents);
      g_autoptr (GPtrArray) level = g_ptr_array_new ();
      if (COST_OF_ASKING * (n + paths->len) > walker->n_offered)
        {
          if (!known.has_all)
            read_all (walker, bus_name, &known);
          known.trusts = TRUE;
        }
      read_unknown (walker, bus_name, paths, known.nodes);
      g_ptr_array_set_size (parents, 0);
      for (guint i = 0; i < paths->len; i++)
        {
          Node *node = g_hash_table_lookup (known.nodes, paths->pdata[i]);
          if (node == NULL)
            continue;
          g_ptr_array_add (level, node);
          if (node->n_children != 0)
            g_ptr_array_add (parents, g_strdup (node->path));
        }
      name_roles (walker, bus_name, level);
      for (guint i = 0; i < level->len; i++)
        add_node (walker, builder, level->pdata[i]);
      n += level->len;
    }
  g_hash_table_replace (walker->n_found, place, GUINT_TO_POINTER (n));
  json_builder_end_array (builder);
  g_autoptr (JsonNode) all = json_builder_get_root (builder);
  g_autofree char *line = json_to_string (all, FALSE);
  puts (line);
  fflush (stdout);
  known_end (&known);
}

static GDBusConnection *
connect_bus (GError **error)
{
  g_autoptr (GDBusConnection) session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, error);
  const char *address;

  if (session == NULL)
    return NULL;
  g_autoptr (GVariant)
    reply = g_dbus_connection_call_sync (session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", NULL,
                                         G_VARIANT_TYPE ("(s)"), G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, error);
  if (reply == NULL)
    return NULL;
  g_variant_get (reply, "(&s)", &address);
  return g_dbus_connection_new_for_address_sync (address,
                                                 G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                   G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                 NULL, NULL, error);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  char line[1024];
  Walker walker = { connect_bus (&error), g_hash_table_new_full (NULL, NULL, NULL, g_free),
                    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 0 };

  if (walker.bus == NULL)
    {
      fprintf (stderr, "walk-accessibles: %s\n", error->message);
      return 1;
    }
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", 2);
      if (g_strv_length (words) != 2 || !g_variant_is_object_path (words[1]))
        {
          fprintf (stderr, "walk-accessibles: no accessible: %s\n", line);
          return 1;
        }
      walk (&walker, words[0], words[1]);
    }
  g_hash_table_unref (walker.n_found);
  g_hash_table_unref (walker.role_names);
  g_object_unref (walker.bus);
  return 0;
}
