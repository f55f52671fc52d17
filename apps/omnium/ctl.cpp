// omnium ctl: the operator's tool. Asks a running node over HTTP and prints tables, or with --json what the node said.
#include "apps/omnium/ctl_alerts.hpp"
#include "apps/omnium/ctl_print.hpp"
#include "apps/omnium/ctl_tokens.hpp"
#include "apps/omnium/ctl_trace.hpp"
#include "apps/omnium/programs.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/uuid.hpp"
#include "runtime/road/rebuild.hpp"
#include "runtime/road/release_commands.hpp"
#include "runtime/wire/client_token.hpp"
#include "runtime/wire/http_client.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <fmt/format.h>
#include <simdjson.h>

namespace omnium::apps {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

struct question {
  std::string what, name, url = "http://127.0.0.1:8400", token, data = ".omnium";
  token_request tokens;     // of `tokens`
  token_words token_limits; // of `tokens create`
  alert_request alerts;     // of `alerts`
  trace_words trace;        // of `trace`
  std::int64_t session = 0; // of `locks end`; 0: list them
  bool json = false;
};

std::string path_of(const question& q) {
  if (q.what == "workers") return "/ops/tree";
  if (q.what == "verify") return "/ops/verify/" + q.name;
  if (q.what == "trace") return trace_target(q.trace);
  return "/ops/" + q.what;
}

void print_token_act(element root) {
  std::string_view text;
  if (root["token"].get(text)) return fmt::print("revoked\n");
  fmt::print(stderr, "This is shown once; only its hash is kept.\n");
  fmt::print("{}\n", text);
}

// Whose name stands with it now: not everybody may give another than the token's.
void print_recorded(const question& q, element root) {
  auto name = member(root.get_object(), q.alerts.target.ends_with("/ack") ? "acknowledged_by" : "who");
  fmt::print("done, by {}\n", name);
  if (name != q.alerts.who)
    fmt::print(stderr, "omnium ctl: this token may not name another than itself: \"{}\" was not taken.\n",
               q.alerts.who);
}

void print_answer(const question& q, element root) {
  if (q.what == "tree") print_tree(root.get_object());
  else if (q.what == "workers") print_workers(root);
  else if (q.what == "matches")
    print_items(root, {"name", "phase", "queue", "last_seq", "commands", "restarts", "quarantined"});
  else if (q.session != 0) fmt::print("ended: {}\n", member(root.get_object(), "session"));
  else if (q.what == "locks")
    print_items(
        root, {"waiting_pid", "waiting", "waiting_s", "blocking_pid", "blocking", "blocking_state", "blocking_open_s"});
  else if (q.what == "health") print_items(root, {"part", "state", "since", "reason"});
  else if (q.what == "failures") print_items(root, {"key", "attempts", "last_at", "last_error"});
  else if (q.what == "releases")
    print_items(root, {"sport", "version", "state", "approved_by", "default_of", "commands", "code_sha"});
  else if (q.what == "verify")
    fmt::print("{}\n",
               member(root.get_object(), "ok") == "true" ? "ok" : "NOT OK: " + member(root.get_object(), "reason"));
  else if (q.what == "tokens") q.tokens.method == "GET" ? print_tokens(root) : print_token_act(root);
  else if (q.what == "trace") print_trace(root);
  else if (q.what == "alerts" && q.alerts.method == "GET") print_alerts(root);
  else if (q.what == "alerts" && !q.alerts.who.empty()) print_recorded(q, root);
  else fmt::print("done\n");
}

// Signed in where a token is found.
wire::http_client client_of(const question& q) {
  wire::http_client http(q.url);
  if (auto token = wire::find_token(q.token, q.data, q.url); !token.empty())
    http.always("Authorization", "Bearer " + token);
  return http;
}

// What a node's no means here: of a token it says how HTTP carries one.
std::string why_not(const question& q, const wire::http_response& answer, const std::string& said) {
  if (answer.status != 401 || !wire::find_token(q.token, q.data, q.url).empty()) return said;
  return fmt::format(
      "this needs a token, and none was found: give one with --token or OMNIUM_TOKEN, or with --data the "
      "data folder of a server on this machine, whose first token is taken then (looked in {}).",
      q.data);
}

// A limit that names nothing is allowed, because what it names may be made later; who mistyped it hears so.
void warn_of_unknown(wire::http_client& http, const token_words& words) {
  auto look = [&](const char* path, const char* word, const std::vector<std::string>& ids) {
    for (const auto& id : ids) {
      auto answer = http.request("GET", fmt::format("/{}/{}", path, id));
      if (answer && answer->status == 404)
        fmt::print(stderr, "omnium ctl: there is no {} {} yet: the token reaches nothing until it is made.\n", word,
                   id);
    }
  };
  look("competitions", "competition", words.competitions);
  look("fixtures", "match", words.fixtures);
}

int ask(const question& q) {
  auto http = client_of(q);
  auto answer = q.what == "alerts"   ? http.request(q.alerts.method, q.alerts.target, q.alerts.body)
                : q.what == "tokens" ? http.request(q.tokens.method, q.tokens.target, q.tokens.body)
                : q.session != 0     ? http.request("POST", "/ops/locks/end", fmt::format(R"({{"pid":{}}})", q.session))
                : q.what == "restart" ? http.request("POST", "/ops/restart", "{\"name\":" + json::quoted(q.name) + "}")
                                      : http.request("GET", path_of(q));
  if (!answer) {
    fmt::print(stderr, "omnium ctl: {}\n", answer.error.message);
    return 1;
  }
  simdjson::dom::parser parser;
  element root;
  bool read = !parser.parse(answer->body).get(root);
  const bool good = read && answer->status == 200;
  if (q.json) fmt::print("{}\n", good && q.what == "workers" ? workers_json(root) : answer->body);
  else if (good) print_answer(q, root);
  if (answer->status != 200) {
    if (!q.json)
      fmt::print(stderr, "omnium ctl: {}\n",
                 why_not(q, *answer, read && root.is_object() ? member(root.get_object(), "detail") : answer->body));
    return 1;
  }
  if (q.what == "tokens" && q.tokens.target.ends_with("/create")) warn_of_unknown(http, q.token_limits);
  return q.what == "verify" && member(root.get_object(), "ok") != "true" ? 1 : 0;
}

// --- releases
// ---------------------------------------------------------------------------------------------------------

struct release_words {
  std::string sport, version, competition, fixture, approved_by, why;
  bool replace = false, none = false;
};

struct operator_command {
  std::string workflow, kind, ref, code, input;
};

void add_text(std::string& object, std::string_view name, const std::string& value) {
  if (!value.empty()) object += fmt::format(R"({}"{}":{})", object.size() > 1 ? "," : "", name, json::quoted(value));
}

operator_command command_of(const std::string& what, const release_words& words) {
  operator_command out{"ops", "competition", to_string(road::operations_subject), {}, "{"};
  if (what == "move") {
    out = {"results", "fixture", words.fixture, "results.set_release", "{"};
    add_text(out.input, "reason", words.why);
  } else {
    out.code = what == "install" ? "ops.install_release" : "ops.set_default_release";
    if (!words.competition.empty()) out.ref = words.competition;
    add_text(out.input, "sport", words.sport);
    add_text(out.input, "approved_by", words.approved_by);
    if (words.replace) out.input += R"(,"replace":true)";
  }
  if (words.none) out.input += R"(,"release":null)";
  else add_text(out.input, "release", words.version);
  out.input += '}';
  return out;
}

// A command of its own key: the road tells what became of it.
int send_command(const question& q, const operator_command& what) {
  auto http = client_of(q);
  auto answer =
      http.request("POST", fmt::format("/workflows/{}/subjects/{}/{}/commands", what.workflow, what.kind, what.ref),
                   fmt::format(R"({{"key":"ctl:{}","code":"{}","input":{},"sender":"omnium ctl"}})",
                               to_string(make_uuid7()), what.code, what.input));
  if (!answer) {
    fmt::print(stderr, "omnium ctl: {}\n", answer.error.message);
    return 1;
  }
  simdjson::dom::parser parser;
  object root;
  bool read = !parser.parse(answer->body).get(root);
  bool done = read && member(root, "outcome") == "accepted";
  object why;
  if (q.json) fmt::print("{}\n", answer->body);
  else if (done) fmt::print("done\n");
  else if (read && !root["reason"].get(why))
    fmt::print(stderr, "omnium ctl: {}\n",
               why_not(q, *answer, fmt::format("{} ({})", member(why, "message"), member(why, "code"))));
  else fmt::print(stderr, "omnium ctl: the node answered {}\n", answer->status);
  return done ? 0 : 1;
}

void add_release_words(CLI::App& releases, release_words& words) {
  releases.require_subcommand(0, 1);
  releases.add_subcommand("list", "releases on this node's disk and in the database");
  auto* install = releases.add_subcommand("install", "approve a release that lies on the node's disk");
  install->add_option("sport", words.sport)->required();
  install->add_option("version", words.version)->required();
  install->add_option("--approved-by", words.approved_by, "who approves it");
  install->add_flag("--replace", words.replace, "also where the version was installed with another package");
  auto* set = releases.add_subcommand("default", "the release that new matches of a sport get");
  set->add_option("sport", words.sport)->required();
  set->add_option("version", words.version, "left out with --none");
  set->add_option("--competition", words.competition, "in this competition only; it goes before the sport's own");
  set->add_flag("--none", words.none, "take the default away");
  auto* move = releases.add_subcommand("move", "move one match to another release, if its whole log folds on it");
  move->add_option("fixture", words.fixture)->required();
  move->add_option("version", words.version)->required();
  move->add_option("--reason", words.why);
}

// Where a sub-command is wanted and another word stands: that word, and what could stand there. Else empty.
std::string wrong_word(CLI::App& app, const CLI::ParseError& error) {
  if (error.get_name() != "RequiredError") return {};
  CLI::App* at = &app; // the deepest one that was understood
  for (auto below = at->get_subcommands(); !below.empty(); below = at->get_subcommands()) at = below.front();
  auto left = app.remaining(true);
  auto word = std::find_if(left.begin(), left.end(), [](const auto& w) { return !w.starts_with('-'); });
  auto choices = at->get_subcommands([](const CLI::App*) { return true; });
  if (word == left.end() || choices.empty()) return {};
  std::string known;
  for (const auto* one : choices) known += (known.empty() ? "" : ", ") + one->get_name();
  return fmt::format("there is no \"{}\"{}. Known are: {}.", *word, at == &app ? "" : " of " + at->get_name(), known);
}

} // namespace

