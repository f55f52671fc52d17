// Arrays in Postgres' binary format are those that the server reads from the same values as text.
#include "runtime/core/hashing.hpp"
#include "runtime/postgres/binary_array.hpp"
#include "runtime/postgres/pqxx_compat.hpp"
#include "tests/catch.hpp"
#include "tests/support/database.hpp"

#include <fmt/format.h>

using namespace omnium;
using pg::element;

namespace {

// An array as text, by the manual's rules.
struct literal {
  std::vector<std::string> elements;
  void add_null() { elements.emplace_back("NULL"); }
  void add(std::int64_t value) { elements.push_back(std::to_string(value)); }
  void add(std::string_view text) {
    std::string quoted = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    elements.push_back(quoted + '"');
  }
  std::string done() const { return fmt::format("{{{}}}", fmt::join(elements, ",")); }
};

struct asked_server {
  testing::database db;
  pqxx::connection connection = db.connect();
  asked_server() {
    for (const auto* type : {"text", "int8", "int4", "boolean", "bytea", "uuid"})
      connection.prepare(type, fmt::format("SELECT $1::{0}[] IS NOT DISTINCT FROM $2::{0}[]", type));
  }
  bool same(const char* type, pg::array_bytes& binary, const literal& text) {
    pqxx::nontransaction tx(connection);
    return tx.exec_prepared(type, pg::binary(binary.done()), text.done())[0][0].as<bool>();
  }
};

template<class Value>
std::vector<std::optional<Value>> some(const rc::Gen<Value>& of) {
  return *rc::gen::container<std::vector<std::optional<Value>>>(
      rc::gen::oneOf(rc::gen::map(of, [](Value value) { return std::optional<Value>(std::move(value)); }),
                     rc::gen::map(of, [](Value value) { return std::optional<Value>(std::move(value)); }),
                     rc::gen::just(std::optional<Value>())));
}

} // namespace

TEST_CASE("an array is the same in binary and as text") {
  asked_server server;
  CHECK(rc::check([&] {
    pg::binary_array<element::text> texts;
    pg::binary_array<element::int8> longs;
    pg::binary_array<element::int4> ints;
    pg::binary_array<element::boolean> flags;
    pg::binary_array<element::bytea> bytes;
    literal texts_text, longs_text, ints_text, flags_text, bytes_text;
    const auto pieces = rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("\"", "\\", "{", "}", ",", "NULL", " ", "é", "𝄞", "\x1e", "\n", "a"));
    for (const auto& text :
         some<std::string>(rc::gen::map(pieces, [](const auto& of) { return fmt::format("{}", fmt::join(of, "")); }))) {
      text ? texts.add(std::string_view(*text)) : texts.add_null();
      text ? texts_text.add(std::string_view(*text)) : texts_text.add_null();
    }
    for (const auto& number : some<std::int64_t>(rc::gen::arbitrary<std::int64_t>())) {
      longs.add(number);
      number ? longs_text.add(*number) : longs_text.add_null();
    }
    for (const auto& number : some<std::int32_t>(rc::gen::arbitrary<std::int32_t>())) {
      number ? ints.add(*number) : ints.add_null();
      number ? ints_text.add(std::int64_t{*number}) : ints_text.add_null();
    }
    for (const auto& flag : some<bool>(rc::gen::arbitrary<bool>())) {
      flag ? flags.add(*flag) : flags.add_null();
      flag ? flags_text.add(std::string_view(*flag ? "t" : "f")) : flags_text.add_null();
    }
    for (const auto& blob : some<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::vector<std::uint8_t>>())) {
      blob ? bytes.add(std::span<const std::uint8_t>(*blob)) : bytes.add_null();
      blob ? bytes_text.add(std::string_view("\\x" + hex(*blob))) : bytes_text.add_null();
    }
    RC_ASSERT(server.same("text", texts, texts_text));
    RC_ASSERT(server.same("int8", longs, longs_text));
    RC_ASSERT(server.same("int4", ints, ints_text));
    RC_ASSERT(server.same("boolean", flags, flags_text));
    RC_ASSERT(server.same("bytea", bytes, bytes_text));
  }));
}

TEST_CASE("ids go as they are, and more may be added to an array that was asked for") {
  asked_server server;
  pg::binary_array<element::uuid> ids;
  literal text;
  CHECK(server.same("uuid", ids, text));
  for (int n = 0; n < 3; ++n) {
    const auto id = make_uuid7();
    ids.add(id);
    text.add(std::string_view(to_string(id)));
    auto upto = text;
    CHECK(server.same("uuid", ids, upto));
  }
}
