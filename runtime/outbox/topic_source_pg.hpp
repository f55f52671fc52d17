#pragma once
// Topics from the database, on the read pool; `ops` from the node itself.
#include "runtime/outbox/topic_source.hpp"
#include "runtime/postgres/executor.hpp"

namespace omnium::outbox {

class topic_source_pg final : public topic_source {
public:
  using ops_fn = std::function<void(std::function<void(topic_answer)>)>;
  // Without `ops` there is no such topic.
  explicit topic_source_pg(pg::executor& pool, ops_fn ops = {}) : pool_(pool), ops_(std::move(ops)) {}
  void ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
           std::function<void(topic_answer)> done) override;

private:
  pg::executor& pool_;
  ops_fn ops_;
};

} // namespace omnium::outbox
