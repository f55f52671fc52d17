#pragma once
// omnium ctl trace: its words, the request they make, and the way of each command it prints.
#include <simdjson.h>
#include <string>

namespace CLI {
class App;
}

namespace omnium::apps {

struct trace_words {
  std::string id, key, match; // one of them
  int hours = 0;
};
void declare_trace(CLI::App& app, trace_words& into);
std::string trace_target(const trace_words& words);
void print_trace(simdjson::dom::element root);

} // namespace omnium::apps
