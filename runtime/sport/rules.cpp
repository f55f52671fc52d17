#include "runtime/sport/rules.hpp"

#include "runtime/core/json.hpp"
#include "runtime/road/games.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace omnium::sport {
namespace {

std::string commands_json(const release& what) {
  std::string out = "[";
  for (const auto& c : what.commands)
    out += fmt::format(R"({}{{"code":{},"label":{},"play":{},"key":{},"schema":{}}})", out.size() > 1 ? "," : "",
                       json::quoted(c.code), json::quoted(c.label), c.play,
                       c.key_hint.empty() ? "null" : json::quoted(c.key_hint), c.schema.empty() ? "{}" : c.schema);
  return out + "]";
}

// One release a sport, the one a new match would get.
std::vector<const release*> default_releases(const catalogue& what, const rules& book) {
  std::vector<const release*> out;
  for (const auto& r : what.releases) {
    auto chosen = book.default_release(r.sport, {});
    if (chosen && chosen->version == r.version) out.push_back(&r);
  }
  return out;
}

} // namespace

bool version_less(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    auto cut = [](std::string_view& text) {
      auto part = text.substr(0, text.find('.'));
      text.remove_prefix(std::min(text.size(), part.size() + 1));
      long number = 0;
      std::from_chars(part.data(), part.data() + part.size(), number);
      return number;
    };
    auto x = cut(a), y = cut(b);
    if (x != y) return x < y;
  }
  return false;
}

rules::rules(const catalogue& what) {
  for (const auto& r : what.releases) {
    known entry{{r.version, r.code_sha}, {}};
    for (const auto& c : r.commands) entry.plays.emplace(c.code, c.play);
    sports_[r.sport].emplace(r.version, std::move(entry));
  }
}

void rules::set_defaults(std::vector<release_default> defaults) {
  std::lock_guard lock(guard_);
  defaults_ = std::move(defaults);
}

std::optional<road::release_facts> rules::find(std::string_view sport, std::string_view version) const {
  auto s = sports_.find(sport);
  if (s == sports_.end()) return std::nullopt;
  auto r = s->second.find(version);
  if (r == s->second.end()) return std::nullopt;
  return r->second.facts;
}

std::optional<road::release_facts> rules::default_release(std::string_view sport, const uuid& competition) const {
  auto s = sports_.find(sport);
  if (s == sports_.end() || s->second.empty()) return std::nullopt;
  std::string chosen;
  {
    std::lock_guard lock(guard_);
    for (const auto& d : defaults_) {
      if (d.sport != sport || (d.competition && *d.competition != competition)) continue;
      if (chosen.empty() || d.competition) chosen = d.version;
    }
  }
  if (!chosen.empty())
    if (auto here = find(sport, chosen)) return here; // else the node falls back to what it has
  auto newest = std::max_element(s->second.begin(), s->second.end(),
                                 [](const auto& a, const auto& b) { return version_less(a.first, b.first); });
  return newest->second.facts;
}

std::optional<bool> rules::is_play(std::string_view sport, std::string_view version, std::string_view code) const {
  auto s = sports_.find(sport);
  if (s == sports_.end()) return std::nullopt;
  auto r = s->second.find(version);
  if (r == s->second.end()) return std::nullopt;
  auto c = r->second.plays.find(code);
  if (c == r->second.plays.end()) return std::nullopt;
  return c->second;
}

std::string sports_json(const catalogue& what, const rules& book) {
  std::string out = "[";
  for (const auto* chosen : default_releases(what, book)) {
    std::string releases;
    for (const auto& r : what.releases)
      if (r.sport == chosen->sport)
        releases += fmt::format(R"({}{{"version":{},"code_sha":{},"settings":{},"commands":{}}})",
                                releases.empty() ? "" : ",", json::quoted(r.version), json::quoted(r.code_sha),
                                r.settings_schema.empty() ? "{}" : r.settings_schema, commands_json(r));
    out += fmt::format(R"({}{{"sport":{},"label":{},"default":{},"commands":{},"releases":[{}]}})",
                       out.size() > 1 ? "," : "", json::quoted(chosen->sport), json::quoted(chosen->label),
                       json::quoted(chosen->version), commands_json(*chosen), releases);
  }
  return out + "]";
}

std::string workflows_json(const catalogue& what, const rules& book) {
  auto out = road::games_workflow_json();
  out.pop_back();
  for (const auto* chosen : default_releases(what, book))
    out += fmt::format(R"(,{{"workflow":{},"commands":{}}})", json::quoted(chosen->sport), commands_json(*chosen));
  return out + "]";
}

} // namespace omnium::sport
