#include "runtime/postgres/loaded_rows.hpp"

#include "runtime/postgres/road_calls.hpp"

#include <simdjson.h>
#include <string_view>

namespace omnium::pg {
namespace {

std::vector<road::competitor_row> parse_rows(std::string_view json) {
  std::vector<road::competitor_row> out;
  simdjson::dom::parser parser;
  simdjson::dom::array rows;
  if (json.empty() || parser.parse(json.data(), json.size()).get(rows)) return out;
  for (simdjson::dom::object row : rows) {
    road::competitor_row c;
    std::string_view text;
    if (!row["id"].get(text))
      if (auto id = parse_uuid(text)) c.id = *id;
    if (!row["side"].get(text)) c.side = text;
    if (!row["json"].get(text)) c.json = text;
    std::int64_t seq = 0;
    if (!row["changed_seq"].get(seq)) c.changed_seq = seq;
    out.push_back(std::move(c));
  }
  return out;
}

} // namespace

road::loaded_subject read_loaded(const pqxx::row& row, subject_ref subject, road::load_depth depth) {
  road::loaded_subject out;
  out.found = true;
  out.subject = subject;
  if (auto id = parse_uuid(text_of(row[0]))) out.competition = *id;
  out.last_seq = row[1].as<std::int64_t>();
  out.last_play = row[2].as<std::int64_t>();
  out.status = text_of(row[3]);
  out.sport = text_of(row[4]);
  out.release = text_of(row[5]);
  out.fold_hash = text_of(row[6]);
  out.settings = text_of(row[7]);
  out.rows = parse_rows(text_of(row[8]));
  if (!row[9].is_null())
    out.snap = road::snapshot{row[9].as<std::int64_t>(), text_of(row[10]), text_of(row[11]), text_of(row[12])};
  out.log = parse_log(text_of(row[13]));
  out.whole_log = depth == road::load_depth::whole_log || !out.snap;
  return out;
}

} // namespace omnium::pg
