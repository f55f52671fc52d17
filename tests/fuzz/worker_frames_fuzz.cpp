// Whatever a worker sends, in whatever pieces: frames within their bounds, or a fault after which nothing more comes.
// The other direction as well: what a worker is asked.
#include "runtime/core/limits.hpp"
#include "runtime/sport/frames.hpp"
#include "sports/worker/request.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

using namespace omnium;

namespace {

void as_keeper(std::string_view bytes, std::size_t piece) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return;
  sport::frame_reader reader;
  while (!bytes.empty()) {
    auto sent = ::write(ends[0], bytes.data(), std::min(piece, bytes.size()));
    if (sent <= 0 || !reader.receive(ends[1])) break;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    while (auto frame = reader.next()) {
      fuzz::must(reader.fault().empty(), "a frame comes only while there is no fault");
      fuzz::must(frame->state.size() <= limits::worker_frame_bytes_max, "a state is within the frame's bound");
    }
    if (reader.fault().empty()) continue;
    fuzz::must(!reader.next(), "after a fault nothing more comes");
    break;
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

void as_worker(std::string_view bytes) {
  static worker::request_reader reader;
  std::string frame(bytes);
  frame.resize(bytes.size() + 64); // simdjson's padding
  worker::request out;
  std::string fault;
  if (!reader.read(frame.data(), bytes.size(), frame.size(), out, fault))
    fuzz::must(!fault.empty(), "a no has a reason");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  auto rest = fuzz::text_of(data + 1, size - 1);
  if (data[0] % 2 == 0) as_keeper(rest, 1 + data[0]);
  else as_worker(rest);
  return 0;
}
