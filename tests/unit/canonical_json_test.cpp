// The canonical form against the program that defines it: python3's json.dumps(sort_keys=True, separators=(",", ":")).
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace omnium;
using fault_kind = json::fault::kind;

namespace {

std::optional<std::string> canonical(std::string_view text) {
  auto form = json::canonical(text);
  if (auto* good = std::get_if<std::string>(&form)) return std::move(*good);
  return std::nullopt;
}

json::fault fault_of(std::string_view text) {
  auto form = json::canonical(text);
  if (auto* good = std::get_if<std::string>(&form)) FAIL("accepted: " << *good);
  return std::get<json::fault>(form);
}

// Writes JSON values as odd as the grammar allows. The texts hold no line feed: one line is one text.
class text_maker {
public:
  explicit text_maker(std::uint64_t seed) : random_(seed) {}

  std::string text() { return value(0); }

  // A text with a few bytes changed, taken out or put in.
  std::string broken() {
    auto out = text();
    for (auto i = below(3) + 1; i-- > 0 && !out.empty();) {
      const auto place = below(out.size());
      static constexpr std::string_view pieces = "{}[]\",:\\/u0019-+.eEnaNtrueI \t\x01\x7f\xc3\xa9\xed\xf0\x9f";
      const char piece = pieces[below(pieces.size())];
      switch (below(3)) {
      case 0:
        out[place] = piece;
        break;
      case 1:
        out.erase(place, 1 + below(3));
        break;
      default:
        out.insert(place, 1, piece);
      }
    }
    return out;
  }

private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  std::string space() {
    std::string out;
    while (one_in(4)) out += " \t\r"[below(3)];
    return out;
  }

  std::string value(int depth) {
    const auto kind = below(depth > 5 ? 6 : 9);
    std::string out = space();
    switch (kind) {
    case 0:
      out += integer();
      break;
    case 1:
    case 2:
      out += number();
      break;
    case 3:
    case 4:
      out += string();
      break;
    case 5:
      out += std::array{"true", "false", "null"}[below(3)];
      break;
    case 6:
      out += array(depth);
      break;
    default:
      out += object(depth);
    }
    return out + space();
  }

  std::string digits(std::size_t count) {
    std::string out;
    while (out.size() < count) out += static_cast<char>('0' + below(10));
    return out;
  }

  std::string integer() {
    std::string out = one_in(3) ? "-" : "";
    if (one_in(5)) return out + "0";
    return out + static_cast<char>('1' + below(9)) + digits(below(one_in(20) ? 2000 : 25));
  }

  std::string number() {
    switch (below(4)) {
    case 0: { // any bit pattern: subnormals, extremes, everything between
      double value = 0;
      do {
        const auto bits = random_();
        std::memcpy(&value, &bits, sizeof value);
      } while (!std::isfinite(value));
      return fmt::format("{:.{}e}", value, 17 + below(20));
    }
    case 1: { // powers of two and their doubles: where shortest forms are hardest
      const auto power = std::ldexp(1.0 + static_cast<double>(below(3)), static_cast<int>(below(2046)) - 1060);
      const auto text = fmt::format("{:.17g}", power);
      return text.find('e') == std::string::npos ? text + "e0" : text;
    }
    case 2:
      return integer() + "." + digits(1 + below(30));
    default:
      return integer().substr(0, 20) + (one_in(2) ? "." + digits(1 + below(25)) : "") + exponent();
    }
  }

  std::string exponent() {
    return std::string{"eE"[below(2)]} + std::array{"", "+", "-"}[below(3)] + digits(1 + below(2)) +
           (one_in(9) ? "9" : "");
  }

