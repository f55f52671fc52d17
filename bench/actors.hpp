#pragma once
// The bench's actors: one for each desk, one for each watching screen, as the runtime's own users would write them.
// What their sockets report comes in by anon_send; what they did leaves by a report at the end.
#include "bench/board.hpp"
#include "bench/sockets.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/type_id.hpp>
#include <caf/typed_actor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace omnium::bench {

struct received {
  std::string text;
  steady::time_point at;
};
using received_msg = std::shared_ptr<received>;
using sent_msg = std::shared_ptr<std::vector<sent_command>>;
using watched_msg = std::shared_ptr<watcher_history>;
// Opens the socket again. The actor calls it once it knows that the old one is gone: what it sent between the two would
// travel on the new one, and shift every answer after it by one.
using reopen_msg = std::shared_ptr<std::function<void()>>;

} // namespace omnium::bench

CAF_BEGIN_TYPE_ID_BLOCK(omnium_bench, caf::first_custom_type_id + 100)
CAF_ADD_ATOM(omnium_bench, omnium::bench, opened_atom, "opened")
CAF_ADD_ATOM(omnium_bench, omnium::bench, gone_atom, "gone")
CAF_ADD_ATOM(omnium_bench, omnium::bench, heard_atom, "heard")
CAF_ADD_ATOM(omnium_bench, omnium::bench, begin_atom, "begin")
CAF_ADD_ATOM(omnium_bench, omnium::bench, due_atom, "due")
CAF_ADD_ATOM(omnium_bench, omnium::bench, again_atom, "again")
CAF_ADD_ATOM(omnium_bench, omnium::bench, finish_atom, "finish")
CAF_ADD_ATOM(omnium_bench, omnium::bench, report_atom, "report")
CAF_END_TYPE_ID_BLOCK(omnium_bench)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::bench::received_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::bench::reopen_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::bench::sent_msg)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(omnium::bench::watched_msg)

namespace omnium::bench {

using desk_actor =
    caf::typed_actor<caf::reacts_to<opened_atom>, // its socket is open: what was on the way is sent again, with its key
                     caf::reacts_to<gone_atom, reopen_msg>, // its socket ended: nobody knows what became of what was on
                                                            // the way
                     caf::reacts_to<heard_atom, received_msg>, // an answer (or another frame of a live socket)
                     caf::reacts_to<begin_atom>,               // play: send whenever a place is free (closed loop)
                     caf::reacts_to<due_atom, std::int64_t>, // a command was due at this time (ns of the steady clock):
                                                             // set rate
                     caf::reacts_to<again_atom, std::uint64_t>, // the wait of a try_again is over
                     caf::reacts_to<finish_atom>, // no new command; done when all on the way have their last word
                     caf::replies_to<report_atom>::with<sent_msg>>; // hands its history over and ends

using watcher_actor =
    caf::typed_actor<caf::reacts_to<opened_atom>,           // its socket is open: it watches from the version it holds
                     caf::reacts_to<gone_atom, reopen_msg>, // its socket ended; it comes back
                     caf::reacts_to<heard_atom, received_msg>,         // a frame
                     caf::replies_to<report_atom>::with<watched_msg>>; // hands its history over and ends

// Where a desk plays. `http_head`: the request's head up to the value of Content-Length.
struct seat {
  std::shared_ptr<board> of;
  std::string subject, sport, http_head;
  std::size_t number = 0;
  std::shared_ptr<connection> socket;
};
desk_actor spawn_desk(caf::actor_system& system, seat where);

// A screen: what it shows and holds, and how far it has come (for whoever waits for it).
struct screen {
  std::string subject;
  std::int64_t have = 0;
  std::shared_ptr<connection> socket;
  std::shared_ptr<std::atomic<std::int64_t>> reached;
};
watcher_actor spawn_watcher(caf::actor_system& system, screen what);

} // namespace omnium::bench
