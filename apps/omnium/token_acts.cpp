#include "apps/omnium/token_acts.hpp"

#include "runtime/access/token_text.hpp"
#include "runtime/core/json.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/tokens.hpp"

#include <fmt/format.h>
#include <memory>
#include <simdjson.h>

namespace omnium::apps {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t expires_in_s_max = 10LL * 366 * 24 * 3600; // ten years; a longer life is "never"

wire::read_reply bad_request(std::string_view detail) { return problem(400, detail); }

std::string take_ids(dom::element value, std::string_view name, std::vector<uuid>& into) {
  dom::array list;
  if (value.get(list)) return fmt::format("\"{}\" must be a list of UUIDs.", name);
  for (auto one : list) {
    std::string_view text;
    auto id = one.get(text) ? std::nullopt : parse_uuid(text);
    if (!id) return fmt::format("\"{}\" must be a list of UUIDs.", name);
    into.push_back(*id);
  }
  return {};
}

struct members {
  std::string_view name, role;
  std::optional<bool> may_name_sender;
  std::int64_t expires_in_s = 0;
};

// One member into its place; a sentence when it is wrong or not known.
std::string take(std::string_view name, dom::element value, members& into, access::token& token) {
  if (name == "name") return value.get(into.name) ? "\"name\" must be a text." : "";
  if (name == "role") return value.get(into.role) ? "\"role\" must be a text." : "";
  if (name == "competitions") return take_ids(value, name, token.competitions);
  if (name == "fixtures") return take_ids(value, name, token.fixtures);
  if (name == "may_name_sender") {
    bool flag = false;
    if (value.get(flag)) return "\"may_name_sender\" must be true or false.";
    into.may_name_sender = flag;
    return {};
  }
  if (name == "expires_in_s") {
    bool good = !value.get(into.expires_in_s) && into.expires_in_s >= 1 && into.expires_in_s <= expires_in_s_max;
    return good ? "" : "\"expires_in_s\" must be a whole number of seconds, from 1 to ten years.";
  }
  return fmt::format("There is no member \"{}\".", name);
}

// The body of revoke: {"token": id, name or shown prefix}.
std::string which_token(std::string_view body) {
  dom::parser parser;
  dom::element root;
  std::string_view which;
  if (parser.parse(simdjson::padded_string(body)).get(root) || root["token"].get(which)) return {};
  return std::string(which);
}

} // namespace

token_wish read_token_wish(std::string_view body, std::chrono::system_clock::time_point now) {
  token_wish out;
  dom::parser parser;
  dom::object root;
  if (parser.parse(simdjson::padded_string(body)).get(root)) {
    out.fault = "The body must be one JSON object.";
    return out;
  }
  members given;
  for (auto [name, value] : root) {
    out.fault = take(name, value, given, out.what);
    if (!out.fault.empty()) return out;
  }
  auto role = access::parse_role(given.role);
  if (!role) {
    out.fault = "\"role\" must be one of viewer, scorer, integrator, operator, admin.";
    return out;
  }
  out.what.name = given.name;
  out.what.is = *role;
  bool may = *role == access::role::integrator || *role == access::role::admin;
  out.what.may_name_sender = given.may_name_sender.value_or(may);
  if (given.expires_in_s > 0) out.what.expires = now + std::chrono::seconds(given.expires_in_s);
  out.fault = access::fault_of(out.what);
  return out;
}

bool token_acts::read(const wire::read_request& what, const reply_fn& done) {
  if (what.path != "/ops/tokens") return false;
  on_pool([](pg::session::door& door) { return ok(pg::list_tokens(door)); }, done);
  return true;
}

bool token_acts::act(const wire::action_request& what, const reply_fn& done) {
  if (what.path == "/ops/tokens/create") create(what, done);
  else if (what.path == "/ops/tokens/revoke") revoke(what, done);
  else return false;
  return true;
}

void token_acts::create(const wire::action_request& what, const reply_fn& done) {
  auto wish = read_token_wish(what.body, std::chrono::system_clock::now());
  if (!wish.fault.empty()) return done(bad_request(wish.fault));
  auto by = what.who ? what.who->name : std::string("nobody signed in");
  on_pool(
      [this, wish = std::move(wish.what), by](pg::session::door& door) mutable {
        auto text = access::make_token_text();
        wish.id = make_uuid7();
        wish.prefix = access::shown_prefix(text);
        if (!pg::insert_token(door, {sha256(text), wish}, by))
          return problem(409, "There are too many valid tokens: revoke some.");
        keeper_.read(door);
        auto shown = pg::show_token(door, wish.id);
        return ok(fmt::format(R"({{"token":"{}",{})", text, std::string_view(shown).substr(shown.find('{') + 1)));
      },
      done);
}

void token_acts::revoke(const wire::action_request& what, const reply_fn& done) {
  auto which = which_token(what.body);
  if (which.empty()) return done(bad_request("The body must be {\"token\": its id, name or shown prefix}."));
  on_pool(
      [this, which](pg::session::door& door) {
        int revoked = pg::revoke_token(door, which);
        if (revoked < 0) return problem(409, "Several tokens go by that: name one by its id.");
        if (revoked == 0) return problem(404, "There is no such token, or it was revoked before.");
        keeper_.read(door);
        return ok(R"({"revoked":true})");
      },
      done);
}

void token_acts::on_pool(database_work work, const reply_fn& done) {
  reply_from(pool_, std::move(work), done, [](const pg::db_error& error) -> wire::read_reply {
    if (error.fault != pg::db_fault::unique) return {.status = 0};
    return problem(409, "A valid token has that name already.");
  });
}

} // namespace omnium::apps
