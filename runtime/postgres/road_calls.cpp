#include "runtime/postgres/road_calls.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/postgres/binary_array.hpp"
#include "runtime/postgres/scoreboard_parts.hpp"
#include "runtime/postgres/session_door.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <simdjson.h>
#include <string_view>

namespace omnium::pg {
namespace {

std::string_view effect_name(road::row_effect::kind what) {
  using kind = road::row_effect::kind;
  switch (what) {
  case kind::create_competition:
    return "create_competition";
  case kind::create_participant:
    return "create_participant";
  case kind::create_fixture:
    return "create_fixture";
  case kind::edit_competitor:
    return "edit_competitor";
  case kind::set_release:
    return "set_release";
  case kind::install_release:
    return "install_release";
  case kind::set_default_release:
    return "set_default_release";
  }
  return "";
}

// The command columns of a call, one array each.
struct command_arrays {
  binary_array<element::int4> match;
  binary_array<element::text> key, sender, answer, code, input, voids, trace, event;
  binary_array<element::bytea> hash;
  binary_array<element::int8> seq, replaces;
  binary_array<element::boolean> play;
  array_text received;

  void add(std::int32_t match_index, const road::finished_command& c, std::string_view event_text) {
    match.add(match_index);
    key.add(std::string_view(c.source->key));
    sender.add(std::string_view(c.source->sender));
    hash.add(std::span<const std::uint8_t>(c.source->hash));
    answer.add(std::string_view(c.answer));
    received.add(std::string_view(c.source->received_at));
    if (c.item) add_row(*c.item, event_text);
    else add_no_row();
  }

private:
  void add_row(const road::log_item& row, std::string_view event_text) {
    seq.add(row.seq);
    code.add(std::string_view(row.code));
    play.add(row.play);
    input.add(std::string_view(row.input));
    if (row.voids.empty()) voids.add_null();
    else voids.add(std::string_view(fmt::format("{{{}}}", fmt::join(row.voids, ","))));
    replaces.add(row.replaces);
    trace.add(std::string_view(row.trace));
    event.add(event_text);
  }
  void add_no_row() {
    for (array_bytes* column :
         std::initializer_list<array_bytes*>{&seq, &code, &play, &input, &voids, &replaces, &trace, &event})
      column->add_null();
  }
};

struct match_arrays {
  binary_array<element::uuid> id, competition;
  binary_array<element::int8> expected, last, play;
  binary_array<element::text> status, scoreboard;

  void add(const road::subject_batch& b, std::int64_t last_seq, const parts_marker& marker) {
    id.add(b.subject.ref);
    competition.add(b.competition);
    expected.add(b.expected_seq);
    last.add(last_seq);
    play.add(b.last_play);
    b.status.empty() ? status.add_null() : status.add(std::string_view(b.status));
    b.scoreboard.empty() ? scoreboard.add_null() : scoreboard.add(std::string_view(marker.scoreboard()));
  }
};

// As a call takes them; valid as long as the array.
auto value(array_bytes& of) { return binary(of.done()); }
auto value(array_text& of) { return of.done(); }

std::int64_t last_seq_of(const road::subject_batch& b) {
  auto last = b.expected_seq;
  for (const auto& c : b.commands)
    if (c.item) last = std::max(last, c.item->seq);
  return last;
}

// road.commit takes its matches by ascending id.
std::vector<std::size_t> by_id(std::span<const batch_ptr> batches) {
  std::vector<std::size_t> order(batches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return batches[a]->subject.ref < batches[b]->subject.ref; });
  return order;
}

road::batch_result read_row(const pqxx::row& row) {
  using kind = road::batch_result::kind;
  road::batch_result out;
  std::string_view what = row[1].c_str();
  out.last_seq = row[2].as<std::int64_t>(0);
  std::string_view detail = row[3].is_null() ? std::string_view{} : std::string_view(row[3].c_str(), row[3].size());
  if (what == "committed") out.what = kind::committed;
  else if (what == "busy") out.what = kind::busy;
  else if (what == "no_subject") out.what = kind::no_subject;
  else if (what == "stale") {
    out.what = kind::stale;
    out.newer = parse_log(detail);
  } else if (what == "seen") {
    out.what = kind::seen;
    out.seen = parse_seen(detail);
  } else {
    out.what = kind::failed;
    out.person_error = true;
    out.why = constraint_reason(detail);
  }
  return out;
}

std::string text_of(simdjson::dom::object from, const char* name) {
  std::string_view value;
  if (from[name].get(value)) return {};
  return std::string(value);
}

} // namespace

std::vector<road::log_item> parse_log(std::string_view json) {
  std::vector<road::log_item> out;
  simdjson::dom::parser parser;
  simdjson::dom::array rows;
  if (json.empty() || parser.parse(json.data(), json.size()).get(rows)) return out;
  for (simdjson::dom::object row : rows) {
    road::log_item item;
    std::int64_t number = 0;
    if (!row["seq"].get(number)) item.seq = number;
    bool play = false;
    if (!row["play"].get(play)) item.play = play;
    item.code = text_of(row, "code");
    item.input = text_of(row, "input");
    item.sender = text_of(row, "sender");
    item.key = text_of(row, "key");
    item.at = text_of(row, "at");
    item.trace = text_of(row, "trace");
    simdjson::dom::array voids;
    if (!row["voids"].get(voids))
      for (std::int64_t seq : voids) item.voids.push_back(seq);
    if (!row["replaces"].get(number)) item.replaces = number;
    out.push_back(std::move(item));
  }
  return out;
}

