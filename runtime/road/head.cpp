#include "runtime/road/head.hpp"

#include <simdjson.h>
#include <utility>

namespace omnium::road {

void recent_answers::add(const std::string& key, entry what) {
  if (!by_key_.insert_or_assign(key, std::move(what)).second) return;
  order_.push_back(key);
  if (order_.size() <= limits::recent_keys_max) return;
  by_key_.erase(order_.front());
  order_.pop_front();
}

const recent_answers::entry* recent_answers::find(const std::string& key) const {
  auto it = by_key_.find(key);
  return it == by_key_.end() ? nullptr : &it->second;
}

void recent_items::add(log_item item) {
  items_.push_back(std::move(item));
  if (items_.size() > limits::recent_items_max) items_.pop_front();
}

bool recent_items::covers(std::int64_t seq, std::int64_t last_seq) const {
  if (seq >= last_seq) return true;
  return !items_.empty() && items_.front().seq <= seq + 1 && items_.back().seq == last_seq;
}

std::vector<log_item> recent_items::after(std::int64_t seq) const {
  std::vector<log_item> out;
  for (const auto& item : items_)
    if (item.seq > seq) out.push_back(item);
  return out;
}

scoreboard_facts read_scoreboard(const std::string& text) {
  scoreboard_facts out;
  if (text.empty()) return out;
  thread_local simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text).get(root)) return out;
  std::string_view value;
  if (!root["status"].get(value)) out.status = value;
  if (!root["period"].get(value)) out.period = value;
  return out;
}

} // namespace omnium::road
