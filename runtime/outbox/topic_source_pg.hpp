#pragma once
// Topics from the database, on the read pool.
#include "runtime/outbox/topic_source.hpp"
#include "runtime/postgres/executor.hpp"

namespace omnium::outbox {

class topic_source_pg final : public topic_source {
public:
  explicit topic_source_pg(pg::executor& pool) : pool_(pool) {}
  void ask(const wire::live_topic& topic, std::optional<std::int64_t> have,
           std::function<void(topic_answer)> done) override;

private:
  pg::executor& pool_;
};

} // namespace omnium::outbox
