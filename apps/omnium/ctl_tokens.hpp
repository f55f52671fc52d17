#pragma once
// omnium ctl tokens create|list|revoke: the words, and the request each becomes.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::apps {

struct token_words {
  std::string name, role = "scorer", expires, which;
  std::vector<std::string> competitions, fixtures;
  bool names_sender = false, own_name_only = false;
  CLI::App *all = nullptr, *create = nullptr, *list = nullptr, *revoke = nullptr;
};
void declare_tokens(CLI::App& app, token_words& words);

struct token_request {
  std::string method = "GET", target = "/ops/tokens", body;
};
token_request request_of(const token_words& words);

// 90s, 15m, 12h, 30d as seconds; 0: none of these.
std::int64_t seconds_in(std::string_view text);

} // namespace omnium::apps
