#ifndef WELLSPRING_CURL_SHIM_H
#define WELLSPRING_CURL_SHIM_H

// The header's checks of types need options that are constants.
#define CURL_DISABLE_TYPECHECK 1
#if !__has_include(<curl/curl.h>)
#error "the module Replication needs libcurl: apt-get install libcurl4-openssl-dev"
#endif
#include <curl/curl.h>
#include <sys/socket.h>

// Swift cannot call variadic C functions.

/// Returns the version of the library that runs, as `0x075801` for 7.88.1.
/// https://curl.se/libcurl/c/curl_version_info.html
static inline unsigned int wellspring_curl_version(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num;
}

/// Sets an option that is a number or a flag.
/// https://curl.se/libcurl/c/curl_easy_setopt.html
static inline CURLcode wellspring_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a text, which curl copies.
static inline CURLcode wellspring_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a pointer, which must live as long as the handle uses it.
static inline CURLcode wellspring_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

/// Sets the body of a request, which curl copies.
static inline CURLcode wellspring_curl_set_body(CURL *handle, const void *bytes, long count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

/// Sets the function that receives the body of an answer.
/// https://curl.se/libcurl/c/CURLOPT_WRITEFUNCTION.html
static inline CURLcode wellspring_curl_set_receiver(
    CURL *handle, size_t (*receive)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

/// Sets the function that receives the lines before the body of an answer, and after it.
/// https://curl.se/libcurl/c/CURLOPT_HEADERFUNCTION.html
static inline CURLcode wellspring_curl_set_header_receiver(
    CURL *handle, size_t (*receive)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HEADERDATA, context) : code;
}

/// Returns a number that describes the last transfer, or 0.
/// https://curl.se/libcurl/c/curl_easy_getinfo.html
static inline long wellspring_curl_get_number(CURL *handle, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

/// Returns how many bytes of a request's body have left the process.
/// https://curl.se/libcurl/c/CURLINFO_SIZE_UPLOAD_T.html
static inline long wellspring_curl_get_sent(CURL *handle) {
  curl_off_t count = 0;
  return curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &count) == CURLE_OK ? (long)count : 0;
}

static int wellspring_curl_make_buffer_small(void *context, curl_socket_t socket, curlsocktype purpose) {
  int size = 64 * 1024;
  (void)context;
  (void)purpose;
  setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return CURL_SOCKOPT_OK;
}

/// Keeps the kernel from taking a whole request at once, so that what was sent tells how it goes on.
/// https://curl.se/libcurl/c/CURLOPT_SOCKOPTFUNCTION.html
static inline CURLcode wellspring_curl_limit_send_buffer(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, wellspring_curl_make_buffer_small);
}

/// Takes the result of a transfer that has ended, and returns whether there is one.
/// https://curl.se/libcurl/c/curl_multi_info_read.html
static inline int wellspring_curl_take_result(CURLM *transfers, CURLcode *result) {
  int remaining = 0;
  for (CURLMsg *message; (message = curl_multi_info_read(transfers, &remaining));) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return 1;
    }
  }
  return 0;
}

#endif
