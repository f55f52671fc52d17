#include "actors/gateway.hpp"

#include "actors/matches.hpp"
#include "runtime/core/json.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

#include <fmt/format.h>
#include <simdjson.h>

namespace omnium::actors {
namespace {

constexpr auto ask_wall_clock = std::chrono::seconds(2);      // of a question to a supervisor; beyond: 503
constexpr auto restart_wall_clock = std::chrono::seconds(15); // a supervisor may have to end many processes first
constexpr std::size_t name_bytes_max = 200;                   // of a part of the tree; beyond: no such part

// /fixtures/{id}/state, or nothing.
std::optional<uuid> state_of(std::string_view path) {
  constexpr std::string_view before = "/fixtures/", after = "/state";
  if (!path.starts_with(before) || !path.ends_with(after) || path.size() < before.size() + after.size())
    return std::nullopt;
  return parse_uuid(path.substr(before.size(), path.size() - before.size() - after.size()));
}

wire::read_reply problem(int status, std::string_view title, std::string_view detail) {
  wire::read_reply out;
  out.status = status;
  out.content_type = "application/problem+json";
  out.body = fmt::format(R"({{"type":"about:blank","title":{},"status":{},"detail":{}}})", json::quoted(title), status,
                         json::quoted(detail));
  return out;
}

wire::read_reply no_answer() { return problem(503, "Service Unavailable", "A supervisor did not answer in time."); }

// The name in {"name": "…"}; nothing else may stand there.
std::optional<std::string> name_in(const std::string& body) {
  simdjson::dom::parser parser;
  simdjson::dom::object root;
  std::string_view name;
  if (parser.parse(body).get(root) || root.size() != 1 || root["name"].get(name) || name.size() > name_bytes_max)
    return std::nullopt;
  return std::string(name);
}

wire::read_reply state_reply(const uuid& fixture, const road::state_view& what) {
  using kind = road::state_view::kind;
  if (what.what == kind::not_found) return problem(404, "Not Found", what.message);
  if (what.what == kind::unavailable) return problem(503, "Service Unavailable", what.message);
  wire::read_reply out;
  out.body = fmt::format(R"({{"id":"{}","seq":{},"state":{}}})", to_string(fixture), what.seq, what.state);
  return out;
}

} // namespace

gateway::~gateway() {
  std::lock_guard lock(entrance_->guard);
  entrance_->open = false;
}

void gateway::submit(command_ptr what, std::function<void(wire::encoded_answer)> done) {
  send(std::move(what), false, std::move(done));
}

void gateway::preview(command_ptr what, std::function<void(wire::encoded_answer)> done) {
  send(std::move(what), true, std::move(done));
}

void gateway::send(command_ptr what, bool preview, std::function<void(wire::encoded_answer)> done) {
  auto reply = [this, preview, what, done = std::move(done)](road::reply r) {
    if (!preview) {
      metrics_.answered(r.what, r.code);
      traces_.answered(*what, r.what, r.code);
    }
    done({r.status, r.retry_after_ms > 0 ? (r.retry_after_ms + 999) / 1000 : 0, std::move(r.body), r.in_database});
  };
  host here(hosts_);
  caf::anon_send(matches_, submit_atom_v, std::make_shared<road::ticket>(std::move(what), preview, std::move(reply)));
}

void gateway::read(wire::read_request what, std::function<void(wire::read_reply)> done) {
  if (auto fixture = state_of(what.path)) read_state(*fixture, std::move(done));
  else if (what.path == "/ops/tree") read_tree(std::move(done));
  else if (what.path == "/ops/matches") read_matches(std::move(done));
  else reads_(std::move(what), std::move(done));
}

// The head of a match lives in this process, and another node may have written since: the state shown stands at least
// where the database stood when it was asked for.
void gateway::read_state(const uuid& fixture, std::function<void(wire::read_reply)> done) {
  head_(fixture, [=, done = std::move(done), matches = matches_, in = entrance_](std::optional<std::int64_t> last_seq) {
    if (!last_seq) return done(problem(503, "Service Unavailable", "The database is not available."));
    std::lock_guard lock(in->guard);
    if (!in->open) return done(problem(503, "Service Unavailable", "The server is stopping."));
    auto query = std::make_shared<state_query>();
    query->subject = {subject_kind::fixture, fixture};
    query->at_least = *last_seq;
    query->done = [fixture, done](road::state_view view) { done(state_reply(fixture, view)); };
    caf::anon_send(matches, state_atom_v, std::move(query));
  });
}

// Asked by a short-lived actor, so that neither the wire's thread nor a supervisor waits for the other.
void gateway::read_tree(std::function<void(wire::read_reply)> done) {
  system_.spawn([=, matches = matches_, sports = sports_](caf::event_based_actor* self) {
    auto failed = [=](const caf::error&) { done(no_answer()); };
    self->request(matches, ask_wall_clock, tree_atom_v)
        .then(
            [=](const std::string& live) {
              self->request(sports, ask_wall_clock, tree_atom_v)
                  .then(
                      [=](const std::string& releases) {
                        wire::read_reply out;
                        out.body = fmt::format(R"({{"name":"root","strategy":"rest_for_one","children":[{},{}]}})",
                                               live, releases);
                        done(std::move(out));
                      },
                      failed);
            },
            failed);
  });
}

void gateway::read_matches(std::function<void(wire::read_reply)> done) {
  system_.spawn([=, matches = matches_](caf::event_based_actor* self) {
    self->request(matches, ask_wall_clock, list_atom_v)
        .then(
            [=](const std::string& live) {
              wire::read_reply out;
              out.body = fmt::format(R"({{"items":{},"next":null}})", live);
              done(std::move(out));
            },
            [=](const caf::error&) { done(no_answer()); });
  });
}

void gateway::act(wire::action_request what, std::function<void(wire::read_reply)> done) {
  if (what.path != "/ops/restart") return done(problem(404, "Not Found", "There is nothing at this address."));
  auto name = name_in(what.body);
  if (!name) return done(problem(400, "Bad Request", R"(The body must be {"name": "…"}, a name of the tree.)"));
  restart(*name, std::move(done));
}

// A match that is begun anew is folded at once, so that who asked hears whether that went well.
void gateway::restart(const std::string& name, std::function<void(wire::read_reply)> done) {
  system_.spawn([=, matches = matches_, sports = sports_](caf::event_based_actor* self) {
    auto said = [=](bool found) {
      if (!found)
        return done(problem(404, "Not Found", fmt::format("Nothing named \"{}\" runs here; see the tree.", name)));
      wire::read_reply out;
      out.body = fmt::format(R"({{"name":{},"restarted":true}})", json::quoted(name));
      done(std::move(out));
    };
    auto told = [=](bool found) {
      auto fixture = fixture_named(name);
      if (!found || !fixture) return said(found);
      auto query = std::make_shared<state_query>();
      query->subject = {subject_kind::fixture, *fixture};
      query->done = [=](const road::state_view& view) {
        using kind = road::state_view::kind;
        if (view.what == kind::unavailable) done(problem(503, "Service Unavailable", view.message));
        else said(view.what == kind::ok);
      };
      self->send(matches, state_atom_v, std::move(query));
    };
    auto failed = [=](const caf::error&) { done(no_answer()); };
    if (name.starts_with("sport")) self->request(sports, restart_wall_clock, restart_atom_v, name).then(told, failed);
    else self->request(matches, restart_wall_clock, restart_atom_v, name).then(told, failed);
  });
}

} // namespace omnium::actors
