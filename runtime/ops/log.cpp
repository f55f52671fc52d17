#include "runtime/ops/log.hpp"
#include "runtime/core/clock.hpp"

#include <memory>
#include <mutex>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace omnium::ops {
namespace {

constexpr std::size_t log_queue_lines_max = 8192; // beyond: the oldest lines are dropped

std::atomic<log_level> active_level{log_level::info};
std::mutex sink_lock;
std::shared_ptr<spdlog::details::thread_pool> pool;
std::shared_ptr<spdlog::logger> logger;

std::shared_ptr<spdlog::logger> current_logger() {
  std::lock_guard hold(sink_lock);
  if (!logger) {
    logger = std::make_shared<spdlog::logger>("omnium", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    logger->set_level(spdlog::level::trace);
  }
  return logger;
}

std::string_view name_of(log_level level) {
  constexpr std::string_view names[] = {"debug", "info", "warn", "error", "off"};
  return names[static_cast<std::size_t>(level)];
}

// Length of the valid UTF-8 sequence at `at`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(at);
  std::size_t size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (byte(at + i) >> 6 != 2) return 0;
  }
  bool overlong = (size == 2 && first < 0xC2) || (size == 3 && first == 0xE0 && byte(at + 1) < 0xA0) ||
                  (size == 4 && first == 0xF0 && byte(at + 1) < 0x90);
  bool outside = (size == 3 && first == 0xED && byte(at + 1) > 0x9F) ||
                 (size == 4 && (first > 0xF4 || (first == 0xF4 && byte(at + 1) > 0x8F)));
  return overlong || outside ? 0 : size;
}

void append_escaped(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  for (std::size_t at = 0; at < text.size();) {
    auto c = static_cast<unsigned char>(text[at]);
    auto size = utf8_length(text, at);
    if (size == 0) {
      out += "\\ufffd";
      ++at;
      continue;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c == 0x7F) {
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
    } else {
      out.append(text, at, size);
    }
    at += size;
  }
}

void member(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out.append(",\"").append(name).append("\":\"");
  append_escaped(out, value);
  out += '"';
}

} // namespace

bool parse_log_level(std::string_view text, log_level& out) {
  for (auto level : {log_level::debug, log_level::info, log_level::warn, log_level::error, log_level::off}) {
    if (text == name_of(level)) return out = level, true;
  }
  return false;
}

std::string format_log_line(std::string_view ts, log_level level, std::string_view msg, const log_fields& fields) {
  std::string out;
  out.reserve(128 + msg.size());
  out.append("{\"ts\":\"").append(ts).append("\",\"level\":\"").append(name_of(level)).append("\",\"msg\":\"");
  append_escaped(out, msg);
  out += '"';
  member(out, "trace", fields.trace);
  member(out, "match", fields.match);
  member(out, "command", fields.command);
  member(out, "sport", fields.sport);
  member(out, "release", fields.release);
  member(out, "code", fields.code);
  out += '}';
  return out;
}

std::string start_log(log_level level, const std::string& file) try {
  spdlog::sink_ptr sink;
  if (file.empty()) {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  } else {
    sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
  }
  auto made_pool = std::make_shared<spdlog::details::thread_pool>(log_queue_lines_max, 1);
  auto made = std::make_shared<spdlog::async_logger>("omnium", std::move(sink), made_pool,
                                                     spdlog::async_overflow_policy::overrun_oldest);
  made->set_pattern("%v");
  made->set_level(spdlog::level::trace);
  made->flush_on(spdlog::level::trace);
  std::lock_guard hold(sink_lock);
  active_level = level;
  logger = std::move(made);
  pool = std::move(made_pool);
  return {};
} catch (const std::exception& e) {
  return std::string("the log cannot be opened: ") + e.what();
}

void set_log_level(log_level level) { active_level = level; }

void stop_log() {
  std::lock_guard hold(sink_lock);
  logger.reset();
  pool.reset(); // joins the writer after it wrote what waits
}

void log(log_level level, std::string_view msg, const log_fields& fields) {
  auto lowest = active_level.load(std::memory_order_relaxed);
  if (level < lowest || level == log_level::off) return;
  current_logger()->info(format_log_line(now_utc_ms(), level, msg, fields));
}

bool log_limit::due() {
  auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  auto next = next_.load(std::memory_order_relaxed);
  if (now < next || !next_.compare_exchange_strong(next, now + period_.count())) {
    counting_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  skipped_ = counting_.exchange(0);
  return true;
}

} // namespace omnium::ops