  // A character as itself, or as an escape in either case of hex.
  std::string character() {
    static constexpr std::array<char32_t, 16> edges{0x7f,   0x80,   0x7ff,   0x800,   0x2028,   0xd7ff, 0xe000, 0xfeff,
                                                    0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff, U'"',   U'\\',  U'/'};
    char32_t c = one_in(2)   ? edges[below(edges.size())]
                 : one_in(4) ? static_cast<char32_t>(1 + below(0x10ffff))
                             : static_cast<char32_t>(0x20 + below(0x60));
    if (c >= 0xd800 && c <= 0xdfff) c = U'x';
    const bool must_escape = c < 0x20 || c == U'"' || c == U'\\';
    if (must_escape || one_in(3)) return escaped(c);
    std::string out;
    append(out, c);
    return out;
  }

  std::string escaped(char32_t c) {
    if (c == U'\n') return "\\n";
    if (c == U'/' && one_in(2)) return "\\/";
    const auto unit = [&](unsigned u) { return one_in(2) ? fmt::format("\\u{:04x}", u) : fmt::format("\\u{:04X}", u); };
    if (c < 0x10000) return unit(c);
    return unit(0xd800 + ((c - 0x10000) >> 10)) + unit(0xdc00 + ((c - 0x10000) & 0x3ff));
  }

  static void append(std::string& out, char32_t c) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) {
      out += static_cast<char>(c);
      return;
    }
    if (c < 0x800) out += static_cast<char>(0xc0 | (c >> 6));
    else if (c < 0x10000) {
      out += static_cast<char>(0xe0 | (c >> 12));
      tail(6);
    } else {
      out += static_cast<char>(0xf0 | (c >> 18));
      tail(12);
      tail(6);
    }
    tail(0);
  }

  std::string string() {
    std::string out{"\""};
    for (auto i = below(8); i-- > 0;) out += character();
    return out + "\"";
  }

  std::string array(int depth) {
    std::string out{"["};
    for (auto i = below(5); i-- > 0;) out += (out.size() > 1 ? "," : "") + value(depth + 1);
    return (out.size() == 1 ? out + space() : out) + "]";
  }

  std::string object(int depth) {
    std::string out{"{"};
    const auto shift = below(7);
    for (auto i = below(7); i-- > 0;) {
      auto key = string();
      key.insert(key.size() - 1, "#" + std::to_string((i * 3 + shift) % 7)); // never the same name twice
      out += (out.size() > 1 ? "," : "") + space() + key + space() + ":" + value(depth + 1);
    }
    return (out.size() == 1 ? out + space() : out) + "}";
  }

  std::mt19937_64 random_;
};

