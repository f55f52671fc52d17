// The list of all options: the one place an option is declared.
#include "runtime/ops/config.hpp"

#include <utility>

namespace omnium::ops {
namespace {

template<auto Section, auto Key>
option_slot slot_of(settings& in) {
  return &((in.*Section).*Key);
}

using slot_fn = option_slot (*)(settings&);

option text(std::string_view name, std::string_view sentence, std::string_view fallback, slot_fn slot) {
  return {name, sentence, {}, fallback, 0, 0, {}, when_changed::restart, secrecy::open, slot};
}
option flag(std::string_view name, std::string_view sentence, std::string_view fallback, slot_fn slot) {
  return text(name, sentence, fallback, slot);
}
option number(std::string_view name, std::string_view sentence, std::string_view unit, std::string_view fallback,
              std::int64_t low, std::int64_t high, slot_fn slot) {
  return {name, sentence, unit, fallback, low, high, {}, when_changed::restart, secrecy::open, slot};
}
option reloads(option what) { return what.needs = when_changed::reload, what; }
option shown(secrecy how, option what) { return what.shown = how, what; }
option among(std::vector<std::string_view> words, option what) { return what.one_of = std::move(words), what; }

std::vector<option> make_list() {
  using s = settings;
  using http = decltype(s::http);
  using auth = decltype(s::auth);
  using limits = decltype(s::limits);
  using live = decltype(s::live);
  using data = decltype(s::data);
  using database = decltype(s::database);
  using sports = decltype(s::sports);
  using actors = decltype(s::actors);
  using retention = decltype(s::retention);
  using verifier = decltype(s::verifier);
  using alerts = decltype(s::alerts);
  using log = decltype(s::log);
  return {
      text("http.listen", "Address to listen on.", "127.0.0.1", slot_of<&s::http, &http::listen>),
      number("http.port", "Port to listen on; 0 takes a free one.", "", "8400", 0, 65535,
             slot_of<&s::http, &http::port>),
      text("http.allowed_origins",
           "Web origins (scheme://host:port, exact) that may open the live socket and send commands from a browser. "
           "Empty: the server's own address on this machine.",
           "", slot_of<&s::http, &http::allowed_origins>),
      text("http.static_dir", "Folder served at /. Empty: a plain status page.", "",
           slot_of<&s::http, &http::static_dir>),
      number("http.connections_max", "Connections open at once; one more is answered 503 and closed.", "connections",
             "16384", 1, 1'000'000, slot_of<&s::http, &http::connections_max>),
      number("http.header_deadline_ms", "Time a client has to send a request's header, from its first byte.", "ms",
             "10000", 10, 600'000, slot_of<&s::http, &http::header_deadline_ms>),
      number("http.body_deadline_ms", "Time a client has to send a request's body, from the end of its header.", "ms",
             "10000", 10, 600'000, slot_of<&s::http, &http::body_deadline_ms>),
      number("http.idle_timeout_ms", "Time a connection may stay open between two requests.", "ms", "75000", 10,
             3'600'000, slot_of<&s::http, &http::idle_timeout_ms>),
      flag("http.behind_proxy",
           "A reverse proxy stands in front: it ends TLS, and the address it writes last into X-Forwarded-For is the "
           "caller's. Lets the server listen beyond loopback without TLS of its own.",
           "false", slot_of<&s::http, &http::behind_proxy>),
      text("http.tls_certificate",
           "File with the certificate chain (PEM). With http.tls_key: only HTTPS is spoken. Both files are read again "
           "on "
           "SIGHUP.",
           "", slot_of<&s::http, &http::tls_certificate>),
      text("http.tls_key", "File with the certificate's private key (PEM).", "", slot_of<&s::http, &http::tls_key>),
      flag("auth.required",
           "Ask for a token. False lets everybody do everything, and only while listening on loopback.", "true",
           slot_of<&s::auth, &auth::required>),
      reloads(number("limits.requests_per_s",
                     "Requests one token, and one address, may send; 0: no bound. Beyond: 429, for a command try_again "
                     "overloaded. "
                     "The default is above what one server can do: it stops a runaway, not a load test.",
                     "1/s", "50000", 0, 10'000'000, slot_of<&s::limits, &limits::requests_per_s>)),
      reloads(number("limits.requests_burst", "Requests a quiet token or address may send at once on top.", "requests",
                     "100000", 1, 10'000'000, slot_of<&s::limits, &limits::requests_burst>)),
      reloads(number("limits.bytes_per_s",
                     "Bytes of requests and answers of one token, and of one address; 0: no bound. Beyond: as above.",
                     "bytes/s", "268435456", 0, 1'000'000'000'000, slot_of<&s::limits, &limits::bytes_per_s>)),
      reloads(number(
          "limits.connections_per_address",
          "Connections open at once from one address; 0: no bound. One more is answered 429 and closed. Not counted "
          "behind a proxy.",
          "connections", "16384", 0, 1'000'000, slot_of<&s::limits, &limits::connections_per_address>)),
      reloads(number("limits.live_sockets_per_token",
                     "Live sockets open at once with one token; 0: no bound. One more is told bye too_many_sockets.",
                     "sockets", "16384", 0, 1'000'000, slot_of<&s::limits, &limits::live_sockets_per_token>)),
      number("live.beat_ms", "Time between two beats on a live socket; two unanswered pings close it.", "ms", "5000",
             100, 60'000, slot_of<&s::live, &live::beat_ms>),
      number("live.poll_ms", "Time after which the outbox is read even when no doorbell rang.", "ms", "250", 10, 60'000,
             slot_of<&s::live, &live::poll_ms>),
      flag("live.compression", "Offer permessage-deflate on live sockets; costs memory for each socket.", "false",
           slot_of<&s::live, &live::compression>),
      text("data.dir", "Folder for the embedded database, sockets and snapshots.", ".omnium",
           slot_of<&s::data, &data::dir>),
      shown(secrecy::url,
            text("database.url", "Postgres to use, as a connection URI. Empty: an embedded cluster in data.dir.", "",
                 slot_of<&s::database, &database::url>)),
      number("database.command_connections", "Connections, and threads, that write commands.", "connections", "6", 1,
             64, slot_of<&s::database, &database::command_connections>),
      number("database.read_connections", "Connections, and threads, that serve reads.", "connections", "3", 1, 64,
             slot_of<&s::database, &database::read_connections>),
      number("database.load_connections", "Connections, and threads, that read matches and look for keys.",
             "connections", "2", 1, 64, slot_of<&s::database, &database::load_connections>),
      text("sports.dir", "Folder of sport packages, <sport>/<version>/. Empty: the one beside the program.", "",
           slot_of<&s::sports, &sports::dir>),
      number("sports.workers", "Worker processes kept for each sport release in use.", "processes", "2", 1, 64,
             slot_of<&s::sports, &sports::workers>),
      number("sports.ball_wall_clock_ms", "Time a worker may take for one ball before it is killed.", "ms", "500", 10,
             10'000, slot_of<&s::sports, &sports::ball_wall_clock_ms>),
      number("actors.threads", "Threads that run the actors.", "threads", "2", 1, 64,
             slot_of<&s::actors, &actors::threads>),
      number("retention.days",
             "Days that finished commands with their answers, notes of failures and domain events are kept. The log is "
             "kept "
             "for ever.",
             "days", "30", 1, 3650, slot_of<&s::retention, &retention::days>),
      number("retention.pass_minutes", "Time between two looks for what is older than that.", "minutes", "60", 1,
             10'080, slot_of<&s::retention, &retention::pass_minutes>),
      number("verifier.pass_s",
             "Time from the start of one look at all matches (is what is stored what the log folds to?) to the next, "
             "unless it takes longer.",
             "s", "3600", 1, 604'800, slot_of<&s::verifier, &verifier::pass_s>),
      number("verifier.pause_ms",
             "Pause between two matches of such a look; nine times what the first took where that is longer.", "ms",
             "1000", 1, 60'000, slot_of<&s::verifier, &verifier::pause_ms>),
      shown(secrecy::url,
            text("alerts.webhook_url", "Where alerts are posted as JSON: http[s]://host:port/path. Empty: nowhere.", "",
                 slot_of<&s::alerts, &alerts::webhook_url>)),
      shown(secrecy::secret,
            text("alerts.webhook_secret",
                 "Signs what is posted there (HMAC-SHA256, header Omnium-Signature). Empty: no signature.", "",
                 slot_of<&s::alerts, &alerts::webhook_secret>)),
      shown(secrecy::secret,
            text("alerts.slack_url",
                 "Where alerts are posted in Slack's format: http[s]://host:port/path. Empty: nowhere.", "",
                 slot_of<&s::alerts, &alerts::slack_url>)),
      text("alerts.mail_server", "SMTP relay that takes mail of grave alerts: host:port. Empty: no mail.", "",
           slot_of<&s::alerts, &alerts::mail_server>),
      text("alerts.mail_from", "Sender of that mail.", "", slot_of<&s::alerts, &alerts::mail_from>),
      text("alerts.mail_to", "Whom it goes to; several addresses between commas.", "",
           slot_of<&s::alerts, &alerts::mail_to>),
      text("alerts.mail_user",
           "Whom the relay knows this server as (SMTP AUTH); goes only under TLS. Empty: the relay asks nobody.", "",
           slot_of<&s::alerts, &alerts::mail_user>),
      shown(secrecy::secret,
            text("alerts.mail_password", "That user's password.", "", slot_of<&s::alerts, &alerts::mail_password>)),
      among(
          {"none", "starttls", "tls"},
          text(
              "alerts.mail_tls",
              "How mail goes to that relay: none is for one on this machine; starttls, as a rule on port 587 or 25, is "
              "asked for and must be offered; tls from the first byte, as a rule on port 465.",
              "none", slot_of<&s::alerts, &alerts::mail_tls>)),
      text("alerts.tls_ca",
           "File with certificates (PEM) that those of alerts' receivers may lead to, beside what this machine trusts. "
           "Empty: that alone.",
           "", slot_of<&s::alerts, &alerts::tls_ca>),
      reloads(among({"debug", "info", "warn", "error", "off"},
                    text("log.level", "Lowest level that is written.", "info", slot_of<&s::log, &log::level>))),
      text("log.file",
           "File the log is appended to, in a folder that is there; opened anew on SIGHUP (for logrotate). Empty: "
           "standard error.",
           "", slot_of<&s::log, &log::file>)};
}

} // namespace

const std::vector<option>& option_list() {
  static const std::vector<option> list = make_list();
  return list;
}

} // namespace omnium::ops
