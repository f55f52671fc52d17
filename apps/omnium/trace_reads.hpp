#pragma once
// GET /ops/trace/{id}, GET /ops/trace?key=K and GET /ops/trace?match=ID: the way of one trace's commands, or of a
// match's newest, from what this node remembers and from the rows that stay. Answered on the read pool, never on the
// road.
#include "runtime/ops/trace_book.hpp"
#include "runtime/postgres/executor.hpp"
#include "runtime/wire/service.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace omnium::apps {

// What is asked for: one of the three.
struct trace_query {
  std::string trace, key;
  std::optional<subject_ref> match;
  int hours =
      0; // how far back rows are looked for in any case; 0: only where the id's own time and memory find nothing
};

class trace_reads {
public:
  trace_reads(pg::executor& pool, const ops::trace_book& book, std::string node)
      : pool_(pool), book_(book), node_(std::move(node)) {}
  // False: another address.
  bool answer(const wire::read_request& what, const std::function<void(wire::read_reply)>& done);

private:
  void look_up(trace_query what, std::function<void(wire::read_reply)> done);
  pg::executor& pool_;
  const ops::trace_book& book_;
  std::string node_;
};

} // namespace omnium::apps
