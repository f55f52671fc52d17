#include "runtime/core/answer.hpp"
#include "tests/catch.hpp"

using namespace omnium;

namespace {

answer bare(outcome what) {
  answer out;
  out.what = what;
  out.key = "01J";
  out.code = "football.goal";
  out.subject = subject_ref{subject_kind::fixture, *parse_uuid("6ba7b810-9dad-11d1-80b4-00c04fd430c8")};
  out.trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  return out;
}

const std::string head =
    R"("key":"01J","code":"football.goal","subject":{"kind":"fixture","ref":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"},)";
const std::string tail = R"("trace":"4bf92f3577b34da6a3ce929d0e0e4736"})";

} // namespace

TEST_CASE("an accepted answer has every member, in the contract's order", "[answer]") {
  auto accepted = bare(outcome::accepted);
  accepted.seq = 42;
  REQUIRE(encode(accepted) == R"({"outcome":"accepted",)" + head +
                                  R"("seq":42,"reason":null,"conflict":null,"first":null,"retry_after_ms":null,)" +
                                  tail);
}

TEST_CASE("a duplicate carries the first answer byte for byte", "[answer]") {
  auto duplicate = bare(outcome::duplicate);
  duplicate.seq = 42;
  duplicate.first = R"({ "odd" :  1.50e0 })";
  REQUIRE(encode(duplicate) ==
          R"({"outcome":"duplicate",)" + head +
              R"("seq":42,"reason":null,"conflict":null,"first":{ "odd" :  1.50e0 },"retry_after_ms":null,)" + tail);
}

TEST_CASE("a refusal says code, sentence, place, and law and release where there are some", "[answer]") {
  auto no = bare(outcome::refused);
  no.why = reason{"second_yellow_needs_second_yellow", "No \"first\" card.", "/input/card", "Law 12", "football@1.0.0"};
  REQUIRE(
      encode(no) ==
      R"({"outcome":"refused",)" + head +
          R"("seq":null,"reason":{"code":"second_yellow_needs_second_yellow","message":"No \"first\" card.","at":"/input/card",)"
          R"("law":"Law 12","release":"football@1.0.0"},"conflict":null,"first":null,"retry_after_ms":null,)" +
          tail);
}

TEST_CASE("what could not be read is null", "[answer]") {
  const auto nothing = refused("bad_shape", "The text is not JSON.");
  REQUIRE(encode(nothing) == R"({"outcome":"refused","key":null,"code":null,"subject":null,"seq":null,)"
                             R"("reason":{"code":"bad_shape","message":"The text is not JSON.","at":null},)"
                             R"("conflict":null,"first":null,"retry_after_ms":null,"trace":null})");
}

TEST_CASE("a conflict and a try_again carry their own members", "[answer]") {
  auto conflict = bare(outcome::conflict);
  conflict.subject->kind = subject_kind::competition;
  conflict.conflict = R"({"play":43,"since":[],"rows":[]})";
  REQUIRE(
      encode(conflict) ==
      R"({"outcome":"conflict","key":"01J","code":"football.goal","subject":{"kind":"competition","ref":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"},)"
      R"("seq":null,"reason":null,"conflict":{"play":43,"since":[],"rows":[]},"first":null,"retry_after_ms":null,)" +
          tail);

  auto later = try_again("overloaded", "Too much is waiting for this match.", 500);
  later.trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  REQUIRE(encode(later) ==
          R"({"outcome":"try_again","key":null,"code":null,"subject":null,"seq":null,)"
          R"("reason":{"code":"overloaded","message":"Too much is waiting for this match.","at":null},)"
          R"("conflict":null,"first":null,"retry_after_ms":500,)" +
              tail);
}

TEST_CASE("each outcome has the contract's status", "[answer]") {
  REQUIRE(http_status(bare(outcome::accepted)) == 200);
  REQUIRE(http_status(bare(outcome::duplicate)) == 200);
  REQUIRE(http_status(bare(outcome::conflict)) == 409);
  REQUIRE(http_status(try_again("lock_timeout", "Wait.")) == 503);
  const std::vector<std::pair<std::string, int>> refusals{
      {"bad_shape", 400},     {"unknown_command", 404}, {"unknown_subject", 404}, {"key_reused", 422},
      {"not_signed_in", 401}, {"not_allowed", 403},     {"too_large", 413},       {"not_in_play", 422},
      {"play_stopped", 422},  {"breaks_later", 422}};
  for (const auto& [code, status] : refusals) {
    CAPTURE(code);
    REQUIRE(http_status(refused(code, "No.")) == status);
  }
}
