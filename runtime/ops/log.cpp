#include "runtime/ops/log.hpp"
#include "runtime/core/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace omnium::ops {
namespace {

constexpr std::size_t log_queue_lines_max = 8192; // beyond: the oldest lines are dropped

// A file that is opened anew on request, so that another program may rename it (logrotate). No folder is made for it: a
// path that was misspelt is to be told, not followed.
class file_lines final : public spdlog::sinks::base_sink<std::mutex> {
public:
  explicit file_lines(std::string path) : path_(std::move(path)) {
    if (auto why = open_anew(); !why.empty()) throw std::runtime_error(why);
  }
  ~file_lines() override {
    if (fd_ >= 0) ::close(fd_);
  }
  // A sentence: the file open until now goes on being written.
  std::string open_anew() {
    int fd = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return path_ + ": " + std::strerror(errno);
    std::lock_guard hold(mutex_);
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
    return {};
  }

protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    spdlog::memory_buf_t text;
    formatter_->format(line, text);
    for (std::string_view rest(text.data(), text.size()); !rest.empty();) {
      auto done = ::write(fd_, rest.data(), rest.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) throw std::runtime_error(path_ + ": " + std::strerror(errno)); // told on standard error by spdlog
      rest.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  void flush_() override {}

private:
  std::string path_;
  int fd_ = -1;
};

std::atomic<log_level> active_level{log_level::info};
std::mutex sink_lock;
std::shared_ptr<file_lines> open_file; // null: standard error
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
  auto lines = file.empty() ? nullptr : std::make_shared<file_lines>(file);
  spdlog::sink_ptr sink = lines;
  if (!lines) sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
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
  open_file = std::move(lines);
  return {};
} catch (const std::exception& e) {
  return std::string("the log cannot be opened (log.file): ") + e.what();
}

std::string reopen_log() {
  std::shared_ptr<file_lines> file;
  {
    std::lock_guard hold(sink_lock);
    file = open_file;
  }
  auto why = file ? file->open_anew() : std::string();
  return why.empty() ? why : "the log stays in the file opened before: " + why;
}

std::string log_file_fault(const std::string& file) {
  if (file.empty()) return {};
  struct stat facts {};
  auto slash = file.rfind('/');
  auto folder = slash == std::string::npos ? std::string(".") : file.substr(0, std::max<std::size_t>(slash, 1));
  if (::stat(file.c_str(), &facts) == 0) {
    if (S_ISDIR(facts.st_mode)) return file + ": " + std::strerror(EISDIR);
    return ::access(file.c_str(), W_OK) == 0 ? std::string() : file + ": " + std::strerror(errno);
  }
  if (errno != ENOENT) return file + ": " + std::strerror(errno);
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? std::string() : "folder " + folder + ": " + std::strerror(errno);
}

void set_log_level(log_level level) { active_level = level; }

void stop_log() {
  std::lock_guard hold(sink_lock);
  logger.reset();
  open_file.reset();
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
