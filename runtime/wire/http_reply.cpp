#include "runtime/wire/http_reply.hpp"
#include "runtime/core/json.hpp"

#include <cstdio>
#include <ctime>

namespace omnium::wire {

std::string_view status_text(int status) {
  switch (status) {
  case 100:
    return "Continue";
  case 200:
    return "OK";
  case 204:
    return "No Content";
  case 304:
    return "Not Modified";
  case 400:
    return "Bad Request";
  case 401:
    return "Unauthorized";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 406:
    return "Not Acceptable";
  case 408:
    return "Request Timeout";
  case 409:
    return "Conflict";
  case 413:
    return "Content Too Large";
  case 415:
    return "Unsupported Media Type";
  case 417:
    return "Expectation Failed";
  case 422:
    return "Unprocessable Content";
  case 426:
    return "Upgrade Required";
  case 429:
    return "Too Many Requests";
  case 431:
    return "Request Header Fields Too Large";
  case 500:
    return "Internal Server Error";
  case 501:
    return "Not Implemented";
  case 503:
    return "Service Unavailable";
  case 505:
    return "HTTP Version Not Supported";
  default:
    return "Unknown";
  }
}

http_reply problem(int status, std::string_view detail) {
  http_reply out;
  out.status = status;
  out.content_type = "application/problem+json";
  out.body = R"({"type":"about:blank","title":)";
  json::append_string(out.body, status_text(status));
  out.body += R"(,"status":)" + std::to_string(status) + R"(,"detail":)";
  json::append_string(out.body, detail);
  out.body += '}';
  return out;
}

std::string format_head(const http_reply& reply, std::string_view date, bool http_1_0, bool keep_alive) {
  std::string out;
  out.reserve(256 + reply.extra.size());
  auto header = [&out](std::string_view name, std::string_view value) {
    if (!value.empty()) out.append(name).append(value).append("\r\n");
  };
  out.append(http_1_0 ? "HTTP/1.0 " : "HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  out.append(status_text(reply.status)).append("\r\n");
  header("Date: ", date);
  if (reply.status >= 200 && reply.status != 204 && reply.status != 304) {
    header("Content-Type: ", reply.content_type);
    header("Content-Length: ", std::to_string(reply.content().size()));
  }
  header("ETag: ", reply.etag);
  header("Cache-Control: ", reply.cache_control);
  header("Allow: ", reply.allow);
  if (reply.retry_after_s > 0) header("Retry-After: ", std::to_string(reply.retry_after_s));
  if (!keep_alive) header("Connection: ", "close");
  else if (http_1_0) header("Connection: ", "keep-alive");
  out.append("X-Content-Type-Options: nosniff\r\n").append(reply.extra).append("\r\n");
  return out;
}

std::string http_date(std::chrono::system_clock::time_point when) {
  constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::time_t seconds = std::chrono::system_clock::to_time_t(when);
  std::tm t{};
  ::gmtime_r(&seconds, &t);
  char text[64];
  std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[t.tm_wday], t.tm_mday, months[t.tm_mon],
                t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
  return text;
}

} // namespace omnium::wire
