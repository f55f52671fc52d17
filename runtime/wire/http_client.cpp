#include "runtime/wire/http_client.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace omnium::wire {
namespace {

using kind = net_error::kind;
using time_point = tcp_stream::time_point;

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

net_error not_http(std::string message) { return {kind::protocol, std::move(message)}; }

bool has(const http_headers& headers, std::string_view name) {
  return std::any_of(headers.begin(), headers.end(), [&](const auto& h) { return same_name(h.first, name); });
}

// Reads one response off a connection; what it has received and not yet used stays in `buffer`.
struct response_reader {
  tcp_stream& stream;
  time_point deadline;
  std::size_t bytes_max;
  std::string buffer;
  std::size_t at = 0; // first unused byte

  net_error more() {
    if (buffer.size() - at > bytes_max) return not_http("the response is larger than the client's bound");
    return stream.receive(buffer, deadline);
  }

  net_error line(std::string& out) {
    for (;;) {
      auto end = buffer.find("\r\n", at);
      if (end != std::string::npos) {
        out.assign(buffer, at, end - at);
        at = end + 2;
        return {};
      }
      if (buffer.size() - at > 64 * 1024) return not_http("a header line is too long");
      if (auto e = more()) return e;
    }
  }

  net_error take(std::size_t size, std::string& out) {
    if (size > bytes_max - std::min(bytes_max, out.size())) {
      return not_http("the response is larger than the client's bound");
    }
    while (buffer.size() - at < size) {
      if (auto e = more()) return e;
    }
    out.append(buffer, at, size);
    at += size;
    return {};
  }

  net_error rest(std::string& out) {
    for (;;) {
      auto e = more();
      if (e.what == kind::closed) break;
      if (e) return e;
    }
    out.append(buffer, at);
    at = buffer.size();
    return {};
  }

  net_error chunks(std::string& out) {
    std::string text;
    for (;;) {
      if (auto e = line(text)) return e;
      std::size_t size = 0;
      auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size, 16);
      if (code != std::errc() || end == text.data()) return not_http("a chunk's size is not a number");
      if (size > 0) {
        if (auto e = take(size, out)) return e;
      }
      if (size == 0) break;
      if (auto e = line(text)) return e;
      if (!text.empty()) return not_http("a chunk does not end where it said");
    }
    do { // trailers
      if (auto e = line(text)) return e;
    } while (!text.empty());
    return {};
  }

  net_error head(http_response& out) {
    std::string text;
    if (auto e = line(text)) return e;
    if (!text.starts_with("HTTP/1.") || text.size() < 12)
      return not_http("the answer is not HTTP: " + text.substr(0, 60));
    auto [end, code] = std::from_chars(text.data() + 9, text.data() + 12, out.status);
    if (code != std::errc() || end != text.data() + 12)
      return not_http("the answer has no status: " + text.substr(0, 60));
    out.headers.clear();
    for (;;) {
      if (auto e = line(text)) return e;
      if (text.empty()) return {};
      auto colon = text.find(':');
      if (colon == std::string::npos) return not_http("a header has no colon: " + text.substr(0, 60));
      out.headers.emplace_back(text.substr(0, colon), trimmed(std::string_view(text).substr(colon + 1)));
      if (out.headers.size() > 200) return not_http("the answer has more than 200 headers");
    }
  }
};

} // namespace

std::string_view http_response::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (same_name(key, name)) return value;
  }
  return {};
}

http_client::http_client(std::string_view url, http_client_options options)
    : bad_url_(parse_http_url(url, url_)), options_(options) {}

std::string http_client::compose(std::string_view method, std::string_view target, std::string_view body,
                                 const http_headers& headers) const {
  std::string out;
  out.reserve(256 + body.size());
  auto header = [&](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  };
  out.append(method).append(" ").append(url_.prefix).append(target).append(" HTTP/1.1\r\n");
  header("Host", url_.authority());
  for (const auto& [name, value] : always_) header(name, value);
  for (const auto& [name, value] : headers) header(name, value);
  if (!body.empty() || method == "POST" || method == "PUT") {
    if (!has(headers, "Content-Type")) header("Content-Type", "application/json");
    header("Content-Length", std::to_string(body.size()));
  }
  out.append("\r\n").append(body);
  return out;
}

net_error http_client::read_response(std::string_view method, time_point deadline, http_response& out, bool& answered) {
  response_reader reader{stream_, deadline, options_.response_bytes_max, {}, 0};
  do { // 1xx answers are only notices
    auto e = reader.head(out);
    answered = answered || !reader.buffer.empty();
    if (e) return e;
  } while (out.status >= 100 && out.status < 200 && out.status != 101);
  bool keep = !same_name(out.header("Connection"), "close");
  net_error e;
  if (method == "HEAD" || out.status == 204 || out.status == 304) {
    // no body
  } else if (same_name(out.header("Transfer-Encoding"), "chunked")) {
    e = reader.chunks(out.body);
  } else if (auto length = out.header("Content-Length"); !length.empty()) {
    std::size_t size = 0;
    auto [end, code] = std::from_chars(length.data(), length.data() + length.size(), size);
    if (code != std::errc() || end != length.data() + length.size()) return not_http("Content-Length is not a number");
    e = reader.take(size, out.body);
  } else {
    keep = false;
    e = reader.rest(out.body);
  }
  if (!keep || e || reader.at != reader.buffer.size()) stream_.close();
  return e;
}

net_error http_client::exchange(std::string_view method, std::string_view bytes, http_response& out, bool& answered) {
  auto deadline = std::chrono::steady_clock::now() + options_.request_wall_clock;
  if (!stream_.open()) {
    auto connect_deadline = std::chrono::steady_clock::now() + options_.connect_wall_clock;
    if (auto e = stream_.connect(url_, std::min(deadline, connect_deadline), {options_.verify, options_.ca_file}))
      return e;
  }
  // A server may answer (413, 503) and close before it has read everything: its answer counts, not our failed write.
  auto sent = stream_.send_all(bytes, deadline);
  if (sent.what == kind::deadline) return sent;
  auto e = read_response(method, deadline, out, answered);
  return e && sent && !answered ? sent : e;
}

http_result http_client::request(std::string_view method, std::string_view target, std::string_view body,
                                 const http_headers& headers) {
  http_result result;
  if ((result.error = bad_url_)) return result;
  auto bytes = compose(method, target, body, headers);
  if (stream_.open() && stream_.stale()) stream_.close();
  bool reused = stream_.open(), answered = false, safe = method == "GET" || method == "HEAD";
  http_response response;
  result.error = exchange(method, bytes, response, answered);
  if (result.error.what == kind::closed && reused && safe && !answered) {
    stream_.close();
    response = {};
    result.error = exchange(method, bytes, response, answered);
  }
  if (result.error) {
    stream_.close();
  } else {
    result.response = std::move(response);
  }
  return result;
}

} // namespace omnium::wire
