// Who may do what: the whole table, a token's text, the directory and the buckets. Source: issue 5 item 1.
#include "runtime/access/access.hpp"
#include "runtime/access/directory.hpp"
#include "runtime/access/rate.hpp"
#include "runtime/access/token_text.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace omnium;
using namespace omnium::access;
using namespace std::chrono_literals;

namespace {

const uuid cup = make_uuid5({}, "cup"), other_cup = make_uuid5({}, "other cup");
const uuid match = make_uuid5({}, "match"), other_match = make_uuid5({}, "other match");

token with(role is, std::vector<uuid> competitions = {}, std::vector<uuid> fixtures = {}) {
  token out;
  out.name = "t";
  out.is = is;
  out.competitions = std::move(competitions);
  out.fixtures = std::move(fixtures);
  return out;
}

constexpr role roles[] = {role::viewer, role::scorer, role::integrator, role::operator_, role::admin};
constexpr action actions[] = {action::look_up, action::list,    action::read,      action::command,
                              action::create,  action::operate, action::administer};

question about(action what, subject_kind kind, const uuid& ref) { return {what, subject_ref{kind, ref}}; }

} // namespace

TEST_CASE("the table of roles and actions is what the header says, cell by cell") {
  const std::string table[] = {// look_up list read command create operate administer
                               "yyynnnn", "yyyynnn", "yyyyynn", "yyyyyyn", "yyyyyyy"};
  for (std::size_t r = 0; r < std::size(roles); ++r) {
    for (std::size_t a = 0; a < std::size(actions); ++a) {
      INFO(to_string(roles[r]) << " action " << a);
      auto verdict = decide(with(roles[r]), {actions[a], subject_ref{subject_kind::fixture, match}});
      CHECK(verdict == (table[r][a] == 'y' ? verdict::yes : verdict::role_too_low));
    }
  }
}

TEST_CASE("a limited token reaches the matches and competitions it names, and nothing that shows everything") {
  auto scorer = with(role::scorer, {cup}, {other_match});
  auto on = [&](action what, const uuid& ref, std::optional<uuid> competition = std::nullopt) {
    return decide(scorer, about(what, subject_kind::fixture, ref), competition);
  };
  CHECK(on(action::command, other_match) == verdict::yes);
  CHECK(on(action::command, match) == verdict::ask_competition);
  CHECK(on(action::command, match, cup) == verdict::yes);
  CHECK(on(action::command, match, other_cup) == verdict::outside);
  CHECK(on(action::read, match, other_cup) == verdict::outside);
  CHECK(decide(scorer, about(action::read, subject_kind::competition, cup)) == verdict::yes);
  CHECK(decide(scorer, about(action::read, subject_kind::competition, other_cup)) == verdict::outside);
  // An id that is a limit of one kind is none of the other.
  CHECK(decide(scorer, about(action::read, subject_kind::competition, other_match)) == verdict::outside);
  CHECK(decide(scorer, {action::list, std::nullopt}) == verdict::yes);
  CHECK(decide(scorer, {action::look_up, std::nullopt}) == verdict::yes);
  auto named = with(role::viewer, {}, {match});
  CHECK(decide(named, about(action::read, subject_kind::fixture, other_match)) == verdict::outside); // nothing to ask
  for (auto is : {role::operator_, role::admin}) {
    CHECK(decide(with(is, {cup}), {action::operate, std::nullopt}) == verdict::outside);
    CHECK_FALSE(fault_of(with(is, {cup})).empty());
  }
  CHECK(decide(with(role::integrator, {cup}), about(action::create, subject_kind::competition, other_cup)) ==
        verdict::outside);
}

TEST_CASE("each address asks the right question, however it is written") {
  auto asked = [](std::string_view path) { return question_of_read(path)->what; };
  CHECK_FALSE(question_of_read("/readyz"));
  CHECK(asked("/readyzz") == action::look_up);
  CHECK(asked("/ops/tree") == action::operate);
  CHECK(asked("/ops") == action::operate);
  CHECK(asked("/ops/tokens") == action::administer);
  CHECK(asked("/ops/tokens/x") == action::administer);
  CHECK(asked("/ops/tokensx") == action::operate);
  CHECK(asked("/fixtures") == action::list);
  CHECK(asked("/competitions") == action::list);
  CHECK(asked("/sports") == action::look_up);
  for (auto tail : {"", "/timeline", "/state"}) {
    auto one = question_of_read("/fixtures/" + to_string(match) + tail);
    CHECK(one->what == action::read);
    CHECK(one->about == subject_ref{subject_kind::fixture, match});
  }
  CHECK(question_of_read("/competitions/" + to_string(cup))->about == subject_ref{subject_kind::competition, cup});
  CHECK_FALSE(question_of_read("/fixtures/nothing")->about);
  CHECK(question_of_act("/ops/restart").what == action::operate);
  CHECK(question_of_act("/ops/tokens/create").what == action::administer);
  CHECK(question_of_command({subject_kind::fixture, match}).what == action::command);
  CHECK(question_of_command({subject_kind::competition, cup}).what == action::create);
  CHECK(question_of_command({subject_kind::competition, cup}, "games.create_fixture").what == action::create);
  for (auto code : {"ops.install_release", "ops.set_default_release"})
    CHECK(question_of_command({subject_kind::competition, cup}, code).what == action::operate);
  CHECK(question_of_command({subject_kind::fixture, match}, "results.set_release").what == action::operate);
  CHECK(question_of_command({subject_kind::fixture, match}, "match.rebuild").what == action::operate);
  CHECK(question_of_command({subject_kind::fixture, match}, "football.goal").what == action::command);
}

