#include "runtime/core/clock.hpp"
#include "runtime/core/command.hpp"
#include "runtime/core/hashing.hpp"
#include "runtime/core/limits.hpp"
#include "tests/catch.hpp"

using namespace omnium;

namespace {

const std::string ref = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const std::string row_a = "00000000-0000-4000-8000-00000000000a", row_b = "00000000-0000-4000-8000-00000000000B";

command_envelope envelope() { return {"football", "fixture", ref, {}, {}, true}; }

std::string body(const std::string& more = {}, const std::string& input = "{}") {
  return R"({"key":"k-1","code":"football.goal","sender":"desk-7","input":)" + input + more + "}";
}

command parsed(std::string_view text, const command_envelope& from = envelope()) {
  auto result = parse_command(from, text);
  if (auto* no = std::get_if<answer>(&result)) FAIL("refused: " << encode(*no));
  return std::get<command>(std::move(result));
}

answer refusal(std::string_view text, const command_envelope& from = envelope()) {
  auto result = parse_command(from, text);
  if (std::holds_alternative<command>(result)) FAIL("accepted: " << text);
  return std::get<answer>(std::move(result));
}

} // namespace

TEST_CASE("a whole command is read with all it holds", "[command]") {
  const auto before = now_utc_ms();
  const auto read =
      parsed(R"({"saw":{"play":41},"sent_at":"2026-10-05T14:03:11.250Z","sender":"desk-7","key":"01J \"x\"",)"
             R"("code":"football.goal","input":{"side":"home", "minute":1.50,"name":"Müller"}})");
  REQUIRE(read.workflow == "football");
  REQUIRE(read.subject == subject_ref{subject_kind::fixture, *parse_uuid(ref)});
  REQUIRE(read.key == "01J \"x\"");
  REQUIRE(read.code == "football.goal");
  REQUIRE(read.input == R"({"minute":1.5,"name":"M\u00fcller","side":"home"})");
  REQUIRE(read.sender == "desk-7");
  REQUIRE(read.saw.play == 41);
  REQUIRE(read.saw.rows.empty());
  REQUIRE(read.sent_at == "2026-10-05T14:03:11.250Z");
  REQUIRE(read.received_at >= before);
  REQUIRE(read.received_at <= now_utc_ms());
  REQUIRE(read.trace.size() == 32);
}

TEST_CASE("the payload hash is that of the Python system's canonical body", "[command]") {
  // hashlib.sha256(json.dumps({"code": …, "input": …, "subject": …}, sort_keys=True, separators=(",", ":")).encode())
  auto from = envelope();
  from.ref = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8";
  const auto read = parsed(
      R"({"key":"k","sender":"s","code":"football.goal","input":{"side":"home","n":[1,1.0,1e16,-0,12345678901234567890123],"ü":"😀"}})",
      from);
  REQUIRE(hex(read.hash) == "ece388ae065a2d3207579fa4bfcd5baf0b428bcc0e13b06745504aa78cc4c31f");
  REQUIRE(sha256(R"({"code":"football.goal","input":)" + read.input + R"(,"subject":")" + ref + R"("})") == read.hash);
}

TEST_CASE("key, sender, times and what was seen are no part of the payload hash", "[command]") {
  const auto first = parsed(body());
  const auto again = parsed(
      R"({"key":"k-2","sender":"other","saw":{"play":3},"sent_at":"2026-10-05T14:03:11Z","input":{ },"code":"football.goal"})");
  REQUIRE(first.hash == again.hash);
  REQUIRE(first.hash != parsed(body({}, R"({"a":1})")).hash);
  auto other = envelope();
  other.ref = row_a;
  REQUIRE(first.hash != parsed(body(), other).hash);
}

