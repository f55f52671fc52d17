#pragma once
// Where our own programs (ctl, replay, bench) take their token from, so that on the server's machine nobody types one.
#include <string>
#include <string_view>

namespace omnium::wire {

inline constexpr std::string_view first_token_file = "first-token"; // in a server's data folder

// The first word of a file; empty when it cannot be read.
std::string read_token_file(const std::string& file);

// `given` (a flag) if not empty, else OMNIUM_TOKEN, else <data_dir>/first-token where `url` is a server on this
// machine: nobody else is to see it. Empty: none of them; requests then go without a token.
std::string find_token(const std::string& given, const std::string& data_dir, std::string_view url);

} // namespace omnium::wire
