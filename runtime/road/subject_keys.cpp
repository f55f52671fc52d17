// A key that is known: the first answer again, or the first answer at last.
#include "runtime/road/subject_parts.hpp"

#include <simdjson.h>
#include <utility>

namespace omnium::road {
namespace {

struct stored_answer {
  outcome what = outcome::refused;
  std::optional<std::int64_t> seq;
};

// What an answer kept in `command` says: only accepted and refused are ever kept.
stored_answer read_stored(const std::string& text) {
  thread_local simdjson::dom::parser parser;
  stored_answer out;
  simdjson::dom::element root;
  if (parser.parse(text).get(root)) return out;
  std::string_view said;
  if (!root["outcome"].get(said) && said == "accepted") out.what = outcome::accepted;
  std::int64_t seq = 0;
  if (!root["seq"].get(seq)) out.seq = seq;
  return out;
}

reply stored_reply(const std::string& text) {
  reply out;
  out.what = read_stored(text).what;
  out.status = out.what == outcome::accepted ? 200 : 422;
  out.body = text;
  return out;
}

// The same key again: the first answer for the same content, a refusal for another.
reply repeated(const command& cmd, const payload_hash& hash, const std::string& first) {
  if (hash != cmd.hash)
    return make_reply(refusal_for(cmd, {"key_reused", "This key was used for a different command.", "/key"}));
  auto out = answer_for(cmd, outcome::duplicate);
  out.seq = read_stored(first).seq;
  out.first = first;
  return make_reply(out);
}

} // namespace

// Found after a COMMIT with an open outcome, the row may be what that COMMIT saved, or what an earlier sending of the
// same key did: only the former has this very answer (its trace is of this sending), and only then is this the first
// answer.
reply subject::reply_to_known(const waiting& w, const payload_hash& hash, const std::string& answer) {
  const auto& cmd = w.what->cmd();
  bool own = !w.open_answer.empty() && hash == cmd.hash && answer == w.open_answer;
  return own ? stored_reply(answer) : repeated(cmd, hash, answer);
}

void subject::answer_seen(waiting& w, const seen_command& found) {
  recent_.add(w.what->cmd().key, {found.hash, found.answer});
  w.ready = reply_to_known(w, found.hash, found.answer);
}

void subject::take_seen(const std::vector<seen_command>& seen) {
  for (auto& w : batch_)
    for (const auto& found : seen)
      if (!w.ready && found.key == w.what->cmd().key) answer_seen(w, found);
  put_back(true);
}

void subject::on_keys(std::uint64_t op, std::optional<std::vector<seen_command>> what, reason why) {
  if (!close_op(op)) return;
  phase_ = head_ ? phase::ready : phase::cold;
  if (what) take_seen(*what);
  else fail_pending(why.code, why.message);
  pump();
}

} // namespace omnium::road
