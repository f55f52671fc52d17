#include "apps/replay/sender.hpp"

#include "runtime/core/json.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <simdjson.h>
#include <thread>

namespace omnium::replay {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view sender_name = "replay";

// What came back of one attempt: settled, or to be tried again after `wait` (0: no wish).
struct attempt {
  bool again = false;
  milliseconds wait{0};
  settled end;
};

std::string text_at(simdjson::dom::element root, std::string_view pointer) {
  std::string_view text;
  return root.at_pointer(pointer).get(text) ? std::string() : std::string(text);
}

std::optional<outcome> outcome_named(std::string_view name) {
  for (auto what : {outcome::accepted, outcome::duplicate, outcome::refused, outcome::conflict, outcome::try_again})
    if (to_string(what) == name) return what;
  return std::nullopt;
}

milliseconds retry_after(const wire::http_response& response, std::optional<std::int64_t> body_ms) {
  if (body_ms && *body_ms > 0) return milliseconds(*body_ms);
  auto header = response.header("Retry-After");
  int seconds = 0;
  std::from_chars(header.data(), header.data() + header.size(), seconds);
  return std::chrono::seconds(std::max(0, seconds));
}

// Something between us and the server may answer without the contract's body.
bool worth_repeating(int status) { return status == 429 || status == 502 || status == 503 || status == 504; }

attempt without_contract(const wire::http_response& response) {
  attempt out;
  out.again = worth_repeating(response.status);
  out.wait = retry_after(response, std::nullopt);
  out.end = {out.again ? outcome::try_again : outcome::refused, std::nullopt, false, "no_answer",
             fmt::format("The server answered {} without an outcome.", response.status)};
  return out;
}

attempt read_attempt(const wire::http_response& response) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(response.body).get(root)) return without_contract(response);
  auto what = outcome_named(text_at(root, "/outcome"));
  if (!what) return without_contract(response);
  attempt out;
  std::int64_t number = 0;
  if (!root.at_pointer("/seq").get(number)) out.end.seq = number;
  const bool has_wait = !root.at_pointer("/retry_after_ms").get(number);
  out.end.what = *what;
  out.end.reason = text_at(root, "/reason/code");
  out.end.message = text_at(root, "/reason/message");
  if (*what == outcome::duplicate) {
    out.end.refused_before = text_at(root, "/first/outcome") == to_string(outcome::refused);
    if (out.end.refused_before) {
      out.end.reason = text_at(root, "/first/reason/code");
      out.end.message = text_at(root, "/first/reason/message");
    }
  }
  out.again = *what == outcome::try_again;
  if (out.again) out.wait = retry_after(response, has_wait ? std::optional(number) : std::nullopt);
  return out;
}

attempt read_result(const wire::http_result& result) {
  if (result) return read_attempt(*result);
  attempt out;
  out.again = result.error.what != wire::net_error::kind::bad_url;
  out.end = {out.again ? outcome::try_again : outcome::refused, std::nullopt, false, "no_connection",
             result.error.message};
  return out;
}

milliseconds wait_before(int next_try, milliseconds asked) {
  auto doubled = first_wait * (1 << std::min(next_try - 2, 10));
  return asked.count() > 0 ? asked : std::min(doubled, longest_wait);
}

void add(tally& count, outcome what) {
  switch (what) {
  case outcome::accepted:
    ++count.accepted;
    return;
  case outcome::duplicate:
    ++count.duplicate;
    return;
  case outcome::refused:
    ++count.refused;
    return;
  case outcome::conflict:
    ++count.conflict;
    return;
  case outcome::try_again:
    return; // counted answer by answer
  }
}

} // namespace

door http_door(const std::string& url, const std::string& token) {
  auto client = std::make_shared<wire::http_client>(url);
  if (!token.empty()) client->always("Authorization", "Bearer " + token);
  return {[client](std::string_view method, std::string_view target, std::string_view body) {
            return client->request(method, target, body);
          },
          [](milliseconds time) { std::this_thread::sleep_for(time); }};
}

tally& tally::operator+=(const tally& more) {
  sent += more.sent;
  accepted += more.accepted;
  duplicate += more.duplicate;
  refused += more.refused;
  conflict += more.conflict;
  try_again += more.try_again;
  return *this;
}

settled sender::send(const command_text& what, tally& count) {
  const auto target = fmt::format("/workflows/{}/subjects/{}/{}/commands", what.workflow, what.kind, what.ref);
  const auto body = fmt::format(R"({{"key":{},"code":{},"input":{},"sender":"{}"}})", json::quoted(what.key),
                                json::quoted(what.code), what.input, sender_name);
  ++count.sent;
  attempt last;
  for (int number = 1; number <= tries_max; ++number) {
    if (number > 1) door_.sleep(wait_before(number, last.wait));
    last = read_result(door_.request("POST", target, body));
    if (!last.again) break;
    ++count.try_again;
  }
  add(count, last.end.what);
  return last.end;
}

std::optional<std::string> sender::read(std::string_view target, std::string& why) {
  milliseconds asked{0};
  for (int number = 1; number <= tries_max; ++number) {
    if (number > 1) door_.sleep(wait_before(number, asked));
    auto result = door_.request("GET", target, {});
    if (result && result->status == 200) return result->body;
    why = result ? fmt::format("GET {} was answered {}.", target, result->status) : result.error.message;
    if (result && !worth_repeating(result->status)) return std::nullopt;
    asked = result ? retry_after(*result, std::nullopt) : milliseconds(0);
  }
  return std::nullopt;
}

} // namespace omnium::replay
