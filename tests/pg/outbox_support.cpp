#include "tests/pg/outbox_support.hpp"

#include <stdexcept>

namespace omnium::testing {
namespace {

using namespace std::chrono_literals;

std::int64_t version_of(const std::string& frame) {
  auto at = frame.find("\"version\":");
  return at == std::string::npos ? -1 : std::stoll(frame.substr(at + 10));
}

} // namespace

void screen::send(wire::bytes_ptr frame) {
  std::lock_guard lock(guard_);
  frames_.push_back(*frame);
  changed_.notify_all();
}

std::vector<std::string> screen::frames() const {
  std::lock_guard lock(guard_);
  return frames_;
}

std::vector<std::int64_t> screen::versions() const {
  std::vector<std::int64_t> out;
  for (const auto& frame : frames()) {
    auto version = version_of(frame);
    out.push_back(frame.starts_with(R"({"t":"snapshot")") ? -version - 1 : version);
  }
  return out;
}

bool screen::reaches(std::int64_t version, std::chrono::milliseconds within) const {
  std::unique_lock lock(guard_);
  return changed_.wait_for(lock, within, [&] { return !frames_.empty() && version_of(frames_.back()) >= version; });
}

bool screen::unbroken(std::int64_t upto) const {
  auto seen = versions();
  if (seen.empty() || seen[0] >= 0) return false;
  auto at = -seen[0] - 1;
  for (std::size_t i = 1; i < seen.size(); ++i)
    if (seen[i] != ++at) return false;
  return at == upto;
}

screen_ptr screens_node::watch(const uuid& fixture, std::optional<std::int64_t> have) {
  auto out = std::make_shared<screen>();
  hub.subscribe({wire::live_topic::kind::fixture, fixture}, have, "1", out);
  if (!have && !out->reaches(0, 5s)) throw std::runtime_error("no snapshot");
  return out;
}

double metric(ops::metrics& of, const std::string& name) {
  auto text = of.registry.expose();
  auto at = text.find("\n" + name + " ");
  if (at == std::string::npos) throw std::runtime_error("no metric " + name);
  return std::stod(text.substr(at + name.size() + 2));
}

} // namespace omnium::testing