TEST_CASE("the key may come in the header, and both must agree", "[command]") {
  auto from = envelope();
  from.idempotency_key = "from-header";
  REQUIRE(parsed(R"({"code":"football.goal","sender":"s","input":{}})", from).key == "from-header");
  from.idempotency_key = "k-1";
  REQUIRE(parsed(body(), from).key == "k-1");
  from.idempotency_key = "k-2";
  REQUIRE(refusal(body(), from).why->at == "/key");
  for (const std::string& bad :
       {std::string{}, std::string(limits::key_chars_max + 1, 'k'), std::string{"ü"}, std::string{"a\tb"}}) {
    from.idempotency_key = bad;
    REQUIRE(refusal(R"({"code":"football.goal","sender":"s","input":{}})", from).why->code == "bad_shape");
  }
}

TEST_CASE("a preview needs no key", "[command]") {
  auto from = envelope();
  const std::string text = R"({"code":"football.goal","sender":"s","input":{}})";
  REQUIRE(refusal(text, from).why->at == "/key");
  from.key_required = false;
  REQUIRE(parsed(text, from).key.empty());
}

TEST_CASE("the versions a sender saw are read", "[command]") {
  REQUIRE_FALSE(parsed(body()).saw.play);
  REQUIRE_FALSE(parsed(body(R"(,"saw":{})")).saw.play);
  REQUIRE(parsed(body(R"(,"saw":{"play":0})")).saw.play == 0);
  REQUIRE(parsed(body(R"(,"saw":{"play":9223372036854775807})")).saw.play == INT64_MAX);
  REQUIRE(parsed(body(R"(,"saw":{"rows":{}})")).saw.rows.empty());
  const auto rows = parsed(body(R"(,"saw":{"rows":{")" + row_b + R"(":7,")" + row_a + R"(":0}})")).saw.rows;
  REQUIRE(rows == std::vector<std::pair<uuid, std::int64_t>>{{*parse_uuid(row_a), 0}, {*parse_uuid(row_b), 7}});
}

TEST_CASE("bounds hold exactly", "[command]") {
  const auto with_key = [](const std::string& key) {
    return R"({"code":"c.d","sender":"s","input":{},"key":")" + key + "\"}";
  };
  REQUIRE(parsed(with_key(std::string(limits::key_chars_max, ' '))).key.size() == limits::key_chars_max);
  REQUIRE(refusal(with_key(std::string(limits::key_chars_max + 1, 'k'))).why->at == "/key");
  std::string sender;
  for (std::size_t i = 0; i < limits::sender_chars_max; ++i) sender += "ü";
  const auto with_sender = [](const std::string& name) {
    return R"({"code":"c.d","key":"k","input":{},"sender":")" + name + "\"}";
  };
  REQUIRE(parsed(with_sender(sender)).sender == sender);
  REQUIRE(refusal(with_sender(sender + "x")).why->at == "/sender");
  std::string rows;
  for (std::size_t i = 0; i <= limits::saw_rows_max; ++i) {
    uuid id;
    id.bytes[15] = static_cast<std::uint8_t>(i);
    rows += (i ? "," : "") + ("\"" + to_string(id) + "\":1");
    const bool within = i < limits::saw_rows_max;
    const auto result = parse_command(envelope(), body(R"(,"saw":{"rows":{)" + rows + "}}"));
    REQUIRE(std::holds_alternative<command>(result) == within);
  }
}

TEST_CASE("a body is taken up to 64 KiB, and beyond is too large", "[command]") {
  const auto filled = [](std::size_t bytes) {
    const auto empty = body({}, R"({"x":""})");
    return body({}, R"({"x":")" + std::string(bytes - empty.size(), 'x') + "\"}");
  };
  REQUIRE(filled(limits::body_bytes_max).size() == limits::body_bytes_max);
  REQUIRE(parsed(filled(limits::body_bytes_max)).key == "k-1");
  const auto no = refusal(filled(limits::body_bytes_max + 1));
  REQUIRE(no.why->code == "too_large");
  REQUIRE(http_status(no) == 413);
  REQUIRE(no.subject);
}

