#include "runtime/road/rebuild.hpp"

#include "runtime/road/corrected_log.hpp"
#include "runtime/road/input_reader.hpp"

#include <algorithm>

namespace omnium::road {

std::variant<rebuild_order, reason> read_rebuild(const std::string& input) {
  simdjson::dom::parser parser;
  object root;
  if (parser.parse(input).get(root))
    return reason{"bad_input", "The input holds a number that is too large.", "/input"};
  input_reader in(root);
  in.members({"seq", "reason"});
  rebuild_order out;
  std::int64_t seq = 0;
  if (in.has("seq") && (root["seq"].get(seq) || seq < 0)) in.fail("seq", "must be a whole number from 0");
  if (in.has("seq")) out.seq = seq;
  if (in.has("reason")) in.text("reason");
  if (in.why()) return *in.why();
  return out;
}

bool snapshot_stands(const std::optional<snapshot>& snap, const std::string& release_name, const std::string& fold_hash,
                     const std::vector<log_item>& log) {
  if (!snap || snap->release != release_name || snap->fold_hash != fold_hash) return false;
  return std::none_of(log.begin(), log.end(), [&](const auto& row) {
    return row.seq > snap->seq && (is_correction(row.code) || !row.voids.empty());
  });
}

} // namespace omnium::road