TEST_CASE("a command's sender is the token's name, unless the token may name another") {
  auto one = with(role::scorer);
  CHECK(sender_of(one, "desk-7") == "t");
  one.may_name_sender = true;
  CHECK(sender_of(one, "desk-7") == "desk-7");
}

TEST_CASE("a token's text is 256 random bits, and only ours is taken for one") {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    auto text = make_token_text();
    CHECK(looks_like_token(text));
    CHECK(seen.insert(text).second);
  }
  auto text = *seen.begin();
  CHECK(shown_prefix(text).size() < text.size() / 2);
  for (auto bad : {std::string(), text + "A", text.substr(1), "omn-" + text.substr(4), text.substr(0, 46) + "="})
    CHECK_FALSE(looks_like_token(bad));
  CHECK(bearer_of("Bearer " + text) == text);
  CHECK(bearer_of("bEARER   x") == "x");
  for (auto bad : {"", "Bearer", "Bearer ", "Bearerx", "Basic x", "x"}) CHECK_FALSE(bearer_of(bad));
}

TEST_CASE("a token in an address is seen under any name") {
  for (auto query : {"token=x", "a=b&token=x", "TOKEN=x", "access_token=x", "token", "x=omn_abc", "Authorization=y"})
    CHECK(query_holds_token(query));
  for (auto query : {"", "limit=2", "cursor=omn", "tokens=1", "a=token", "&&="}) CHECK_FALSE(query_holds_token(query));
}

TEST_CASE("the directory gives what is valid now, and says when that changed") {
  directory all;
  auto now = std::chrono::system_clock::now();
  auto entry = [&](const char* text, std::optional<std::chrono::system_clock::time_point> expires = std::nullopt) {
    known_token out{sha256(text), with(role::scorer)};
    out.what.expires = expires;
    return out;
  };
  CHECK_FALSE(all.find(sha256("a")));
  CHECK(all.replace({entry("a"), entry("b", now + 1s)}));
  auto first = all.generation();
  auto held = all.find(sha256("a"));
  CHECK(held);
  CHECK(all.find(sha256("b")));
  CHECK_FALSE(all.replace({entry("b", now + 1s), entry("a")}));
  CHECK(all.generation() == first);
  CHECK(all.find(sha256("a")) == held);
  CHECK(all.replace({entry("b", now + 1s)}));
  CHECK(all.generation() != first);
  CHECK_FALSE(all.find(sha256("a")));
  CHECK(held->name == "t"); // who holds it may finish
}

TEST_CASE("a caller may use its burst at once and then so many a second, and what it overdraws it owes") {
  rate_bounds bounds{.requests_per_s = 10, .requests_burst = 5};
  allowance one;
  auto now = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) CHECK(one.ask(bounds, now) == 0ms);
  auto wait = one.ask(bounds, now);
  CHECK(wait > 0ms);
  CHECK(wait <= 101ms);
  CHECK(one.ask(bounds, now + wait) == 0ms);
  int given = 0;
  for (int ms = 0; ms < 10'000; ++ms) given += one.ask(bounds, now + wait + std::chrono::milliseconds(ms)) == 0ms;
  CHECK(given >= 99);
  CHECK(given <= 101);
  rate_bounds bytes{.bytes_per_s = 1000};
  allowance two;
  CHECK(two.ask(bytes, now) == 0ms);
  two.used(5000); // two seconds' worth were saved up
  CHECK(two.ask(bytes, now) > 2900ms);
  CHECK(two.ask(bytes, now + 2900ms) > 0ms);
  CHECK(two.ask(bytes, now + 3100ms) == 0ms);
  allowance free;
  for (int i = 0; i < 1000; ++i) {
    CHECK(free.ask({}, now) == 0ms);
    free.used(1 << 20);
  }
}