std::vector<road::seen_command> parse_seen(std::string_view json) {
  std::vector<road::seen_command> out;
  simdjson::dom::parser parser;
  simdjson::dom::array rows;
  if (json.empty() || parser.parse(json.data(), json.size()).get(rows)) return out;
  for (simdjson::dom::object row : rows) {
    road::seen_command seen;
    seen.key = text_of(row, "key");
    seen.answer = text_of(row, "answer");
    if (auto id = parse_uuid(text_of(row, "subject"))) seen.subject = *id;
    auto digits = text_of(row, "hash");
    for (std::size_t i = 0; i < seen.hash.size() && 2 * i + 1 < digits.size(); ++i)
      seen.hash[i] = static_cast<std::uint8_t>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
    out.push_back(std::move(seen));
  }
  return out;
}

reason constraint_reason(std::string_view constraint) {
  if (constraint == "subject_pkey" || constraint == "fixture_pkey" || constraint == "competition_pkey" ||
      constraint == "participant_pkey")
    return {"already_exists", "Something with this id exists already.", "/input/id", {}, {}};
  if (constraint == "fixture_competitor_participant_fkey")
    return {"unknown_participant", "A side names a participant that does not exist.", "/input", {}, {}};
  if (constraint == "fixture_competitor_pkey")
    return {"already_exists", "These competitors exist already.", "/input/id", {}, {}};
  if (constraint == "plugin_release_code_sha")
    return {"release_changed",
            "This release was installed with another package hash: a changed package needs a new version, or an "
            "operator who installs it with \"replace\".",
            "/input/release",
            {},
            {}};
  if (constraint == "plugin_release_not_installed")
    return {"not_installed", "Only a release that an operator installed can be a default.", "/input/release", {}, {}};
  if (constraint.starts_with("22"))
    return {"bad_input", "A value cannot be stored: it is no valid time or number.", "/input", {}, {}};
  return {"bad_input", fmt::format("The database does not allow this ({}).", constraint), "/input", {}, {}};
}

call_outcome call_commit(session& where, std::span<const batch_ptr> batches, bool wait) {
  match_arrays m;
  command_arrays c;
  binary_array<element::int4> snap_match;
  binary_array<element::int8> snap_seq;
  binary_array<element::text> snap_release, snap_hash, snap_state;
  auto order = by_id(batches);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto& b = *batches[order[i]];
    auto index = static_cast<std::int32_t>(i + 1);
    const parts_marker marker(b.scoreboard);
    m.add(b, last_seq_of(b), marker);
    for (const auto& command : b.commands) c.add(index, command, marker.event(command.event));
    if (!b.snap) continue;
    snap_match.add(index);
    snap_seq.add(b.snap->seq);
    snap_release.add(std::string_view(b.snap->release));
    snap_hash.add(std::string_view(b.snap->fold_hash));
    snap_state.add(std::string_view(b.snap->state));
  }
  call_outcome out;
  out.error = where.run([&](session::door& door) {
    auto rows =
        door.run(statements::commit, wait, value(m.id), value(m.competition), value(m.expected), value(m.last),
                 value(m.play), value(m.status), value(m.scoreboard), value(c.match), value(c.key), value(c.sender),
                 value(c.hash), value(c.seq), value(c.answer), value(c.received), value(c.code), value(c.play),
                 value(c.input), value(c.voids), value(c.replaces), value(c.trace), value(c.event), value(snap_match),
                 value(snap_seq), value(snap_release), value(snap_hash), value(snap_state));
    out.results.resize(batches.size());
    for (const auto& row : rows) out.results.at(order.at(row[0].as<std::size_t>() - 1)) = read_row(row);
  });
  if (out.error) out.results.clear();
  return out;
}

call_outcome call_commit_effects(session& where, const road::subject_batch& b) {
  command_arrays c;
  binary_array<element::text> kinds, data;
  for (const auto& command : b.commands) c.add(1, command, command.event);
  for (const auto& effect : b.effects) {
    kinds.add(effect_name(effect.what));
    data.add(std::string_view(effect.data));
  }
  call_outcome out;
  out.error = where.run([&](session::door& door) {
    const auto call = [&](const auto&... values) {
      return b.dry ? door.try_out(statements::commit_effects, values...)
                   : door.run(statements::commit_effects, values...);
    };
    auto rows = call(b.subject.kind == subject_kind::competition, to_string(b.subject.ref), to_string(b.competition),
                     b.expected_seq, last_seq_of(b), b.last_play, value(c.key), value(c.sender), value(c.hash),
                     value(c.seq), value(c.answer), value(c.received), value(c.code), value(c.play), value(c.input),
                     value(c.trace), value(c.event), value(kinds), value(data));
    for (const auto& row : rows) out.results.push_back(read_row(row));
  });
  if (out.error || out.results.size() != 1) out.results.clear();
  return out;
}

} // namespace omnium::pg
