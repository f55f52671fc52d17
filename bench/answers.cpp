#include "bench/answers.hpp"

#include "runtime/core/json.hpp"

#include <charconv>

namespace omnium::bench {
namespace {

// The text after the first occurrence of `before`. The server writes members in the contract's order, the answer's own
// before those of anything nested in it, and nothing a bench sends can look like one.
std::string_view after(std::string_view text, std::string_view before) {
  auto at = text.find(before);
  return at == text.npos ? std::string_view{} : text.substr(at + before.size());
}
std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}
std::string_view to_quote(std::string_view text) { return text.substr(0, text.find('"')); }

word word_of(std::string_view name) {
  for (auto what : {word::accepted, word::duplicate, word::refused, word::conflict, word::try_again})
    if (name == to_string(what)) return what;
  return word::unknown;
}

} // namespace

std::pair<attempt, int> read_answer(std::string body) {
  std::pair<attempt, int> out;
  out.first.what = word_of(to_quote(after(body, R"({"outcome":")")));
  out.first.seq = number(after(body, R"("seq":)"));
  if (out.first.what == word::refused || out.first.what == word::try_again)
    out.first.reason = to_quote(after(after(body, R"("reason":{)"), R"("code":")"));
  if (out.first.what == word::try_again) out.second = static_cast<int>(number(after(body, R"("retry_after_ms":)")));
  else out.first.body = std::move(body);
  return out;
}

bool take_live_answer(std::string_view frame, std::uint64_t& id, std::string& answer) {
  if (!frame.starts_with(R"({"t":"answer")")) return false;
  id = static_cast<std::uint64_t>(number(after(frame, R"("id":)")));
  answer = json::raw_member(frame, "answer").value_or("");
  return true;
}

std::optional<seen_change> read_change(std::string_view frame) {
  if (!frame.starts_with(R"({"t":"change")")) return std::nullopt;
  seen_change out;
  out.version = json::integer_member(frame, "version").value_or(0);
  out.prev = json::integer_member(frame, "prev").value_or(-1);
  auto item = json::raw_member(frame, "item").value_or("{}");
  out.key_hash = std::hash<std::string>{}(json::string_member(item, "key").value_or(""));
  return out;
}

std::optional<std::int64_t> read_snapshot(std::string_view frame) {
  if (!frame.starts_with(R"({"t":"snapshot")")) return std::nullopt;
  return json::integer_member(frame, "version");
}

} // namespace omnium::bench
