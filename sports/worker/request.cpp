#include "sports/worker/request.hpp"

#include <simdjson.h>

namespace omnium::worker {
namespace {

namespace ondemand = simdjson::ondemand;

bool raw_object(ondemand::value from, std::string_view& out) {
  ondemand::object object;
  return !from.get_object().get(object) && !object.raw_json().get(out);
}

bool read_event(ondemand::object from, run_event& out) {
  for (auto field : from) {
    std::string_view name;
    ondemand::value member;
    if (field.unescaped_key().get(name) || field.value().get(member)) return false;
    const bool read = name == "seq"       ? !member.get_int64().get(out.seq)
                      : name == "code"    ? !member.get_string().get(out.code)
                      : name == "at"      ? !member.get_string().get(out.at)
                      : name == "input"   ? raw_object(member, out.input)
                      : name == "settled" ? !member.get_bool().get(out.settled)
                      : name == "fresh"   ? !member.get_bool().get(out.fresh)
                                          : false;
    if (!read) return false;
  }
  return !out.code.empty() && !out.input.empty();
}

bool read_events(ondemand::value from, std::vector<run_event>& out) {
  ondemand::array events;
  if (from.get_array().get(events)) return false;
  for (auto item : events) {
    ondemand::object object;
    if (item.get_object().get(object) || !read_event(object, out.emplace_back())) return false;
  }
  return true;
}

bool read_mode(ondemand::value from, mode& out) {
  std::string_view name;
  if (from.get_string().get(name)) return false;
  if (name == "describe") out = mode::describe;
  else if (name == "decide") out = mode::decide;
  else if (name == "replay") out = mode::replay;
  else if (name == "check") out = mode::check;
  else return false;
  return true;
}

} // namespace

struct request_reader::impl {
  ondemand::parser parser;
};

request_reader::request_reader() : impl_(new impl) {}
request_reader::~request_reader() { delete impl_; }

bool request_reader::read(const char* data, std::size_t size, std::size_t capacity, request& out, std::string& fault) {
  out.mode = mode::describe;
  out.keep_refused = false;
  out.settings = out.state = {};
  out.events.clear();
  ondemand::document document;
  ondemand::object root;
  if (impl_->parser.iterate(simdjson::padded_string_view(data, size, capacity)).get(document) ||
      document.get_object().get(root))
    return fault = "The request is no JSON object.", false;
  for (auto field : root) {
    std::string_view name;
    ondemand::value member;
    if (field.unescaped_key().get(name) || field.value().get(member)) return fault = "The request is no JSON.", false;
    const bool read = name == "run"            ? read_mode(member, out.mode)
                      : name == "keep_refused" ? !member.get_bool().get(out.keep_refused)
                      : name == "settings"     ? raw_object(member, out.settings)
                      : name == "state"        ? raw_object(member, out.state)
                      : name == "events"       ? read_events(member, out.events)
                                               : false;
    if (!read) return fault = "The request's member " + std::string(name) + " cannot be read.", false;
  }
  return true;
}

} // namespace omnium::worker
