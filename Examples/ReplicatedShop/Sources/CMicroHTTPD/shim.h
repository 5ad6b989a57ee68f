#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>

// What Swift can't call: functions with variable arguments, and macros with casts.

/// Starts one thread that serves all connections of this machine, and lets them be suspended.
/// Port 0 stands for one that is free.
static inline struct MHD_Daemon *shop_start(
  uint16_t port, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback complete,
  void *context
) {
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons(port),
    .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
  };
  return MHD_start_daemon(
    MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME,
    0, NULL, NULL, handle, context,
    MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&address,
    MHD_OPTION_CONNECTION_TIMEOUT, 60u,
    MHD_OPTION_NOTIFY_COMPLETED, complete, context,
    MHD_OPTION_END
  );
}

/// The port on which a daemon listens, or 0.
static inline uint16_t shop_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// Creates a response whose bytes are copied.
static inline struct MHD_Response *shop_response(size_t size, const void *bytes) {
  return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
