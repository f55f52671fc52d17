#include "runtime/wire/reply_line.hpp"

#include <utility>

namespace omnium::wire {
namespace {

constexpr std::size_t gather_max = 32; // replies in one write

} // namespace

std::uint64_t reply_line::owe(owed_reply place) {
  places_.push_back(std::move(place));
  return first_ + places_.size() - 1;
}

owed_reply* reply_line::open(std::uint64_t number) {
  if (number < first_ || number - first_ >= places_.size()) return nullptr;
  auto& place = places_[number - first_];
  return place.ready ? nullptr : &place;
}

bool reply_line::gather(const std::string& date, bool last_ends) {
  if (writing_ > 0) return false;
  gathered_.clear();
  for (auto& place : places_) {
    if (!place.ready || writing_ == gather_max || closing_) break;
    closing_ = !place.keep_alive || (last_ends && &place == &places_.back());
    place.head = format_head(place.reply, date, place.http_1_0, !closing_);
    gathered_.push_back(asio::buffer(place.head));
    auto content = place.reply.content();
    if (!place.head_only && !content.empty()) gathered_.push_back(asio::buffer(content.data(), content.size()));
    ++writing_;
  }
  return writing_ > 0;
}

void reply_line::sent(const std::function<void(const owed_reply&)>& told) {
  for (; writing_ > 0; --writing_) {
    told(places_.front());
    places_.pop_front();
    ++first_;
  }
  if (closing_) places_.clear(); // what came after the last request is not answered
}

} // namespace omnium::wire
