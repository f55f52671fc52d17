// omnium-sport-worker PLUGIN MEMORY_BYTES FRAME_BYTES: one plugin, one channel on descriptor 3, no rights.
// Started by runtime/sport; the frames are in docs/worker-protocol.md.
#include "omnium/sport_loader.hpp"
#include "sports/worker/channel.hpp"
#include "sports/worker/confinement.hpp"
#include "sports/worker/request.hpp"
#include "sports/worker/runner.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace omnium;

constexpr int usage_error = 2, start_error = 3, channel_error = 4;

bool number(const char* text, std::size_t& out) {
  const auto* end = text + std::strlen(text);
  return std::from_chars(text, end, out).ptr == end;
}

// The keeper learns in words why there will be no worker.
int give_up(worker::channel& out, const std::string& why) {
  std::string frame = R"({"start_error":")";
  for (const char c : why) frame += c == '"' || c == '\\' ? '\'' : (c >= 0x20 && c < 0x7F ? c : '?');
  out.add_frame(frame += "\"}");
  out.flush();
  return start_error;
}

int serve(worker::channel& io, const omnium_sport_api& api, std::size_t frame_bytes) {
  io.add_frame(R"({"ready":)" + std::to_string(api.abi) + "}");
  if (!io.flush()) return channel_error;
  worker::runner runner(api, io, frame_bytes / 4); // a frame holds a state, a scoreboard and a verdict
  worker::request_reader reader;
  worker::request what;
  std::string fault;
  while (io.read_frame()) {
    worker::renew_cpu_limit();
    if (reader.read(io.data(), io.size(), io.capacity(), what, fault)) runner.run(what);
    else io.add_frame(R"({"open_error":")" + fault + "\"}");
  }
  return 0;
}

int run(const char* plugin_file, std::size_t memory_bytes, std::size_t frame_bytes) {
  worker::channel io(frame_bytes);
  std::string fault;
  const auto folder = std::filesystem::path(plugin_file).parent_path().string();
  if (!worker::set_limits(memory_bytes, fault) || !worker::confine_before_load(folder, fault))
    return give_up(io, fault);
  const auto plugin = sdk::loaded_plugin::load(plugin_file);
  if (plugin.api() == nullptr) return give_up(io, plugin.error());
  if (!worker::confine_after_load(fault)) return give_up(io, fault);
  const int status = serve(io, *plugin.api(), frame_bytes);
  _exit(status); // no destructors of the plugin's: there is nothing to save
}

} // namespace

int main(int argc, char** argv) {
  std::size_t memory_bytes = 0, frame_bytes = 0;
  if (argc != 4 || !number(argv[2], memory_bytes) || !number(argv[3], frame_bytes)) {
    std::fputs("usage: omnium-sport-worker PLUGIN MEMORY_BYTES FRAME_BYTES (started by omnium, not by hand)\n", stderr);
    return usage_error;
  }
  try {
    _exit(run(argv[1], memory_bytes, frame_bytes));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "omnium-sport-worker: %s\n", e.what());
    _exit(start_error);
  }
}
