#include "runtime/sport/rules.hpp"

#include "runtime/core/json.hpp"
#include "runtime/road/games.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <simdjson.h>

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

// The properties of an object's schema.
std::vector<std::string> names_in(const std::string& schema) {
  std::vector<std::string> out;
  simdjson::dom::parser parser;
  simdjson::dom::object properties;
  if (parser.parse(schema)["properties"].get(properties)) return out;
  for (auto [name, value] : properties) out.emplace_back(name);
  return out;
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

void rules::take(const catalogue& what) {
  auto made = std::make_unique<table>();
  for (const auto& r : what.releases) {
    known entry{{r.version, r.code_sha}, {}, names_in(r.settings_schema)};
    for (const auto& c : r.commands) entry.plays.emplace(c.code, c.play);
    made->sports[r.sport].emplace(r.version, std::move(entry));
  }
  made->faults = what.faults;
  std::lock_guard lock(guard_);
  now_.store(made.get(), std::memory_order_release);
  tables_.push_back(std::move(made));
}

void rules::set_defaults(std::vector<release_default> defaults) {
  std::lock_guard lock(guard_);
  defaults_ = std::move(defaults);
}

const rules::known* rules::look_up(std::string_view sport, std::string_view version) const {
  const auto& sports = now_.load(std::memory_order_acquire)->sports;
  auto s = sports.find(sport);
  if (s == sports.end()) return nullptr;
  auto r = s->second.find(version);
  return r == s->second.end() ? nullptr : &r->second;
}

std::optional<road::release_facts> rules::find(std::string_view sport, std::string_view version) const {
  const auto* here = look_up(sport, version);
  if (here == nullptr) return std::nullopt;
  return here->facts;
}

std::string rules::trouble(std::string_view sport, std::string_view version) const {
  for (const auto& one : now_.load(std::memory_order_acquire)->faults)
    if (one.sport == sport && one.version == version) return one.why;
  return {};
}

std::optional<road::release_facts> rules::default_release(std::string_view sport, const uuid& competition) const {
  const auto& sports = now_.load(std::memory_order_acquire)->sports;
  auto s = sports.find(sport);
  if (s == sports.end() || s->second.empty()) return std::nullopt;
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

std::vector<std::string> rules::setting_names(std::string_view sport, std::string_view version) const {
  const auto* here = look_up(sport, version);
  return here == nullptr ? std::vector<std::string>{} : here->settings;
}

std::optional<bool> rules::is_play(std::string_view sport, std::string_view version, std::string_view code) const {
  const auto* here = look_up(sport, version);
  if (here == nullptr) return std::nullopt;
  auto c = here->plays.find(code);
  if (c == here->plays.end()) return std::nullopt;
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
