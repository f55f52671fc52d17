#pragma once
// Loads a plugin's package into this process: the worker's and the test harness's way to a sport. The server itself
// never loads one.
#include "omnium/sport_abi.h"

#include <string>
#include <string_view>

namespace omnium::sdk {

// Owns the library's handle; moves, never copies. Sessions must be closed before it goes.
class loaded_plugin {
public:
  loaded_plugin() = default;
  loaded_plugin(loaded_plugin&& other) noexcept;
  loaded_plugin& operator=(loaded_plugin&& other) noexcept;
  ~loaded_plugin();

  // `path` as dlopen takes it. On failure `error()` is a sentence and api() is null.
  static loaded_plugin load(const std::string& path);

  const omnium_sport_api* api() const { return api_; }
  const std::string& error() const { return error_; }

private:
  void* handle_ = nullptr;
  const omnium_sport_api* api_ = nullptr;
  std::string error_;
};

// Why this host cannot speak with a table; empty: it can. Older tables may be shorter, newer ABIs are refused.
std::string api_fault(const omnium_sport_api* api);

inline omnium_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }

// A host whose `write` appends to `out`; lines for the log go to stderr.
omnium_sport_host host_writing_to(std::string& out);

} // namespace omnium::sdk
