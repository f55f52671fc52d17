#include "runtime/road/release_commands.hpp"

#include "runtime/road/games.hpp"

#include <fmt/format.h>

namespace omnium::road {
namespace {

constexpr std::size_t code_bytes_max = 50; // of a sport's code or a version

using change = std::variant<games_change, reason>;

reason unknown_release(std::string_view sport, std::string_view version, const rule_book& rules) {
  const auto trouble = rules.trouble(sport, version);
  auto says = trouble.empty() ? fmt::format("Release {} of {} does not lie on this node's disk.", version, sport)
                              : fmt::format("Release {} of {} cannot be used: {}.", version, sport, trouble);
  return {"unknown_release", std::move(says), "/input/release"};
}

change install(const command& cmd, object input, const rule_book& rules) {
  input_reader in(input);
  in.members({"sport", "release", "code_sha", "approved_by", "replace"});
  auto sport = in.text("sport", code_bytes_max), version = in.text("release", code_bytes_max);
  auto sha = in.has("code_sha") ? in.text("code_sha", 64) : std::string{};
  auto approved_by = in.has("approved_by") ? in.text("approved_by") : cmd.sender;
  bool replace = in.has("replace") && in.flag("replace");
  if (in.why()) return *in.why();
  if (cmd.subject.ref != operations_subject)
    return reason{"wrong_subject",
                  fmt::format("A release is installed for every match: on subject competition/{}.",
                              to_string(operations_subject)),
                  "/subject"};
  auto found = rules.find(sport, version);
  if (!found) return unknown_release(sport, version, rules);
  if (const auto trouble = rules.trouble(sport, version); !trouble.empty())
    return reason{"package_changed", fmt::format("Release {} of {}: {}.", version, sport, trouble), "/input/release"};
  if (!sha.empty() && sha != found->code_sha)
    return reason{"hash_differs",
                  fmt::format("The package on this node's disk has the hash {}, not the one named.", found->code_sha),
                  "/input/code_sha"};
  object_writer out;
  out.text("sport", sport).text("release", version).text("code_sha", found->code_sha).text("approved_by", approved_by);
  out.add("replace", replace ? "true" : "false");
  return games_change{{row_effect::kind::install_release, out.done()}};
}

change set_default(const command& cmd, object input, const rule_book& rules) {
  input_reader in(input);
  in.members({"sport", "release"});
  auto sport = in.text("sport", code_bytes_max);
  bool none = in.is_null("release");
  auto version = none ? std::string{} : in.text("release", code_bytes_max);
  if (in.why()) return *in.why();
  if (!none && !rules.find(sport, version)) return unknown_release(sport, version, rules);
  object_writer out;
  out.text("sport", sport);
  if (!none) out.text("release", version);
  if (cmd.subject.ref != operations_subject) out.text("competition", to_string(cmd.subject.ref));
  return games_change{{row_effect::kind::set_default_release, out.done()}};
}

} // namespace

bool is_release_command(std::string_view code, subject_kind kind) {
  if (kind == subject_kind::fixture) return is_release_move(code);
  return code == "ops.install_release" || code == "ops.set_default_release";
}

change decide_release(const command& cmd, object input, const rule_book& rules) {
  return cmd.code == "ops.install_release" ? install(cmd, input, rules) : set_default(cmd, input, rules);
}

std::variant<release_facts, reason> decide_move(const command& cmd, std::string_view sport, std::string_view release,
                                                const rule_book& rules) {
  simdjson::dom::parser parser;
  object input;
  if (parser.parse(cmd.input).get(input))
    return reason{"bad_input", "The input holds a number that is too large.", "/input"};
  input_reader in(input);
  in.members({"release", "reason"});
  auto version = in.text("release", code_bytes_max);
  if (in.has("reason")) in.text("reason");
  if (in.why()) return *in.why();
  if (version == release)
    return reason{"same_release", fmt::format("This match is on release {} already.", release), "/input/release"};
  auto found = rules.find(sport, version);
  if (!found) return unknown_release(sport, version, rules);
  return *found;
}

std::string move_data(std::string_view sport, const release_facts& to, const std::string& scoreboard,
                      const std::string& status) {
  object_writer out;
  out.text("sport", sport).text("release", to.version).text("code_sha", to.code_sha);
  out.text("scoreboard", scoreboard).text("status", status);
  return out.done();
}

} // namespace omnium::road