class scratch_folder {
public:
  scratch_folder() {
    auto name = (std::filesystem::temp_directory_path() / "omnium-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) FAIL("no scratch folder");
    path = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

// What Python makes of each text: its canonical form, or "refused". One child for all of them.
std::vector<std::string> python_forms(const std::vector<std::string>& texts) {
  const scratch_folder scratch;
  std::ofstream{scratch.path / "texts", std::ios::binary} << fmt::format("{}\n", fmt::join(texts, "\n"));
  std::ofstream{scratch.path / "forms.py"} << R"(
import json, sys
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
for line in sys.stdin.buffer:
    try:
        print(json.dumps(json.loads(line[:-1].decode("utf-8")), sort_keys=True, separators=(",", ":")))
    except ValueError:
        print("refused")
)";
  const auto folder = scratch.path.string();
  REQUIRE(std::system(fmt::format("python3 {0}/forms.py < {0}/texts > {0}/forms", folder).c_str()) == 0);
  std::vector<std::string> forms;
  std::ifstream read{scratch.path / "forms", std::ios::binary};
  for (std::string line; std::getline(read, line);) forms.push_back(line);
  REQUIRE(forms.size() == texts.size());
  return forms;
}

std::uint64_t fresh_seed() {
  if (const char* given = std::getenv("OMNIUM_TEST_SEED")) return std::strtoull(given, nullptr, 10);
  return std::random_device{}();
}

} // namespace

TEST_CASE("the canonical form is byte for byte what Python prints", "[json]") {
  const auto seed = fresh_seed();
  std::printf("canonical JSON: OMNIUM_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  text_maker make{seed};
  std::vector<std::string> texts;
  for (int i = 0; i < 6000; ++i) texts.push_back(make.text());
  const auto forms = python_forms(texts);
  std::size_t longest = 0, big = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CAPTURE(seed, texts[i], forms[i]);
    if (forms[i].find("Infinity") != std::string::npos) { // a float that overflowed: Python's JSON is none
      REQUIRE(fault_of(texts[i]).what == fault_kind::number);
      continue;
    }
    const auto form = canonical(texts[i]);
    REQUIRE(form);
    REQUIRE(*form == forms[i]);
    REQUIRE(canonical(*form) == form);
    longest = std::max(longest, form->size());
    big += form->find("\\ud8") != std::string::npos;
  }
  REQUIRE(longest > 500);
  REQUIRE(big > 20);
}

TEST_CASE("a damaged text is read as Python reads it, or refused with a reason Python does not ask for", "[json]") {
  const auto seed = fresh_seed();
  std::printf("damaged JSON: OMNIUM_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  text_maker make{seed ^ 0x5eed};
  std::vector<std::string> texts;
  for (int i = 0; i < 6000; ++i) texts.push_back(make.broken());
  const auto forms = python_forms(texts);
  int accepted = 0, refused = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CAPTURE(seed, texts[i], forms[i]);
    const auto form = json::canonical(texts[i]);
    if (const auto* text = std::get_if<std::string>(&form)) {
      REQUIRE(*text == forms[i]);
      ++accepted;
    } else if (forms[i] != "refused") {
      const auto what = std::get<json::fault>(form).what;
      REQUIRE(what != fault_kind::syntax);
      REQUIRE(what != fault_kind::utf8);
    }
    refused += forms[i] == "refused";
  }
  REQUIRE(accepted > 500);
  REQUIRE(refused > 500);
}

TEST_CASE("numbers keep Python's form", "[json]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"-0", "0"},
      {"0", "0"},
      {"-0.0", "-0.0"},
      {"1.0", "1.0"},
      {"1E1", "10.0"},
      {"1e16", "1e+16"},
      {"9999999999999998.0", "9999999999999998.0"},
      {"1e15", "1000000000000000.0"},
      {"0.0001", "0.0001"},
      {"0.00001", "1e-05"},
      {"1e-7", "1e-07"},
      {"1e-400", "0.0"},
      {"-1e-400", "-0.0"},
      {"5e-324", "5e-324"},
      {"1.7976931348623157e308", "1.7976931348623157e+308"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"5.684341886080801e-14", "5.684341886080801e-14"},
      {"9007199254740993.0", "9007199254740992.0"}};
  for (const auto& [text, form] : table) {
    CAPTURE(text);
    REQUIRE(canonical(text) == form);
  }
}

TEST_CASE("members are sorted by code point, not by UTF-16 unit and not by escaped text", "[json]") {
  // U+FFFD before U+1F600, though its surrogate d83d is below fffd; "A" before "\n" in no order but that of code
  // points.
  REQUIRE(canonical("{\"\U0001F600\":1,\"\uFFFD\":2}") == R"({"\ufffd":2,"\ud83d\ude00":1})");
  REQUIRE(canonical(R"({"é":1,"z":2,"\n":3,"A":4,"":5})") == R"({"":5,"\n":3,"A":4,"z":2,"\u00e9":1})");
  REQUIRE(canonical(R"({"b":{"d":1,"c":2},"a":[{"f":1,"e":2}]})") == R"({"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}})");
}

