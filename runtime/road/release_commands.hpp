#pragma once
// The commands that say which release of a sport a match is folded with. Pure. Source: P6, P7, issue 3.
//   ops.install_release      an operator approves a release that lies on the disk; subject: operations_subject
//   ops.set_default_release  the release new matches get: of a sport everywhere (subject: operations_subject) or in one
//                            competition (its own subject; the narrower wins); "release": null takes it away again
//   results.set_release      moves one match to another release, if its whole log folds on it; subject: the match
#include "runtime/road/input_reader.hpp"
#include "runtime/road/subject_ports.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace omnium::road {

struct games_change;

// The subject of what concerns every match: a competition that no list shows. Its row is made by its first command.
inline constexpr uuid operations_subject{{0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 'o', 'p', 's'}};

bool is_release_command(std::string_view code, subject_kind kind);
inline bool is_release_move(std::string_view code) { return code == "results.set_release"; }

// Decides ops.install_release and ops.set_default_release. Refusals: bad_input, wrong_subject, unknown_release,
// package_changed, hash_differs; what only the database knows (release_changed, not_installed) comes back from the
// commit.
std::variant<games_change, reason> decide_release(const command& cmd, object input, const rule_book& rules);

// The release a match is to move to. Refusals: bad_input, unknown_release, same_release.
std::variant<release_facts, reason> decide_move(const command& cmd, std::string_view sport, std::string_view release,
                                                const rule_book& rules);
// The data of its effect: the release, and what the match shows once folded on it.
std::string move_data(std::string_view sport, const release_facts& to, const std::string& scoreboard,
                      const std::string& status);

// The workflows of these commands, to follow another in the array of GET /workflows.
inline constexpr std::string_view release_workflows = R"(,{"workflow":"ops","commands":[
{"code":"ops.install_release","label":"Approve a release","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["sport","release"],"properties":{"sport":{"type":"string","minLength":1,"maxLength":50},"release":{"type":"string","minLength":1,"maxLength":50},"code_sha":{"type":"string","pattern":"^[0-9a-f]{64}$"},"approved_by":{"type":"string","minLength":1,"maxLength":200},"replace":{"type":"boolean"}}}},
{"code":"ops.set_default_release","label":"Set the default release","kind":"competition","play":false,"schema":{"type":"object","additionalProperties":false,"required":["sport","release"],"properties":{"sport":{"type":"string","minLength":1,"maxLength":50},"release":{"type":["string","null"],"minLength":1,"maxLength":50}}}}]},{"workflow":"results","commands":[
{"code":"results.set_release","label":"Move to another release","kind":"fixture","play":true,"schema":{"type":"object","additionalProperties":false,"required":["release"],"properties":{"release":{"type":"string","minLength":1,"maxLength":50},"reason":{"type":"string","minLength":1,"maxLength":200}}}},
{"code":"match.rebuild","label":"Write the scoreboard anew from the log","kind":"fixture","play":false,"schema":{"type":"object","additionalProperties":false,"properties":{"seq":{"type":"integer","minimum":0},"reason":{"type":"string","minLength":1,"maxLength":200}}}}]})";

} // namespace omnium::road