TEST_CASE("every malformed body is bad_shape, with its place", "[command]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"", ""},
      {"nonsense", ""},
      {"[]", ""},
      {"1", ""},
      {"\"text\"", ""},
      {"null", ""},
      {"{", ""},
      {body() + "x", ""},
      {body() + body(), ""},
      {body(R"(,"key":"k-1")"), "/key"},
      {body(R"(,"\u006bey":"k-1")"), "/key"},
      {body({}, R"({"a":{"b":1,"b":1}})"), "/input/a/b"},
      {body({}, R"({"a":"\u0000"})"), "/input/a"},
      {body({}, R"({"a":"\ud800"})"), "/input/a"},
      {body({}, R"({"a":NaN})"), "/input/a"},
      {body({}, R"({"a":[1,1e999]})"), "/input/a/1"},
      {body({}, R"({"a":)" + std::string(70, '[') + std::string(70, ']') + "}"), ""},
      {body({}, "{\"a\":\"\xff\"}"), ""},
      {body(R"(,"extra":1)"), "/extra"},
      {body(R"(,"a/b~c":1)"), "/a~1b~0c"},
      {body(R"(,"Key":"k")"), "/Key"},
      {R"({"code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"k","sender":"s","input":{}})", "/code"},
      {R"({"key":"k","code":"c.d","input":{}})", "/sender"},
      {R"({"key":"k","code":"c.d","sender":"s"})", "/input"},
      {R"({"key":1,"code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":null,"code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"","code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"ü","code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"a\nb","code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"a\u007f","code":"c.d","sender":"s","input":{}})", "/key"},
      {R"({"key":"k","code":7,"sender":"s","input":{}})", "/code"},
      {R"({"key":"k","code":"","sender":"s","input":{}})", "/code"},
      {R"({"key":"k","code":"c.ö","sender":"s","input":{}})", "/code"},
      {R"({"key":"k","code":")" + std::string(limits::code_chars_max + 1, 'c') + R"(","sender":"s","input":{}})",
       "/code"},
      {R"({"key":"k","code":"c.d","sender":"","input":{}})", "/sender"},
      {R"({"key":"k","code":"c.d","sender":[],"input":{}})", "/sender"},
      {body({}, "[]"), "/input"},
      {body({}, "null"), "/input"},
      {body({}, "\"{}\""), "/input"},
      {body({}, "1"), "/input"},
      {body(R"(,"saw":null)"), "/saw"},
      {body(R"(,"saw":[])"), "/saw"},
      {body(R"(,"saw":41)"), "/saw"},
      {body(R"(,"saw":{"plays":41})"), "/saw/plays"},
      {body(R"(,"saw":{"play":"41"})"), "/saw/play"},
      {body(R"(,"saw":{"play":41.0})"), "/saw/play"},
      {body(R"(,"saw":{"play":-1})"), "/saw/play"},
      {body(R"(,"saw":{"play":null})"), "/saw/play"},
      {body(R"(,"saw":{"play":9223372036854775808})"), "/saw/play"},
      {body(R"(,"saw":{"rows":[]})"), "/saw/rows"},
      {body(R"(,"saw":{"rows":{"x":1}})"), "/saw/rows/x"},
      {body(R"(,"saw":{"rows":{")" + row_a + R"(":"1"}})"), "/saw/rows/" + row_a},
      {body(R"(,"saw":{"rows":{")" + row_a + R"(":-1}})"), "/saw/rows/" + row_a},
      {body(R"(,"saw":{"rows":{"00000000-0000-4000-8000-00000000000B":1,"00000000-0000-4000-8000-00000000000b":2}})"),
       "/saw/rows/00000000-0000-4000-8000-00000000000b"},
      {body(R"(,"saw":{"play":1,"rows":{}})"), "/saw"},
      {body(R"(,"sent_at":null)"), "/sent_at"},
      {body(R"(,"sent_at":1759672991)"), "/sent_at"},
      {body(R"(,"sent_at":"yesterday")"), "/sent_at"},
      {body(R"(,"sent_at":"2026-02-30T14:03:11Z")"), "/sent_at"}};
  for (const auto& [text, at] : table) {
    CAPTURE(text);
    const auto no = refusal(text);
    REQUIRE(no.what == outcome::refused);
    REQUIRE(no.why->code == "bad_shape");
    REQUIRE(no.why->at.substr(0, at.size()) == at);
    if (text.find("[[[") == std::string::npos) REQUIRE(no.why->at == at);
    REQUIRE(no.why->message.back() == '.');
    REQUIRE(http_status(no) == 400);
    REQUIRE(no.subject);
    REQUIRE(no.trace.size() == 32);
    REQUIRE(no.seq == std::nullopt);
  }
}

