#include "apps/omnium/ctl_print.hpp"

#include "runtime/core/json.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <fmt/format.h>
#include <functional>

namespace omnium::apps {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

namespace {

// Each worker in the tree, with the name of its release.
void each_worker(element root, const std::function<void(std::string_view release, object worker)>& take) {
  array branches, releases, workers;
  if (root["children"].get(branches)) return;
  for (object branch : branches)
    if (!branch["children"].get(releases))
      for (object release : releases)
        if (!release["workers"].get(workers))
          for (object worker : workers) take(release["name"].get_string().value(), worker);
}

// "competition 01…, fixture 01…" of a token that is limited.
std::string limits_of(object token) {
  std::string out;
  for (const auto& [list, word] : {std::pair{"competitions", "competition"}, std::pair{"fixtures", "fixture"}}) {
    array ids;
    if (!token[list].get(ids))
      for (element id : ids) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", word, shown(id));
  }
  return out.empty() ? "-" : out;
}

} // namespace

std::string shown(element value) {
  std::string_view text;
  if (!value.get(text)) return std::string(text);
  return value.is_null() ? "-" : simdjson::minify(value);
}

std::string member(object from, std::string_view name) {
  element value;
  return from[name].get(value) ? "-" : shown(value);
}

void print_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& name : head) width.push_back(name.size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  auto print = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  };
  print(head);
  for (const auto& row : rows) print(row);
}

void print_items(element root, const std::vector<std::string>& columns) {
  array items;
  std::vector<std::vector<std::string>> rows;
  if (!root["items"].get(items))
    for (object item : items) {
      std::vector<std::string> row;
      for (const auto& column : columns) row.push_back(member(item, column));
      rows.push_back(std::move(row));
    }
  print_table(columns, rows);
}

void print_tree(object node, std::size_t depth) {
  std::string facts;
  for (auto [name, value] : node)
    if (name != "name" && name != "children" && name != "workers") facts += fmt::format("  {}={}", name, shown(value));
  fmt::print("{:{}}{}{}\n", "", depth * 2, member(node, "name"), facts);
  for (auto below : {"children", "workers"}) {
    array nodes;
    if (!node[below].get(nodes))
      for (object child : nodes) print_tree(child, depth + 1);
  }
}

void print_workers(element root) {
  std::vector<std::vector<std::string>> rows;
  each_worker(root, [&](std::string_view release, object worker) {
    rows.push_back({std::string(release), member(worker, "name"), member(worker, "pid"), member(worker, "busy"),
                    member(worker, "restarts"), member(worker, "starts"), member(worker, "kills"),
                    member(worker, "balls")});
  });
  print_table({"release", "worker", "pid", "busy", "restarts", "starts", "kills", "balls"}, rows);
}

std::string workers_json(element root) {
  std::string items;
  each_worker(root, [&](std::string_view release, object worker) {
    auto rest = simdjson::minify(worker).substr(1);
    items += fmt::format(R"({}{{"release":{},{})", items.empty() ? "" : ",", json::quoted(release), rest);
  });
  return fmt::format(R"({{"items":[{}],"next":null}})", items);
}

void print_alerts(element root) {
  print_items(root, {"id", "state", "severity", "rule", "key", "count", "opened_at", "acknowledged_by", "detail"});
  array silences;
  if (root["silences"].get(silences) || silences.size() == 0) return;
  std::vector<std::vector<std::string>> rows;
  for (object one : silences)
    rows.push_back({member(one, "rule"), member(one, "key"), member(one, "until"), member(one, "who")});
  fmt::print("\n");
  print_table({"silenced", "key", "until", "by"}, rows);
}

void print_tokens(element root) {
  const std::vector<std::string> columns = {"name",       "role",       "prefix",    "created_by",
                                            "created_at", "expires_at", "revoked_at"};
  array items;
  std::vector<std::vector<std::string>> rows;
  if (!root["items"].get(items))
    for (object item : items) {
      rows.emplace_back();
      for (const auto& column : columns) rows.back().push_back(member(item, column));
      rows.back().push_back(limits_of(item));
    }
  auto head = columns;
  head.emplace_back("limited_to");
  print_table(head, rows);
}

} // namespace omnium::apps