TEST_CASE("what the contract refuses is refused, with its place", "[json]") {
  struct refusal {
    std::string text;
    fault_kind what;
    std::string at;
  };
  const std::vector<refusal> table{{R"({"a":1,"a":1})", fault_kind::duplicate_member, "/a"},
                                   {R"({"a":1,"\u0061":2})", fault_kind::duplicate_member, "/a"},
                                   {R"([0,{"x/y":{"b":1,"c":2,"b":3}}])", fault_kind::duplicate_member, "/1/x~1y/b"},
                                   {R"({"":1,"":2})", fault_kind::duplicate_member, "/"},
                                   {"\"\xff\"", fault_kind::utf8, ""},
                                   {"\"\xc0\xaf\"", fault_kind::utf8, ""},         // overlong
                                   {"\"\xed\xa0\x80\"", fault_kind::utf8, ""},     // a surrogate in UTF-8
                                   {"\"\xf4\x90\x80\x80\"", fault_kind::utf8, ""}, // beyond U+10FFFF
                                   {R"({"a":"\ud800"})", fault_kind::lone_surrogate, "/a"},
                                   {R"({"a":"\udc00"})", fault_kind::lone_surrogate, "/a"},
                                   {R"({"a":"\ud800\ud800"})", fault_kind::lone_surrogate, "/a"},
                                   {R"({"a":"\udc00\udc00"})", fault_kind::lone_surrogate, "/a"},
                                   {R"({"a":"\ud800x"})", fault_kind::lone_surrogate, "/a"},
                                   {R"({"\ud800":1})", fault_kind::lone_surrogate, ""},
                                   {R"(["\u0000"])", fault_kind::nul, "/0"},
                                   {R"({"\u0000":1})", fault_kind::nul, ""},
                                   {std::string("\"\0\"", 3), fault_kind::nul, ""},
                                   {"NaN", fault_kind::number, ""},
                                   {"[-Infinity]", fault_kind::number, "/0"},
                                   {R"({"a":Infinity})", fault_kind::number, "/a"},
                                   {"1e309", fault_kind::number, ""},
                                   {"-1E400", fault_kind::number, ""}};
  for (const auto& [text, what, at] : table) {
    CAPTURE(text);
    const auto fault = fault_of(text);
    REQUIRE(fault.what == what);
    REQUIRE(fault.at == at);
    REQUIRE(fault.message.back() == '.');
  }
}

TEST_CASE("what is no JSON is refused as such", "[json]") {
  for (const std::string text : {"",
                                 " ",
                                 "{",
                                 "}",
                                 "[",
                                 "]",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "{'a':1}",
                                 "{} {}",
                                 "[] x",
                                 "01",
                                 "-",
                                 "-a",
                                 "+1",
                                 ".5",
                                 "1.",
                                 "1.e1",
                                 "1e",
                                 "1e+",
                                 "0x10",
                                 "1_000",
                                 "tru",
                                 "True",
                                 "nul",
                                 "\"",
                                 "\"\\x\"",
                                 "\"\\u12\"",
                                 "\"\\u12g4\"",
                                 "\"\\u-123\"",
                                 "\"\t\"",
                                 "\"\n\"",
                                 "\xef\xbb\xbf{}",
                                 "// c\n1",
                                 "/* c */1",
                                 "\x0b"
                                 "1",
                                 "nan",
                                 "[1]]",
                                 "\"a\"\"b\"",
                                 "\\",
                                 "{\"a\":1 \"b\":2}",
                                 "{1:2}"}) {
    CAPTURE(text);
    REQUIRE(fault_of(text).what == fault_kind::syntax);
  }
  REQUIRE(fault_of(std::string_view{"1\0", 2}).what == fault_kind::syntax);
}

TEST_CASE("nesting is allowed up to the bound and not beyond", "[json]") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  REQUIRE(canonical(nested(limits::json_depth_max)));
  REQUIRE(fault_of(nested(limits::json_depth_max + 1)).what == fault_kind::depth);
  REQUIRE(fault_of(std::string(1'000'000, '[')).what == fault_kind::depth);
  std::string objects;
  for (std::size_t i = 0; i <= limits::json_depth_max; ++i) objects += R"({"a":)";
  REQUIRE(fault_of(objects).what == fault_kind::depth);
}
