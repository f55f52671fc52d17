#include "apps/omnium/ctl_tokens.hpp"

#include "runtime/core/json.hpp"

#include <charconv>
#include <fmt/format.h>

namespace omnium::apps {
namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : ",") + json::quoted(text);
  return "[" + out + "]";
}

std::string create_body(const token_words& words) {
  auto out = fmt::format(R"({{"name":{},"role":{})", json::quoted(words.name), json::quoted(words.role));
  if (!words.competitions.empty()) out += ",\"competitions\":" + list_of(words.competitions);
  if (!words.fixtures.empty()) out += ",\"fixtures\":" + list_of(words.fixtures);
  if (!words.expires.empty()) out += fmt::format(R"(,"expires_in_s":{})", seconds_in(words.expires));
  if (words.names_sender || words.own_name_only)
    out += fmt::format(R"(,"may_name_sender":{})", words.names_sender && !words.own_name_only);
  return out + "}";
}

} // namespace

std::int64_t seconds_in(std::string_view text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end + 1 != text.data() + text.size() || number < 1 || number > 1'000'000'000) return 0;
  switch (*end) {
  case 's':
    return number;
  case 'm':
    return number * 60;
  case 'h':
    return number * 3600;
  case 'd':
    return number * 86400;
  default:
    return 0;
  }
}

void declare_tokens(CLI::App& app, token_words& words) {
  words.all = app.add_subcommand("tokens", "who may come in");
  words.all->require_subcommand(1);
  words.all->fallthrough();
  words.create = words.all->add_subcommand("create", "make a token; its text is printed this once");
  words.create->fallthrough();
  words.create->add_option("--name", words.name, "whose it is; the sender of its commands")->required();
  words.create->add_option("--role", words.role, "viewer, scorer, integrator, operator or admin")
      ->capture_default_str()
      ->check(CLI::IsMember({"viewer", "scorer", "integrator", "operator", "admin"}));
  words.create->add_option("--competition", words.competitions, "limit it to this competition; may be repeated");
  words.create->add_option("--fixture", words.fixtures, "limit it to this match; may be repeated");
  auto is_time = [](const std::string& text) {
    return seconds_in(text) > 0 ? std::string() : std::string("must be a time like 12h or 30d");
  };
  words.create->add_option("--expires", words.expires, "valid for so long: 90s, 15m, 12h, 30d (else for ever)")
      ->check(is_time);
  auto* names = words.create->add_flag("--names-sender", words.names_sender,
                                       "its commands may carry another sender (integrators and admins may anyway)");
  words.create->add_flag("--own-name-only", words.own_name_only, "its commands carry its own name, whatever the role")
      ->excludes(names);
  words.list = words.all->add_subcommand("list", "all tokens, newest first; never their texts");
  words.list->fallthrough();
  words.revoke = words.all->add_subcommand("revoke", "end a token and its open sockets");
  words.revoke->fallthrough();
  words.revoke->add_option("token", words.which, "its id, name or shown prefix")->required();
}

token_request request_of(const token_words& words) {
  if (words.create->parsed()) return {"POST", "/ops/tokens/create", create_body(words)};
  if (words.revoke->parsed()) return {"POST", "/ops/tokens/revoke", "{\"token\":" + json::quoted(words.which) + "}"};
  return {};
}

} // namespace omnium::apps
