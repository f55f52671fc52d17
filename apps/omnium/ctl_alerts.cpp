#include "apps/omnium/ctl_alerts.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace omnium::apps {

void declare_alerts(CLI::App& app, alert_words& into) {
  auto* alerts = app.add_subcommand("alerts", "what is wrong, and what was");
  alerts->require_subcommand(1);
  alerts->fallthrough();
  alerts->add_subcommand("list", "open alerts, then the newest closed")->callback([&into] { into.verb = "list"; });
  auto* ack = alerts->add_subcommand("ack", "somebody looks after it: no more messages while it is open");
  const std::string whose = "who says so, where the token may name another (an admin's may); else the token's own name";
  ack->add_option("id", into.id, "of the alert")->required()->check(CLI::PositiveNumber);
  ack->add_option("--who", into.who, whose);
  ack->callback([&into] { into.verb = "ack"; });
  auto* silence = alerts->add_subcommand("silence", "no messages of a rule for a while; 0 minutes ends it");
  silence->add_option("rule", into.rule, "the rule")->required();
  silence->add_option("key", into.key, "what it is about; without: everything of the rule");
  silence->add_option("--minutes", into.minutes, "how long, at most a week")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, limits::silence_minutes_max));
  silence->add_option("--who", into.who, whose);
  silence->callback([&into] { into.verb = "silence"; });
}

alert_request request_of(const alert_words& words) {
  auto who = words.who.empty() ? std::string() : ",\"who\":" + json::quoted(words.who);
  if (words.verb == "ack")
    return {"POST", "/ops/alerts/ack", fmt::format(R"({{"id":{}{}}})", words.id, who), words.who};
  if (words.verb == "silence")
    return {"POST", "/ops/alerts/silence",
            fmt::format(R"({{"rule":{},"key":{},"minutes":{}{}}})", json::quoted(words.rule), json::quoted(words.key),
                        words.minutes, who),
            words.who};
  return {"GET", "/ops/alerts", "", ""};
}

} // namespace omnium::apps
