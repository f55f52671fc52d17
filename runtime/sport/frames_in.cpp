#include "runtime/core/limits.hpp"
#include "runtime/sport/frames.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/socket.h>

namespace omnium::sport {
namespace {

using namespace std::string_view_literals;
namespace ondemand = simdjson::ondemand;
using kind = reply_frame::kind;

constexpr std::size_t read_bytes = 64 * 1024, padding = simdjson::SIMDJSON_PADDING;
constexpr std::size_t reason_code_bytes_max = 100, reason_text_bytes_max = 2000, voids_max = 1000;

bool raw_object(ondemand::value from, std::string& out) {
  ondemand::object object;
  std::string_view text;
  if (from.get_object().get(object) || object.raw_json().get(text)) return false;
  out = text;
  return true;
}

bool text_of(ondemand::value from, std::string& out, std::size_t bytes_max) {
  std::string_view text;
  if (from.get_string().get(text) || text.size() > bytes_max) return false;
  out = text;
  return true;
}

bool index_of(ondemand::value from, std::size_t& out) {
  std::uint64_t number = 0;
  if (from.get_uint64().get(number)) return false;
  out = number;
  return true;
}

bool read_reason(ondemand::value from, reason& out) {
  ondemand::object object;
  if (from.get_object().get(object)) return false;
  for (auto field : object) {
    std::string_view name;
    ondemand::value member;
    if (field.unescaped_key().get(name) || field.value().get(member)) return false;
    auto* to = name == "code"sv      ? &out.code
               : name == "message"sv ? &out.message
               : name == "at"sv      ? &out.at
               : name == "law"sv     ? &out.law
                                     : nullptr;
    if (to == nullptr || !text_of(member, *to, to == &out.code ? reason_code_bytes_max : reason_text_bytes_max))
      return false;
  }
  return !out.code.empty();
}

// {} or {"voids":[seq…]}
bool read_accepted(ondemand::value from, std::vector<std::int64_t>& voids) {
  ondemand::object object;
  if (from.get_object().get(object)) return false;
  for (auto field : object) {
    std::string_view name;
    ondemand::array list;
    if (field.unescaped_key().get(name) || name != "voids"sv || field.value().get_array().get(list)) return false;
    for (auto item : list)
      if (voids.size() >= voids_max || item.get_int64().get(voids.emplace_back())) return false;
  }
  return true;
}

bool read_member(std::string_view name, ondemand::value member, reply_frame& out) {
  const auto is = [&](kind what) { return out.what = what, true; };
  if (name == "event") return index_of(member, out.index);
  if (name == "accepted") return is(kind::accepted) && read_accepted(member, out.voids);
  if (name == "refused") return is(kind::refused) && read_reason(member, out.why);
  if (name == "done") return is(kind::done) && index_of(member, out.index);
  if (name == "playing") return is(kind::playing) && index_of(member, out.index);
  if (name == "us") return !member.get_int64().get(out.us) && out.us >= 0;
  if (name == "state") return raw_object(member, out.state) && out.state.size() <= limits::state_bytes_max;
  if (name == "scoreboard")
    return raw_object(member, out.scoreboard) && out.scoreboard.size() <= limits::scoreboard_bytes_max;
  if (name == "error") return is(kind::event_error) && text_of(member, out.text, reason_text_bytes_max);
  if (name == "open_error") return is(kind::open_error) && text_of(member, out.text, reason_text_bytes_max);
  if (name == "start_error") return is(kind::start_error) && text_of(member, out.text, reason_text_bytes_max);
  if (name == "ready") return is(kind::ready) && index_of(member, out.index);
  if (name == "description") return is(kind::description) && raw_object(member, out.text);
  return false;
}

std::size_t length_at(const char* head) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < frame_head_bytes; ++i)
    size |= std::size_t{static_cast<unsigned char>(head[i])} << (8 * i);
  return size;
}

} // namespace

struct frame_reader::parsers {
  simdjson::dom::parser whole;
  ondemand::parser parts;
};

frame_reader::frame_reader() : parsers_(std::make_unique<parsers>()), bytes_(read_bytes + padding) {}
frame_reader::~frame_reader() = default;

void frame_reader::reset() {
  begin_ = end_ = 0;
  fault_.clear();
  if (bytes_.size() > 16 * read_bytes) std::vector<char>(read_bytes + padding).swap(bytes_);
}

bool frame_reader::receive(int fd) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (bytes_.size() < end_ + read_bytes + padding) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (bytes_.size() < end_ + read_bytes + padding) bytes_.resize(2 * end_ + read_bytes + padding);
  }
  const auto got = ::recv(fd, bytes_.data() + end_, bytes_.size() - padding - end_, MSG_DONTWAIT);
  if (got > 0) end_ += static_cast<std::size_t>(got);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

std::optional<reply_frame> frame_reader::next() {
  if (!fault_.empty() || end_ - begin_ < frame_head_bytes) return std::nullopt;
  const auto size = length_at(bytes_.data() + begin_);
  if (size > limits::worker_frame_bytes_max) {
    fault_ = fmt::format("it sent a frame of {} bytes; the most is {}", size, limits::worker_frame_bytes_max);
    return std::nullopt;
  }
  if (end_ - begin_ - frame_head_bytes < size) return std::nullopt;
  const auto* json = bytes_.data() + begin_ + frame_head_bytes;
  const auto room = bytes_.size() - begin_ - frame_head_bytes;
  begin_ += frame_head_bytes + size;
  reply_frame out;
  if (decode({json, size}, room, out)) return out;
  if (fault_.empty()) fault_ = "it sent a frame that is none of the protocol's";
  return std::nullopt;
}

// Twice over the text: the whole of it is JSON in UTF-8, then the parts, those the road passes on as they are.
bool frame_reader::decode(std::string_view json, std::size_t room, reply_frame& out) {
  simdjson::dom::element checked;
  if (parsers_->whole.parse(json.data(), json.size(), false).get(checked)) {
    fault_ = "it sent a frame that is no JSON";
    return false;
  }
  ondemand::document document;
  ondemand::object object;
  if (parsers_->parts.iterate(simdjson::padded_string_view(json.data(), json.size(), room)).get(document) ||
      document.get_object().get(object))
    return false;
  for (auto field : object) {
    std::string_view name;
    ondemand::value member;
    if (field.unescaped_key().get(name) || field.value().get(member) || !read_member(name, member, out)) return false;
  }
  const bool board = out.what == kind::accepted || out.what == kind::done;
  return out.what != kind::none && (!board || !out.scoreboard.empty()) &&
         (out.what != kind::done || !out.state.empty());
}

} // namespace omnium::sport
