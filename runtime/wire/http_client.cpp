#include "runtime/wire/http_client.hpp"

#include "runtime/wire/http_route.hpp"

#include <algorithm>

namespace omnium::wire {
namespace {

// What libcurl reads of an answer, bounded.
struct collector {
  http_response answer;
  std::size_t body_bytes_max;
  bool too_large = false;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  auto first = text.find_first_not_of(space);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::size_t take_header(const char* data, std::size_t, std::size_t size, void* into) {
  auto& headers = static_cast<collector*>(into)->answer.headers;
  std::string_view line(data, size);
  if (line.starts_with("HTTP/")) headers.clear(); // an answer of 1xx is only a notice
  else if (auto colon = line.find(':'); colon != line.npos)
    headers.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  return size;
}

std::size_t take_body(const char* data, std::size_t, std::size_t size, void* into) {
  auto& all = *static_cast<collector*>(into);
  all.too_large = all.answer.body.size() + size > all.body_bytes_max;
  if (all.too_large) return 0;
  all.answer.body.append(data, size);
  return size;
}

// An empty value stands with a semicolon for libcurl; a colon would take the header away.
std::string header_line(const std::string& name, const std::string& value) {
  return value.empty() ? name + ";" : name + ": " + value;
}

} // namespace

std::string_view http_response::header(std::string_view name) const {
  auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return equal_no_case(h.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

http_client::http_client(std::string_view url, http_client_options options)
    : bad_url_(parse_http_url(url, url_)), options_(std::move(options)) {}

http_result http_client::request(std::string_view method, std::string_view target, std::string_view body,
                                 const http_headers& headers) {
  http_result result;
  if ((result.error = bad_url_)) return result;
  handle_.start_over(options_.trust, options_.connect_wall_clock, options_.request_wall_clock);
  handle_.set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  handle_.set(CURLOPT_URL, url_.origin().c_str());
  handle_.set(CURLOPT_REQUEST_TARGET, (url_.prefix + std::string(target)).c_str());

  curl_lines lines;
  bool typed = false;
  for (const auto* some : std::initializer_list<const http_headers*>{&always_, &headers})
    for (const auto& [name, value] : *some) {
      typed = typed || equal_no_case(name, "Content-Type");
      lines.add(header_line(name, value));
    }
  bool has_body = !body.empty() || method == "POST" || method == "PUT";
  if (has_body) {
    if (!typed) lines.add("Content-Type: application/json");
    lines.add("Expect:"); // nobody is asked whether a body may come
    handle_.set(CURLOPT_POSTFIELDS, body.empty() ? "" : body.data());
    handle_.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  }
  handle_.set(CURLOPT_HTTPHEADER, lines.get());
  if (method == "HEAD") handle_.set(CURLOPT_NOBODY, 1L);
  else handle_.set(CURLOPT_CUSTOMREQUEST, std::string(method).c_str());

  collector into{{}, options_.response_bytes_max};
  handle_.set(CURLOPT_HEADERFUNCTION, &take_header);
  handle_.set(CURLOPT_HEADERDATA, &into);
  handle_.set(CURLOPT_WRITEFUNCTION, &take_body);
  handle_.set(CURLOPT_WRITEDATA, &into);
  result.error = handle_.perform();
  if (into.too_large) result.error.message = "the response is larger than the client's bound";
  if (result.error) return result;
  long status = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
  into.answer.status = static_cast<int>(status);
  result.response = std::move(into.answer);
  return result;
}

} // namespace omnium::wire
