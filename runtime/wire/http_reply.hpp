#pragma once
// Replies as bytes: the head's text, problem details (RFC 9457), dates. Pure; any thread.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace omnium::wire {

struct http_reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::shared_ptr<const std::string> shared_body; // instead of `body`, for bytes many replies share
  std::string etag;                               // with quotes, or empty
  std::string cache_control = "no-store";
  std::string allow;     // 405 and OPTIONS
  std::string extra;     // further whole header lines, each with CRLF
  int retry_after_s = 0; // 0: no header
  bool close = false;    // the connection ends after this reply

  std::string_view content() const { return shared_body ? std::string_view(*shared_body) : std::string_view(body); }
};

// RFC 9457: {"type":"about:blank","title","status","detail"}.
http_reply problem(int status, std::string_view detail);

std::string_view status_text(int status);

// The head of a reply, up to and with the empty line. `date` is an IMF-fixdate. 204 and 304 carry no length.
std::string format_head(const http_reply& reply, std::string_view date, bool http_1_0, bool keep_alive);

// Mon, 05 Oct 2026 14:03:11 GMT
std::string http_date(std::chrono::system_clock::time_point when);

} // namespace omnium::wire
