#include "runtime/access/access.hpp"

#include <algorithm>
#include <array>

namespace omnium::access {
namespace {

constexpr std::array<std::string_view, 5> role_names = {"viewer", "scorer", "integrator", "operator", "admin"};

// By action, in the enum's order; the table of the header.
constexpr std::array<role, 7> least_roles = {role::viewer,     role::viewer,    role::viewer, role::scorer,
                                             role::integrator, role::operator_, role::admin};

bool names(const std::vector<uuid>& list, const uuid& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

verdict decide_limits(const token& who, const subject_ref& about, const std::optional<uuid>& competition) {
  auto inside = [](bool yes) { return yes ? verdict::yes : verdict::outside; };
  if (about.kind == subject_kind::competition) return inside(names(who.competitions, about.ref));
  if (names(who.fixtures, about.ref)) return verdict::yes;
  if (who.competitions.empty()) return verdict::outside;
  return competition ? inside(names(who.competitions, *competition)) : verdict::ask_competition;
}

// The path's segment after `before`, or nothing.
std::optional<std::string_view> segment_after(std::string_view path, std::string_view before) {
  if (!path.starts_with(before)) return std::nullopt;
  path.remove_prefix(before.size());
  return path.substr(0, path.find('/'));
}

bool below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

} // namespace

std::string_view to_string(role what) { return role_names[static_cast<std::size_t>(what)]; }

std::optional<role> parse_role(std::string_view text) {
  auto found = std::find(role_names.begin(), role_names.end(), text);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<role>(found - role_names.begin());
}

role least_role(action what) { return least_roles[static_cast<std::size_t>(what)]; }

verdict decide(const token& who, const question& asked, const std::optional<uuid>& competition) {
  if (who.is < least_role(asked.what)) return verdict::role_too_low;
  if (!who.limited()) return verdict::yes;
  switch (asked.what) {
  case action::look_up:
  case action::list:
    return verdict::yes;
  case action::read:
  case action::command:
  case action::create:
    return asked.about ? decide_limits(who, *asked.about, competition) : verdict::yes;
  case action::operate:
  case action::administer:
    return verdict::outside;
  }
  return verdict::outside;
}

std::optional<question> question_of_read(std::string_view path) {
  if (below(path, "/readyz")) return std::nullopt;
  if (below(path, "/ops/tokens")) return question{action::administer, std::nullopt};
  if (below(path, "/ops")) return question{action::operate, std::nullopt};
  if (path == "/fixtures" || path == "/competitions") return question{action::list, std::nullopt};
  // An id that is none leads to 404 for everybody: there is nothing to keep from anybody.
  if (auto id = segment_after(path, "/fixtures/")) {
    auto ref = parse_uuid(*id);
    return question{action::read, ref ? std::optional(subject_ref{subject_kind::fixture, *ref}) : std::nullopt};
  }
  if (auto id = segment_after(path, "/competitions/")) {
    auto ref = parse_uuid(*id);
    return question{action::read, ref ? std::optional(subject_ref{subject_kind::competition, *ref}) : std::nullopt};
  }
  return question{action::look_up, std::nullopt};
}

question question_of_act(std::string_view path) {
  return {below(path, "/ops/tokens") ? action::administer : action::operate, std::nullopt};
}

question question_of_command(const subject_ref& subject, std::string_view code) {
  if (code.starts_with("ops.") || code == "results.set_release" || code == "match.rebuild")
    return {action::operate, std::nullopt};
  return {subject.kind == subject_kind::competition ? action::create : action::command, subject};
}

std::string sentence_of(verdict what, const token& who, action asked) {
  if (what == verdict::role_too_low) {
    return "This needs a token of the role " + std::string(to_string(least_role(asked))) + " or higher; this one is " +
           std::string(to_string(who.is)) + ".";
  }
  return "This token is limited to other competitions or matches.";
}

const std::string& sender_of(const token& who, const std::string& named) {
  return who.may_name_sender ? named : who.name;
}

std::string fault_of(const token& wanted) {
  bool plain =
      std::all_of(wanted.name.begin(), wanted.name.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F; });
  if (wanted.name.empty() || wanted.name.size() > name_chars_max || !plain)
    return "A token needs a name of 1 to 100 characters.";
  if (wanted.competitions.size() + wanted.fixtures.size() > limits_len_max)
    return "A token names at most 200 competitions and matches.";
  if (wanted.limited() && wanted.is >= role::operator_)
    return "An operator or admin cannot be limited to competitions or matches.";
  return {};
}

} // namespace omnium::access
