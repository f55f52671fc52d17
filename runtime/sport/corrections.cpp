// The commands that change how earlier rows read. The runtime decides them (runtime/road/correction.cpp); they are
// listed with every sport's commands, so that a client finds them where it finds the rest. Source: sports.md
// (corrections).
#include "runtime/sport/corrections.hpp"

namespace omnium::sport {
namespace {

constexpr const char* seq = R"({"type":"integer","minimum":1})";
constexpr const char* reason = R"({"type":"string","minLength":1,"maxLength":500})";
constexpr const char* flags =
    R"("cascade":{"type":"boolean","description":"Void the later events that this makes impossible."},)"
    R"("umpire":{"type":"string","minLength":1,"maxLength":500})";

std::string object(std::string properties, const char* required) {
  return R"({"type":"object","properties":{)" + std::move(properties) + "," + flags + R"(},"required":[)" + required +
         R"(],"additionalProperties":false})";
}

std::string member(const char* name, const std::string& schema) { return "\"" + std::string(name) + "\":" + schema; }

} // namespace

std::vector<command_info> correction_commands() {
  const std::string any_object = R"({"type":"object"})", text = R"({"type":"string","minLength":1})";
  const auto why = member("reason", reason);
  return {
      {"match.void", "Undo or void an event", "", object(member("seq", seq) + "," + why, R"("seq")"), true},
      {"match.amend", "Amend an event", "",
       object(member("seq", seq) + "," + member("input", any_object) + "," + why, R"("seq","input")"), true},
      {"match.insert", "Insert a missed event", "",
       object(member("before", seq) + "," + member("code", text) + "," + member("input", any_object) + "," + why,
              R"("before","code","input")"),
       true},
      {"match.cancel_range", "Cancel a range of events", "",
       object(member("from", seq) + "," + member("to", seq) + "," + member("side", R"({"enum":["home","away"]})") +
                  "," + why,
              R"("from","to","reason")"),
       true},
  };
}

} // namespace omnium::sport
