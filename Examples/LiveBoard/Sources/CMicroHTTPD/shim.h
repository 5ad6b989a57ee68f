#pragma once
#include <microhttpd.h>

// What Swift can't call (functions with variable arguments) or see (macros with casts).

/// Starts one thread that serves all connections with epoll, and lets them be suspended.
static inline struct MHD_Daemon *board_start(
  const struct sockaddr *address, unsigned int connectionLimit, size_t connectionMemory,
  unsigned int timeout, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback complete,
  void *context
) {
  unsigned int flags =
    MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  return MHD_start_daemon(
    flags, 0, NULL, NULL, handle, context,
    MHD_OPTION_SOCK_ADDR, address,
    MHD_OPTION_CONNECTION_LIMIT, connectionLimit,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, connectionMemory,
    MHD_OPTION_CONNECTION_TIMEOUT, timeout,
    MHD_OPTION_NOTIFY_COMPLETED, complete, context,
    MHD_OPTION_END
  );
}

/// The port on which a daemon listens, or 0.
static inline unsigned int board_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// The port of the server of a connection, or 0.
static inline unsigned int board_connection_port(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON);
  return info ? board_port(info->daemon) : 0;
}

/// Creates a response of unknown length whose bytes come from a callback.
static inline struct MHD_Response *board_stream(
  size_t blockSize, MHD_ContentReaderCallback read, void *context,
  MHD_ContentReaderFreeCallback release
) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, blockSize, read, context, release);
}

/// Creates a response whose bytes are copied.
static inline struct MHD_Response *board_response(size_t size, const void *bytes) {
  return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static const ssize_t board_end_of_stream = -1;
