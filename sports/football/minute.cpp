#include "sports/football/minute.hpp"

#include <charconv>

namespace football {
namespace {

constexpr int minute_max = 150; // two hours, and what is added
constexpr int added_max = 99;

bool whole(std::string_view text, int max, int& out) {
  if (text.empty() || text.size() > 3) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && out >= 0 && out <= max;
}

} // namespace

bool parse_minute(std::string_view text, match_minute& out) {
  const auto plus = text.find('+');
  match_minute made;
  if (!whole(text.substr(0, plus), minute_max, made.minute)) return false;
  if (plus != std::string_view::npos && !whole(text.substr(plus + 1), added_max, made.added)) return false;
  out = made;
  return true;
}

std::string to_string(match_minute when) {
  std::string out = std::to_string(when.minute);
  if (when.added > 0) out += '+' + std::to_string(when.added);
  return out;
}

} // namespace football

namespace omnium::sdk {

bool codec<football::match_minute>::read(const value& from, football::match_minute& out, const rules&, reader& in) {
  std::int64_t number = 0;
  std::string_view text;
  if (from.get(text)) {
    if (football::parse_minute(text, out)) return true;
  } else if (from.get(number) && number >= 0 && number <= 150) {
    out = {static_cast<int>(number), 0};
    return true;
  }
  return in.fail(in.place() + " must be a minute from 0 to 150, or a text such as \"45+2\".");
}

void codec<football::match_minute>::write(const football::match_minute& what, std::string& out) {
  append_string(out, football::to_string(what));
}

void codec<football::match_minute>::schema(const rules&, std::string& out) {
  out += R"("anyOf":[{"type":"integer","minimum":0,"maximum":150},)"
         R"({"type":"string","pattern":"^[0-9]{1,3}(\\+[0-9]{1,2})?$"}])";
}

} // namespace omnium::sdk
