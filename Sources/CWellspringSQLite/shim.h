#ifndef WELLSPRING_SQLITE_SHIM_H
#define WELLSPRING_SQLITE_SHIM_H

// Debian's library is built with both options. Its header declares their functions only if these
// macros are defined.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include <sqlite3.h>

// A library that was built without the options lacks the functions. Weak references let the process
// start all the same, and tell whether they are there.
#pragma weak sqlite3_preupdate_blobwrite
#pragma weak sqlite3_preupdate_count
#pragma weak sqlite3_preupdate_depth
#pragma weak sqlite3_preupdate_hook
#pragma weak sqlite3_preupdate_new
#pragma weak sqlite3_preupdate_old
#pragma weak sqlite3changeset_apply_v2
#pragma weak sqlite3changeset_concat
#pragma weak sqlite3changeset_conflict
#pragma weak sqlite3changeset_finalize
#pragma weak sqlite3changeset_fk_conflicts
#pragma weak sqlite3changeset_invert
#pragma weak sqlite3changeset_new
#pragma weak sqlite3changeset_next
#pragma weak sqlite3changeset_old
#pragma weak sqlite3changeset_op
#pragma weak sqlite3changeset_pk
#pragma weak sqlite3changeset_start
#pragma weak sqlite3session_attach
#pragma weak sqlite3session_changeset
#pragma weak sqlite3session_create
#pragma weak sqlite3session_delete
#pragma weak sqlite3session_table_filter

/// Whether the library has the preupdate hook.
static inline int wellspring_has_preupdate_hook(void) { return sqlite3_preupdate_hook != 0; }

/// Whether the library has sessions and changesets.
static inline int wellspring_has_sessions(void) { return sqlite3session_create != 0; }

// Swift cannot call variadic C functions.

/// Sets a boolean option of one connection, and returns SQLite's result code.
/// https://www.sqlite.org/c3ref/db_config.html
static inline int wellspring_db_config(sqlite3 *connection, int option, int value) {
  return sqlite3_db_config(connection, option, value, (int *)0);
}

/// Sets a boolean option of one connection unless the value is negative, and returns its value.
static inline int wellspring_db_config_value(sqlite3 *connection, int option, int value) {
  int current = 0;
  sqlite3_db_config(connection, option, value, &current);
  return current;
}

/// Sends SQLite's process-wide error log to a function, and returns SQLite's result code.
/// https://www.sqlite.org/errlog.html
static inline int wellspring_config_log(void (*callback)(void *, int, const char *), void *context) {
  return sqlite3_config(SQLITE_CONFIG_LOG, callback, context);
}

/// Returns the destructor that makes SQLite copy bound bytes: a cast of -1 that Swift cannot import.
static inline sqlite3_destructor_type wellspring_transient(void) {
  return SQLITE_TRANSIENT;
}

#endif
