#include "apps/omnium/caretakers.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace omnium::apps {
namespace {

upkeep::route_settings routes_of(const ops::settings& settings) {
  upkeep::route_settings out;
  out.webhook_url = settings.alerts.webhook_url;
  out.webhook_secret = settings.alerts.webhook_secret;
  out.slack_url = settings.alerts.slack_url;
  const auto& alerts = settings.alerts;
  out.mail = {alerts.mail_server, alerts.mail_from,     alerts.mail_to,
              alerts.mail_user,   alerts.mail_password, upkeep::parse_mail_security(alerts.mail_tls)};
  out.ca_file = settings.alerts.tls_ca;
  return out;
}

} // namespace

std::string node_name() {
  char host[256] = "node";
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}/{}", host, ::getpid());
}

caretakers::caretakers(const ops::settings& settings, const std::string& url, const std::string& role,
                       ops::metrics& metrics)
    : node_(node_name()), signals_(pg::with_limits(url, upkeep::upkeep_limits, role), node_) {
  using kind = ops::beat_board::kind;
  auto raise_it = [this](const std::string& rule, const std::string& key, const std::string& detail) {
    signals_.raise(rule, key, detail);
  };
  upkeep::janitor_options sweep;
  sweep.where = pg::with_limits(url, upkeep::janitor_limits, role);
  sweep.keep_days = settings.retention.days;
  sweep.pass_every = std::chrono::minutes(settings.retention.pass_minutes);
  auto sweeping = metrics.beats.add("janitor", kind::turning, limits::janitor_silent_after);
  auto rows = metrics.registry.make_counter("omnium_janitor_rows_total", "Old rows deleted by this node.");
  janitor_ = std::make_unique<upkeep::janitor>(sweep, raise_it, [sweeping, rows](std::uint64_t gone) {
    gone > 0 ? sweeping.progress(gone) : sweeping.turn();
    rows.add(static_cast<double>(gone));
  });

  upkeep::alerts_options tell;
  tell.where = pg::with_limits(url, upkeep::upkeep_limits, role);
  tell.routes = upkeep::make_routes(routes_of(settings));
  auto folding = metrics.beats.add("alert service", kind::turning, limits::alert_silent_after);
  auto signals = metrics.registry.make_counter("omnium_alert_signals_total", "Signals folded by this node.");
  alerts_ = std::make_unique<upkeep::alert_service>(tell, [folding, signals](std::uint64_t folded) {
    folded > 0 ? folding.progress(folded) : folding.turn();
    signals.add(static_cast<double>(folded));
  });

  upkeep::watch_options look;
  look.where = pg::with_limits(url, upkeep::upkeep_limits, role);
  look.node = node_;
  look.data_dir = settings.data.dir;
  watch_ = std::make_unique<upkeep::watch>(look, metrics, raise_it);
}

void caretakers::begin_stop() {
  alerts_->begin_stop();
  janitor_.reset();
}

} // namespace omnium::apps