TEST_CASE("an address that can name no subject is unknown", "[command]") {
  for (const std::string kind : {"", "match", "Fixture", "fixtures"}) {
    auto from = envelope();
    from.kind = kind;
    REQUIRE(refusal(body(), from).why->code == "unknown_subject");
  }
  for (const std::string bad : {"", "1", "6ba7b810-9dad-11d1-80b4-00c04fd430c", "../../etc"}) {
    auto from = envelope();
    from.ref = bad;
    const auto no = refusal(body(), from);
    REQUIRE(no.why->code == "unknown_subject");
    REQUIRE(http_status(no) == 404);
    REQUIRE_FALSE(no.subject);
    REQUIRE(no.key == "k-1");
    REQUIRE(no.code == "football.goal");
  }
  for (const std::string bad : {"", "Football", "a b", "a/b", "ü"}) {
    auto from = envelope();
    from.workflow = bad;
    const auto no = refusal(body(), from);
    REQUIRE(no.why->code == "unknown_command");
    REQUIRE(http_status(no) == 404);
  }
  auto competition = envelope();
  competition.kind = "competition";
  competition.workflow = "games";
  REQUIRE(parsed(body(), competition).subject.kind == subject_kind::competition);
}

TEST_CASE("a refusal says key and code again where they could be read", "[command]") {
  const auto wrong = refusal(body({}, "[]"));
  REQUIRE(wrong.key == "k-1");
  REQUIRE(wrong.code == "football.goal");
  const auto twice = refusal(body({}, R"({"a":1,"a":2})"));
  REQUIRE(twice.key == "k-1");
  REQUIRE(twice.code == "football.goal");
  REQUIRE(refusal("{").key.empty());
  REQUIRE(refusal(R"({"key":"ü","code":"c.d"})").key.empty());
  auto from = envelope();
  from.idempotency_key = "from-header";
  REQUIRE(refusal("{", from).key == "from-header");
}

TEST_CASE("a valid traceparent is taken over, an invalid one begins a new trace", "[command]") {
  auto from = envelope();
  from.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  REQUIRE(parsed(body(), from).trace == "4bf92f3577b34da6a3ce929d0e0e4736");
  REQUIRE(refusal("{", from).trace == "4bf92f3577b34da6a3ce929d0e0e4736");
  from.traceparent = "00-junk";
  REQUIRE(parsed(body(), from).trace.size() == 32);
}

TEST_CASE("no bytes at all make the parser do anything but answer", "[command]") {
  OMNIUM_PROPERTY("any bytes", [](const std::string& bytes) {
    const auto result = parse_command(envelope(), bytes);
    RC_ASSERT(std::holds_alternative<answer>(result));
  });
  OMNIUM_PROPERTY("a good body with one byte changed", [] {
    auto text = body(R"(,"saw":{"play":41},"sent_at":"2026-10-05T14:03:11.250Z")", R"({"a":[1,2.5,"\u00e9"]})");
    const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
    text[place] = *rc::gen::arbitrary<char>();
    const auto result = parse_command(envelope(), text);
    if (const auto* no = std::get_if<answer>(&result)) RC_ASSERT(no->why->code == "bad_shape");
  });
}
