#include "sports/cricket/types.hpp"

#include <cmath>

namespace omnium::cricket {

verdict whole_overs(const std::optional<over_count>& told, std::int64_t balls_per_over, std::string_view member) {
  if (!told || told->balls < balls_per_over) return sdk::accept();
  return sdk::refuse("bad_input", "An over has " + std::to_string(balls_per_over) +
                                      " balls: behind the point of a number of overs stand 0 to " +
                                      std::to_string(balls_per_over - 1) + " of them.")
      .law("Law 17.1")
      .at(member);
}

} // namespace omnium::cricket

namespace omnium::sdk {

using cricket::fielder;
using cricket::over_count;

// 26.1 is read as 26 overs and 1 ball. The tenths carry the balls, so an over of ten or more balls has no short form
// for its later ones.
bool codec<over_count>::read(const value& from, over_count& out, const rules& rule, reader& in) {
  double number = 0;
  const double tenths = from.get(number) ? std::round(number * 10) : -1;
  const auto most = in.constrained() ? rule.max : cricket::overs_max * 10;
  if (tenths < 0 || std::fabs(number * 10 - tenths) > 1e-6 || tenths > static_cast<double>(most) * 10)
    return in.fail(in.place() + " must be a number of overs like 20 or 26.1, up to " + std::to_string(most) + ".");
  const auto whole_tenths = static_cast<std::int64_t>(tenths);
  out = {whole_tenths / 10, whole_tenths % 10};
  return true;
}

void codec<over_count>::write(const over_count& what, std::string& out) {
  append_integer(out, what.overs);
  if (what.balls == 0) return;
  out += '.';
  append_integer(out, what.balls);
}

void codec<over_count>::schema(const rules& rule, std::string& out) {
  out += R"("type":"number","minimum":0,"maximum":)" + std::to_string(rule.max);
}

namespace {
constexpr rules name_rules{.length_min = 1, .length_max = cricket::name_chars_max};
}

bool codec<fielder>::read(const value& from, fielder& out, const rules&, reader& in) {
  if (from.type() == value::kind::string) return read_string(from, out.name, name_rules, in);
  if (from.type() != value::kind::object) return in.fail(in.place() + " must be a name or {\"name\",\"substitute\"}.");
  value member;
  std::string_view name;
  for (member_cursor all(from); all.next(name, member);) {
    in.enter(name);
    const bool known = name == "name" || name == "substitute";
    if (!known) return in.fail("A fielder has name and substitute, nothing else.");
    const bool read = name == "name" ? read_string(member, out.name, name_rules, in)
                                     : codec<bool>::read(member, out.substitute, {}, in);
    if (!read) return false;
    in.leave();
  }
  return !out.name.empty() || out.substitute || in.fail("A fielder without a name must be a substitute.");
}

void codec<fielder>::write(const fielder& what, std::string& out) {
  if (!what.substitute) return append_string(out, what.name);
  out += R"({"name":)";
  append_string(out, what.name);
  out += R"(,"substitute":true})";
}

void codec<fielder>::schema(const rules&, std::string& out) {
  out += R"("anyOf":[{)";
  schema_of_string(out, name_rules);
  out += R"(},{"type":"object","properties":{"name":{)";
  schema_of_string(out, name_rules);
  out += R"(},"substitute":{"type":"boolean"}},"additionalProperties":false}])";
}

} // namespace omnium::sdk
