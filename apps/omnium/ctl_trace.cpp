#include "apps/omnium/ctl_trace.hpp"

#include "runtime/core/limits.hpp"
#include "runtime/core/uuid.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

namespace omnium::apps {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::pair<const char*, const char*> step_names[] = {
    {"received", "received"}, {"decided", "decided"},           {"committed", "committed"},
    {"answered", "answered"}, {"read", "read from the outbox"}, {"sent", "sent"}};

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const unsigned char c : text)
    if (std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~') out += static_cast<char>(c);
    else out += fmt::format("%{:02X}", c);
  return out;
}

std::string_view text_of(object from, std::string_view name) {
  std::string_view out;
  return from[name].get(out) ? std::string_view("-") : out;
}

void print_step(object step, const char* name, const std::string& note) {
  std::string_view at;
  double ms = 0;
  if (step["at"].get(at) || step["ms"].get(ms)) return fmt::print("  {:<20}  -\n", name);
  fmt::print("  {:<20}  {}  {:+.3f} ms{}\n", name, at, ms, note);
}

void print_command(object item) {
  object subject;
  std::int64_t seq = 0, watchers = 0;
  if (item["subject"].get(subject)) return;
  bool row = !item["seq"].get(seq);
  fmt::print("{}  {}  {}/{}{}\n", text_of(item, "code"), text_of(item, "outcome"), text_of(subject, "kind"),
             text_of(subject, "ref"), row ? fmt::format("  seq {}", seq) : "");
  fmt::print("  {:<20}  {}\n  {:<20}  {}\n", "key", text_of(item, "key"), "trace", text_of(item, "trace"));
  if (std::string_view why; !item["reason"].get(why)) fmt::print("  {:<20}  {}\n", "reason", why);
  std::string to = item["watchers"].get(watchers) ? "" : fmt::format("  to {} watching", watchers);
  array steps;
  if (item["steps"].get(steps)) return;
  for (object step : steps)
    for (const auto& [code, name] : step_names)
      if (text_of(step, "step") == code) print_step(step, name, std::string_view(code) == "sent" ? to : "");
  bool remembered = true;
  if (!item["remembered"].get(remembered) && !remembered)
    fmt::print("  (from its rows: this node no longer remembers its way, or never had it)\n");
}

} // namespace

void declare_trace(CLI::App& app, trace_words& into) {
  auto* trace =
      app.add_subcommand("trace", "the way of a command: received, decided, committed, read from the outbox, sent");
  trace->fallthrough();
  auto* id = trace->add_option("id", into.id, "trace id, as answers and changes carry it");
  auto* key = trace->add_option("--key", into.key, "the command's key instead");
  trace->add_option("--hours", into.hours, "how far back rows are looked for")
      ->check(CLI::Range(1, limits::trace_hours_max));
  auto* match = trace->add_option("--match", into.match, "the newest commands of a match instead, at most 200");
  match->check([](const std::string& text) {
    return parse_uuid(text) ? std::string() : std::string("must be the id of a match (a UUID)");
  });
  id->excludes(key)->excludes(match);
  match->excludes(key)->excludes("--hours");
}

std::string trace_target(const trace_words& words) {
  if (!words.match.empty()) return "/ops/trace?match=" + percent_encoded(words.match);
  auto target =
      words.key.empty() ? "/ops/trace/" + percent_encoded(words.id) : "/ops/trace?key=" + percent_encoded(words.key);
  if (words.hours > 0) target += fmt::format("{}hours={}", words.key.empty() ? "?" : "&", words.hours);
  return target;
}

void print_trace(element root) {
  array items;
  if (root["items"].get(items)) return;
  for (object item : items) print_command(item);
  if (bool rows = true; !root["rows"].get(rows) && !rows)
    fmt::print("(the database is not available: only what this node remembers)\n");
}

} // namespace omnium::apps
