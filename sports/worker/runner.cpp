#include "sports/worker/runner.hpp"

#include <cstdio>
#include <unistd.h>

namespace omnium::worker {
namespace {

constexpr std::uint32_t decide_flag = OMNIUM_SPORT_DECIDE, evolve_flag = OMNIUM_SPORT_EVOLVE;
constexpr std::uint32_t again_flag = OMNIUM_SPORT_AGAIN;

omnium_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

void append_number(std::string& out, std::string_view name, std::int64_t number) {
  ((out += '"') += name) += "\":";
  out += std::to_string(number);
}

// A sentence of the plugin as a JSON string; what is not plain text in it is replaced.
void append_sentence(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text.substr(0, 1000)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 0x20 && c < 0x7F ? c : '?';
  }
  out += '"';
}

void log_line(void*, const char* line, std::size_t size) {
  std::string text(line, size);
  text += '\n';
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
    return; // the log is the keeper's; a full one is no reason to stop
}

} // namespace

runner::runner(const omnium_sport_api& api, channel& out, std::size_t reply_bytes_max)
    : api_(api), channel_(out), reply_bytes_max_(reply_bytes_max) {
  host_.struct_size = sizeof host_;
  host_.abi = OMNIUM_SPORT_ABI;
  host_.context = this;
  host_.write = &runner::write;
  host_.log = &log_line;
}

void runner::write(void* self, const char* data, std::size_t size) {
  auto& to = *static_cast<runner*>(self);
  if (size > to.reply_bytes_max_ - to.said_.size()) to.too_long_ = true;
  else to.said_.append(data, size);
}

int runner::call(std::size_t index, int (*what)(void*, const omnium_sport_host*)) {
  said_.clear();
  too_long_ = false;
  channel_.enter_plugin(index);
  int result = what(session_, &host_);
  channel_.leave_plugin();
  if (!too_long_) return result;
  said_ = "The sport wrote more than fits into a reply.";
  return OMNIUM_SPORT_ERROR;
}

int runner::play(std::size_t index, const run_event& what, std::uint32_t flags) {
  omnium_sport_event event{};
  event.struct_size = sizeof event;
  event.seq = what.seq;
  event.code = bytes(what.code);
  event.input = bytes(what.input);
  event.at = bytes(what.at);
  said_.clear();
  too_long_ = false;
  channel_.enter_plugin(index);
  const int result = api_.play(session_, &host_, &event, flags);
  channel_.leave_plugin();
  if (!too_long_) return result;
  said_ = "The sport wrote more than fits into a reply.";
  return OMNIUM_SPORT_ERROR;
}

bool runner::say_error(std::size_t index) {
  if (said_.empty()) said_ = "it answered with no result of the ABI and no reason";
  frame_ = "{";
  append_number(frame_, "event", static_cast<std::int64_t>(index));
  append_sentence(frame_ += R"(,"error":)", said_);
  frame_ += '}';
  channel_.add_frame(frame_);
  return false;
}

void runner::say_event(std::size_t index, std::string_view verdict) {
  frame_ = "{";
  append_number(frame_, "event", static_cast<std::int64_t>(index));
  ((frame_ += ",\"") += verdict) += "\":";
  frame_ += said_.empty() ? std::string_view("{}") : std::string_view(said_);
}

bool runner::decide(std::size_t index, run_event what) {
  what.seq = first_seq_ + accepted_;
  const int result = play(index, what, decide_flag | evolve_flag);
  if (result != OMNIUM_SPORT_ACCEPTED && result != OMNIUM_SPORT_REFUSED) return say_error(index);
  say_event(index, result == OMNIUM_SPORT_ACCEPTED ? "accepted" : "refused");
  const bool voids = result == OMNIUM_SPORT_ACCEPTED && !said_.empty();
  if (result == OMNIUM_SPORT_ACCEPTED) {
    ++accepted_;
    if (call(index, api_.scoreboard) != OMNIUM_SPORT_OK) return say_error(index);
    (frame_ += R"(,"scoreboard":)") += said_;
  }
  frame_ += '}';
  channel_.add_frame(frame_);
  done_ = index + 1;
  return !voids; // what follows a verdict that changes the past is not played
}

bool runner::check(std::size_t index, const run_event& what, bool keep_refused) {
  const auto asked = decide_flag | evolve_flag | (what.fresh ? 0u : again_flag);
  const int result = play(index, what, what.settled ? evolve_flag : asked);
  if (result == OMNIUM_SPORT_ACCEPTED) {
    if (!what.fresh || what.settled || said_.empty()) return true;
    say_event(index, "accepted"); // it would make others void: the caller must know
    frame_ += '}';
    channel_.add_frame(frame_);
    return true;
  }
  if (result != OMNIUM_SPORT_REFUSED) return say_error(index);
  say_event(index, "refused");
  frame_ += '}';
  channel_.add_frame(frame_);
  return !keep_refused || play(index, what, evolve_flag) == OMNIUM_SPORT_ACCEPTED || say_error(index);
}

// False: an error was said, and there is no state to finish with.
bool runner::play_events(const request& what) {
  first_seq_ = what.events.empty() ? 0 : what.events.front().seq;
  accepted_ = 0;
  done_ = 0;
  for (std::size_t i = 0; i < what.events.size(); ++i) {
    const auto& one = what.events[i];
    if (what.mode == mode::decide) {
      if (!decide(i, one)) return done_ > i;
      continue;
    }
    if (what.mode == mode::check && !check(i, one, what.keep_refused)) return false;
    if (what.mode == mode::replay && play(i, one, evolve_flag) != OMNIUM_SPORT_ACCEPTED) return say_error(i);
    done_ = i + 1;
  }
  return true;
}

void runner::finish(std::size_t done, std::int64_t since_us) {
  std::string end = "{";
  append_number(end, "done", static_cast<std::int64_t>(done));
  const auto last = done > 0 ? done - 1 : 0;
  if (call(last, api_.state) != OMNIUM_SPORT_OK) return void(say_error(last));
  (end += R"(,"state":)") += said_;
  if (call(last, api_.scoreboard) != OMNIUM_SPORT_OK) return void(say_error(last));
  (end += R"(,"scoreboard":)") += said_;
  append_number(end += ',', "us", now_us() - since_us);
  end += '}';
  channel_.add_frame(end);
}

void runner::describe() {
  said_.clear();
  too_long_ = false;
  channel_.enter_plugin(0);
  const int result = api_.describe(&host_);
  channel_.leave_plugin();
  if (result != OMNIUM_SPORT_OK || too_long_) return void(say_error(0));
  channel_.add_frame(R"({"description":)" + said_ + "}");
}

void runner::run(const request& what) {
  if (what.mode == mode::describe) return describe();
  const auto since = now_us();
  said_.clear();
  too_long_ = false;
  channel_.enter_plugin(0);
  session_ = api_.open(&host_, bytes(what.settings), bytes(what.state));
  channel_.leave_plugin();
  if (session_ == nullptr) {
    append_sentence(frame_ = R"({"open_error":)", said_);
    channel_.add_frame(frame_ += '}');
    return;
  }
  if (play_events(what)) finish(done_, since);
  channel_.enter_plugin(done_ > 0 ? done_ - 1 : 0);
  api_.close(session_);
  channel_.leave_plugin();
  session_ = nullptr;
}

} // namespace omnium::worker