int ctl_main(const words& args) {
  question q;
  CLI::App app{"Asks a running node.", "omnium ctl"};
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option("--url", q.url, "the node")->capture_default_str()->envname("OMNIUM_URL");
  app.add_option("--token", q.token, "sign-in token; else OMNIUM_TOKEN, else the first token in the data folder");
  app.add_option("--data", q.data, "the server's data folder, where its first token is")->capture_default_str();
  app.add_flag("--json", q.json, "print it as JSON");
  app.add_subcommand("tree", "the live supervision tree");
  app.add_subcommand("health", "each part of the node: its state, since when, and why");
  app.add_subcommand("matches", "match actors awake in this node");
  app.add_subcommand("workers", "sport worker processes");
  auto* locks = app.add_subcommand("locks", "who blocks whom in the database");
  locks->add_subcommand("end", "end the session that others wait for; the node's log keeps whose token asked")
      ->add_option("pid", q.session, "its blocking_pid")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_subcommand("failures", "commands that failed with an error, newest first");
  release_words chosen;
  auto* releases = app.add_subcommand("releases", "sport releases: list, install, default, move");
  add_release_words(*releases, chosen);
  app.add_subcommand("restart", "restart one subtree: sports, sport/football/1.0.0, sport/football/1.0.0/worker/0, "
                                "matches or match/fixture/<id>")
      ->add_option("name", q.name)
      ->required();
  bool rebuild = false;
  auto* verify =
      app.add_subcommand("verify", "compare a match's stored scoreboard and snapshot with a fold of its log");
  verify->add_option("fixture", q.name)->required();
  verify->add_flag("--rebuild", rebuild, "write them anew from the log, whatever they are (a log row match.rebuild)");
  token_words tokens;
  declare_tokens(app, tokens);
  alert_words alerts;
  declare_alerts(app, alerts);
  declare_trace(app, q.trace);
  auto reversed = args;
  if (!args.empty() && args.front() == "help") reversed = {"--help"};
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    if (auto why = wrong_word(app, e); !why.empty()) return fmt::print(stderr, "omnium ctl: {}\n", why), 2;
    return app.exit(e) == 0 ? 0 : 2;
  }
  q.what = app.get_subcommands().front()->get_name();
  if (q.what == "tokens") q.tokens = request_of(tokens), q.token_limits = tokens;
  if (q.what == "alerts") q.alerts = request_of(alerts);
  if (q.what == "trace" && q.trace.id.empty() && q.trace.key.empty() && q.trace.match.empty()) {
    fmt::print(stderr, "omnium ctl: a trace id is needed, or --key, or --match\n");
    return 2;
  }
  if (rebuild) return send_command(q, {"results", "fixture", q.name, std::string(road::rebuild_code), "{}"});
  if (q.what != "releases") return ask(q);
  auto below = releases->get_subcommands();
  if (below.empty() || below.front()->get_name() == "list") return ask(q);
  if (chosen.version.empty() && !chosen.none) {
    fmt::print(stderr, "omnium ctl: a version is needed, or --none\n");
    return 2;
  }
  return send_command(q, command_of(below.front()->get_name(), chosen));
}

} // namespace omnium::apps
