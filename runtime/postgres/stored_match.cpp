#include "runtime/postgres/stored_match.hpp"

#include "runtime/postgres/loaded_rows.hpp"
#include "runtime/postgres/session_door.hpp"

namespace omnium::pg {
namespace {

const statements::statement stored{"stored_match", R"(
  SELECT l.*, b.text, b.seq, s.seq, s.release, s.fold_hash, s.state
    FROM road.load(false, $1::uuid, true) l
    LEFT JOIN fixture_scoreboard b ON b.fixture_id = $1::uuid
    LEFT JOIN match_snapshot s ON s.fixture_id = $1::uuid)"};
constexpr int loaded_columns = 14;

} // namespace

std::optional<road::stored_match> read_stored(session::door& door, const uuid& fixture) {
  auto rows = door.run(stored, to_string(fixture));
  if (rows.empty()) return std::nullopt;
  const auto& row = rows[0];
  auto at = [&](int column) { return row[loaded_columns + column]; };
  road::stored_match out;
  out.match = read_loaded(row, {subject_kind::fixture, fixture}, road::load_depth::whole_log);
  if (!at(0).is_null()) {
    out.scoreboard = text_of(at(0));
    out.scoreboard_seq = at(1).as<std::int64_t>();
  }
  if (!at(2).is_null())
    out.match.snap = road::snapshot{at(2).as<std::int64_t>(), text_of(at(3)), text_of(at(4)), text_of(at(5))};
  return out;
}

} // namespace omnium::pg
