#ifndef WELLSPRING_SQLITE_SHIM_H
#define WELLSPRING_SQLITE_SHIM_H

// Debian's library is built with both options. Its header declares their functions only if these
// macros are defined.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include <sqlite3.h>

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
