#pragma once
// The two doors between the wire and the actors: anon_send in, the ticket's callback out. Also what GET
// /fixtures/{id}/state needs of a match actor. Thread-safe; called on the wire's thread, answers on an actor's.
#include "actors/actors.hpp"
#include "actors/scheduling.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/ops/trace_book.hpp"
#include "runtime/wire/service.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace omnium::actors {

class gateway final : public wire::service {
public:
  using read_fn = std::function<void(wire::read_request, std::function<void(wire::read_reply)>)>;
  // A match's last_seq in the database; 0: no such match; nullopt: the database is not available. Any thread.
  using head_fn = std::function<void(const uuid&, std::function<void(std::optional<std::int64_t>)>)>;
  gateway(caf::actor_system& system, host_door& hosts, matches_actor matches, sports_actor sports,
          ops::metrics& metrics, read_fn reads, head_fn head, ops::trace_book& traces)
      : system_(system), hosts_(hosts), matches_(std::move(matches)), sports_(std::move(sports)), metrics_(metrics),
        reads_(std::move(reads)), head_(std::move(head)), traces_(traces) {}
  ~gateway() override;

  void submit(command_ptr what, std::function<void(wire::encoded_answer)> done) override;
  void preview(command_ptr what, std::function<void(wire::encoded_answer)> done) override;
  void read(wire::read_request what, std::function<void(wire::read_reply)> done) override;
  void act(wire::action_request what, std::function<void(wire::read_reply)> done) override;

private:
  void send(command_ptr what, bool preview, std::function<void(wire::encoded_answer)> done);
  void read_state(const uuid& fixture, std::function<void(wire::read_reply)> done);

  void read_tree(std::function<void(wire::read_reply)> done);
  void read_matches(std::function<void(wire::read_reply)> done);
  void restart(const std::string& name, std::function<void(wire::read_reply)> done);

  caf::actor_system& system_;
  host_door& hosts_;
  matches_actor matches_;
  sports_actor sports_;
  ops::metrics& metrics_;
  read_fn reads_;
  head_fn head_;
  ops::trace_book& traces_;
  // Heads are told on a thread that may outlive the actors: what comes after the gateway ended is sent to nobody.
  struct entrance {
    std::mutex guard;
    bool open = true;
  };
  std::shared_ptr<entrance> entrance_ = std::make_shared<entrance>();
};

} // namespace omnium::actors
