#pragma once
// What omnium ctl prints of a node's answers: tables and trees.
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::apps {

std::string shown(simdjson::dom::element value);                       // null: "-"
std::string member(simdjson::dom::object from, std::string_view name); // of a member, likewise; none: "-"
void print_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
void print_items(simdjson::dom::element root, const std::vector<std::string>& columns); // of the list "items"
void print_tree(simdjson::dom::object node, std::size_t depth = 0);
void print_workers(simdjson::dom::element tree);
std::string workers_json(simdjson::dom::element tree);
void print_alerts(simdjson::dom::element root); // and the silences, where there are any
void print_tokens(simdjson::dom::element root);

} // namespace omnium::apps
