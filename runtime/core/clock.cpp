#include "runtime/core/clock.hpp"

#include "runtime/core/hashing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace omnium {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// Reads a date-time from left to right; every step is false once the text has left the form.
class date_time_reader {
public:
  explicit date_time_reader(std::string_view text) : rest_(text) {}

  bool number(std::size_t digits, int low, int high, int& value) {
    if (rest_.size() < digits || !std::all_of(rest_.begin(), rest_.begin() + digits, is_digit)) return false;
    value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + (rest_[i] - '0');
    rest_.remove_prefix(digits);
    return value >= low && value <= high;
  }
  bool one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool fraction() {
    if (!one_of(".")) return true;
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    const auto digits = static_cast<std::size_t>(end - rest_.begin());
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  bool offset() {
    if (one_of("Zz")) return true;
    int hours = 0, minutes = 0;
    return one_of("+-") && number(2, 0, 23, hours) && one_of(":") && number(2, 0, 59, minutes);
  }
  bool at_end() const { return rest_.empty(); }

private:
  std::string_view rest_;
};

template<class Unit>
std::string date_time(std::chrono::system_clock::time_point when, int digits) {
  using namespace std::chrono;
  const auto rounded = floor<Unit>(when);
  const auto day = floor<days>(rounded);
  const year_month_day date{day};
  const hh_mm_ss time{rounded - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:0{}}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count(), time.subseconds().count(), digits);
}

} // namespace

std::string rfc3339_utc_ms(std::chrono::system_clock::time_point when) {
  return date_time<std::chrono::milliseconds>(when, 3);
}

std::string rfc3339_utc_us(std::chrono::system_clock::time_point when) {
  return date_time<std::chrono::microseconds>(when, 6);
}

std::string now_utc_ms() { return rfc3339_utc_ms(std::chrono::system_clock::now()); }

bool is_rfc3339(std::string_view text) {
  date_time_reader read{text};
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!(read.number(4, 0, 9999, year) && read.one_of("-") && read.number(2, 1, 12, month) && read.one_of("-") &&
        read.number(2, 1, 31, day) && read.one_of("Tt") && read.number(2, 0, 23, hour) && read.one_of(":") &&
        read.number(2, 0, 59, minute) && read.one_of(":") && read.number(2, 0, 60, second) && read.fraction() &&
        read.offset() && read.at_end()))
    return false;
  using namespace std::chrono;
  return year_month_day{std::chrono::year{year}, std::chrono::month(static_cast<unsigned>(month)),
                        std::chrono::day(static_cast<unsigned>(day))}
      .ok();
}

std::string make_trace_id() {
  std::array<std::uint8_t, 16> bytes{};
  random_bytes(bytes);
  const auto second =
      static_cast<std::uint32_t>(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  for (int i = 0; i < 4; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(second >> (24 - 8 * i));
  bytes[15] |= 1; // all zeros would mean "no trace"
  return hex(bytes);
}

std::chrono::system_clock::time_point time_in_trace_id(std::string_view trace) {
  std::uint32_t second = 0;
  std::from_chars(trace.data(), trace.data() + std::min<std::size_t>(8, trace.size()), second, 16);
  return std::chrono::system_clock::time_point(std::chrono::seconds(second));
}

std::optional<std::string> trace_id_of(std::string_view traceparent) {
  // version "-" trace id "-" parent id "-" flags; a later version may carry more after another dash (W3C, 4.2).
  constexpr std::size_t length = 55;
  if (traceparent.size() < length || traceparent[2] != '-' || traceparent[35] != '-' || traceparent[52] != '-')
    return std::nullopt;
  const auto version = traceparent.substr(0, 2), trace = traceparent.substr(3, 32), parent = traceparent.substr(36, 16),
             flags = traceparent.substr(53, 2);
  for (const auto part : {version, trace, parent, flags})
    if (!std::all_of(part.begin(), part.end(), is_lower_hex)) return std::nullopt;
  const bool extended = traceparent.size() > length;
  if (version == "ff" || (extended && (version == "00" || traceparent[length] != '-'))) return std::nullopt;
  const auto zeros = [](std::string_view part) { return part.find_first_not_of('0') == std::string_view::npos; };
  if (zeros(trace) || zeros(parent)) return std::nullopt;
  return std::string{trace};
}

} // namespace omnium
