#include "omnium/sport_loader.hpp"

#include <cstdio>
#include <dlfcn.h>
#include <utility>

namespace omnium::sdk {

loaded_plugin::loaded_plugin(loaded_plugin&& other) noexcept { *this = std::move(other); }

loaded_plugin& loaded_plugin::operator=(loaded_plugin&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(api_, other.api_);
  std::swap(error_, other.error_);
  return *this;
}

loaded_plugin::~loaded_plugin() {
  if (handle_ != nullptr) dlclose(handle_);
}

std::string api_fault(const omnium_sport_api* api) {
  if (api == nullptr) return "The plugin says that it cannot work with ABI " + std::to_string(OMNIUM_SPORT_ABI) + ".";
  if (api->abi > OMNIUM_SPORT_ABI)
    return "The plugin was built for sport ABI " + std::to_string(api->abi) + "; this host speaks ABI " +
           std::to_string(OMNIUM_SPORT_ABI) + " and older.";
  constexpr auto needed = offsetof(omnium_sport_api, close) + sizeof api->close; // all of ABI 1
  if (api->abi == 0 || api->struct_size < needed)
    return "The plugin's table has " + std::to_string(api->struct_size) + " bytes; ABI 1 has " +
           std::to_string(needed) + ".";
  if (!api->describe || !api->open || !api->play || !api->state || !api->scoreboard || !api->close)
    return "The plugin's table lacks a function.";
  return {};
}

loaded_plugin loaded_plugin::load(const std::string& path) {
  loaded_plugin made;
  made.handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (made.handle_ == nullptr) {
    const char* why = dlerror();
    made.error_ = std::string("The plugin cannot be loaded: ") + (why ? why : "unknown reason");
    return made;
  }
  const auto entry = reinterpret_cast<omnium_sport_entry_fn>(dlsym(made.handle_, OMNIUM_SPORT_ENTRY));
  if (entry == nullptr) {
    made.error_ = std::string("The file exports no ") + OMNIUM_SPORT_ENTRY + ": it is no sport plugin.";
    return made;
  }
  const auto* api = entry(OMNIUM_SPORT_ABI);
  made.error_ = api_fault(api);
  if (made.error_.empty()) made.api_ = api;
  return made;
}

omnium_sport_host host_writing_to(std::string& out) {
  omnium_sport_host host{};
  host.struct_size = sizeof host;
  host.abi = OMNIUM_SPORT_ABI;
  host.context = &out;
  host.write = [](void* to, const char* data, size_t size) { static_cast<std::string*>(to)->append(data, size); };
  host.log = [](void*, const char* line, size_t size) {
    std::fwrite(line, 1, size, stderr);
    std::fputc('\n', stderr);
  };
  return host;
}

} // namespace omnium::sdk
