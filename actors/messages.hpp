#pragma once
// What travels between actors, and from plain threads into them. In-process only: every payload is an immutable shared
// object, so nothing is copied and nothing is serialised.
#include "runtime/road/store.hpp"
#include "runtime/road/subject.hpp"
#include "runtime/sport/group.hpp"

#include <caf/actor_addr.hpp>
#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/type_id.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omnium::actors {

struct loaded_message {
  std::optional<road::loaded_subject> what;
  reason why;
};
struct keys_message {
  std::optional<std::vector<road::seen_command>> what;
  reason why;
};
// One run of a sport's rules, and where its outcome goes (called on any thread).
// A run on its way to a sport's worker. It is answered once, whatever becomes of those that hold it: one that is
// dropped (with a supervisor's mailbox, or with what its workers had in their hands) says so, and its match goes on.
struct run_job {
  std::string sport, release;
  std::shared_ptr<const road::run_request> request;
  std::function<void(road::run_reply)> done;

  run_job() = default;
  run_job(const run_job&) = delete;
  run_job& operator=(const run_job&) = delete;
  ~run_job() {
    if (!done) return;
    road::run_reply dropped;
    dropped.what = road::run_reply::kind::unavailable;
    dropped.error = "The sport's supervisor ended; it is started again.";
    answer(std::move(dropped));
  }
  void answer(road::run_reply reply) { std::exchange(done, nullptr)(std::move(reply)); }
};
struct group_heard { // of the runs in a worker's hands
  std::vector<sport::heard_run> runs;
  bool free = false; // none is in it any more
};
struct state_query {
  subject_ref subject;
  std::int64_t at_least = 0; // the seq the database was at
  std::function<void(road::state_view)> done;
};

using ticket_msg = road::ticket_ptr;
using loaded_msg = std::shared_ptr<loaded_message>;
using keys_msg = std::shared_ptr<keys_message>;
using run_reply_msg = std::shared_ptr<road::run_reply>;
using batch_result_msg = std::shared_ptr<road::batch_result>;
using run_job_msg = std::shared_ptr<run_job>;
using group_heard_msg = std::shared_ptr<group_heard>;
using state_query_msg = std::shared_ptr<state_query>;

} // namespace omnium::actors

CAF_BEGIN_TYPE_ID_BLOCK(omnium, caf::first_custom_type_id)
CAF_ADD_ATOM(omnium, omnium::actors, submit_atom, "submit")
CAF_ADD_ATOM(omnium, omnium::actors, state_atom, "state")
CAF_ADD_ATOM(omnium, omnium::actors, loaded_atom, "loaded")
CAF_ADD_ATOM(omnium, omnium::actors, run_atom, "run")
CAF_ADD_ATOM(omnium, omnium::actors, ran_atom, "ran")
CAF_ADD_ATOM(omnium, omnium::actors, commit_atom, "committed")
CAF_ADD_ATOM(omnium, omnium::actors, keys_atom, "keys")
CAF_ADD_ATOM(omnium, omnium::actors, idle_atom, "idle")
CAF_ADD_ATOM(omnium, omnium::actors, sleep_atom, "sleep")
CAF_ADD_ATOM(omnium, omnium::actors, stop_atom, "stop")
CAF_ADD_ATOM(omnium, omnium::actors, tick_atom, "tick")
CAF_ADD_ATOM(omnium, omnium::actors, tree_atom, "tree")
CAF_ADD_ATOM(omnium, omnium::actors, list_atom, "list")
CAF_ADD_ATOM(omnium, omnium::actors, restart_atom, "restart")
CAF_ADD_ATOM(omnium, omnium::actors, forget_atom, "forget")
CAF_ADD_ATOM(omnium, omnium::actors, again_atom, "again")
CAF_END_TYPE_ID_BLOCK(omnium)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::ticket_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::loaded_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::keys_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::run_reply_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::batch_result_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::run_job_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::group_heard_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::actors::state_query_msg)
