#include "apps/omnium/trace_reads.hpp"

#include "apps/omnium/replies.hpp"
#include "runtime/core/clock.hpp"
#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/wire/http_route.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace omnium::apps {
namespace {

using ops::trace_record;
using pg::statements::statement;

// Finished commands with their trace, which is the last member of the answer they were given. Times in microseconds.
#define OMNIUM_TRACE_ROWS                                                                                              \
  "SELECT c.command_id, right(c.answer, 34), c.answer::json ->> 'code', c.answer::json #>> '{subject,kind}', "         \
  "c.subject_id, coalesce(c.seq, 0), c.outcome, coalesce(c.answer::json #>> '{reason,code}', ''), "                    \
  "(extract(epoch FROM c.received_at) * 1000000)::bigint, (extract(epoch FROM c.finished_at) * 1000000)::bigint "      \
  "FROM command c "

const statement of_keys{"trace_of_keys", OMNIUM_TRACE_ROWS "WHERE c.command_id = ANY ($1::text[]) ORDER BY 9"};
// No index by trace, which every ball would pay for: the rows of a time are few, and found by their time.
const statement of_time{"trace_of_time", OMNIUM_TRACE_ROWS
                        "WHERE c.received_at BETWEEN to_timestamp($2::bigint) AND to_timestamp($3::bigint) "
                        "AND right(c.answer, 34) = $1 || '\"}' ORDER BY 9 DESC LIMIT 200"};
const statement of_match{"trace_of_match", OMNIUM_TRACE_ROWS
                         "WHERE c.command_id = ANY (ARRAY(SELECT t.key FROM timeline_item t WHERE t.stream_id = $1 "
                         "ORDER BY t.seq DESC LIMIT 200)) ORDER BY 9"};
#undef OMNIUM_TRACE_ROWS
static_assert(limits::trace_commands_max == 200, "the statements say so too");

bool is_trace_id(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

trace_record::time from_us(std::int64_t us) {
  return trace_record::time(std::chrono::duration_cast<trace_record::time::duration>(std::chrono::microseconds(us)));
}

std::vector<trace_record> records_of(const pqxx::result& rows) {
  std::vector<trace_record> out;
  for (const auto& row : rows) {
    trace_record one;
    one.key = row[0].c_str();
    one.trace = std::string_view(row[1].c_str()).substr(0, 32);
    one.code = row[2].c_str();
    one.subject.kind =
        std::string_view(row[3].c_str()) == "fixture" ? subject_kind::fixture : subject_kind::competition;
    one.subject.ref = parse_uuid(row[4].c_str()).value_or(uuid{});
    one.seq = row[5].as<std::int64_t>();
    one.outcome = row[6].c_str();
    one.reason = row[7].c_str();
    one.received = from_us(row[8].as<std::int64_t>());
    one.committed = from_us(row[9].as<std::int64_t>());
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<trace_record> rows_between(pg::session::door& door, const std::string& trace, trace_record::time from,
                                       trace_record::time to) {
  using clock = std::chrono::system_clock;
  return records_of(door.run(of_time, trace, std::int64_t{clock::to_time_t(from)}, std::int64_t{clock::to_time_t(to)}));
}

std::vector<trace_record> rows_of(pg::session::door& door, const trace_query& what,
                                  const std::vector<trace_record>& remembered) {
  pg::array_text keys;
  if (!what.key.empty()) keys.add(std::string_view(what.key));
  for (const auto& record : remembered) keys.add(std::string_view(record.key));
  std::vector<trace_record> out;
  if (keys.size() > 0) out = records_of(door.run(of_keys, keys.done()));
  if (!what.trace.empty()) std::erase_if(out, [&](const auto& row) { return row.trace != what.trace; });
  auto add = [&](std::vector<trace_record> more) {
    for (auto& row : more)
      if (std::none_of(out.begin(), out.end(), [&](const auto& known) { return known.key == row.key; }))
        out.push_back(std::move(row));
  };
  if (what.match) add(records_of(door.run(of_match, to_string(what.match->ref))));
  if (what.trace.empty()) return out;
  auto made = time_in_trace_id(what.trace);
  add(rows_between(door, what.trace, made - limits::trace_window, made + limits::trace_window));
  if (what.hours == 0 && !(out.empty() && remembered.empty())) return out;
  auto now = std::chrono::system_clock::now();
  auto back = std::chrono::hours(what.hours == 0 ? limits::trace_hours_default : what.hours);
  add(rows_between(door, what.trace, now - back, now + limits::trace_window));
  return out;
}

struct shown {
  trace_record record;
  bool remembered = true; // the node has its way in memory
};

// What is remembered, filled up by its row; and rows that are not, with what this node knows of their change.
std::vector<shown> merged(const ops::trace_book& book, std::vector<trace_record> remembered,
                          std::vector<trace_record> rows) {
  std::vector<shown> out;
  for (auto& record : remembered) out.push_back({std::move(record), true});
  for (auto& row : rows) {
    auto same = std::find_if(out.begin(), out.end(), [&](const auto& known) {
      return known.remembered && known.record.key == row.key && known.record.trace == row.trace &&
             known.record.outcome != "duplicate";
    });
    if (same != out.end()) {
      if (same->record.committed == trace_record::time{}) same->record.committed = row.committed;
      continue;
    }
    for (const auto& here : book.of_change(row.subject, row.seq)) {
      row.read = here.read;
      row.sent = here.sent;
      row.watchers = here.watchers;
    }
    out.push_back({std::move(row), false});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.record.received < b.record.received; });
  if (out.size() > static_cast<std::size_t>(limits::trace_commands_max))
    out.erase(out.begin(), out.end() - limits::trace_commands_max);
  return out;
}

std::string text_or_null(const std::string& text) { return text.empty() ? "null" : json::quoted(text); }

std::string steps_json(const trace_record& record) {
  const std::pair<const char*, trace_record::time> steps[] = {
      {"received", record.received}, {"decided", record.decided}, {"committed", record.committed},
      {"answered", record.answered}, {"read", record.read},       {"sent", record.sent}};
  std::string out;
  for (const auto& [name, at] : steps) {
    auto after = std::chrono::duration<double, std::milli>(at - record.received).count();
    out += out.empty() ? "[" : ",";
    out += at == trace_record::time{}
               ? fmt::format(R"({{"step":"{}","at":null,"ms":null}})", name)
               : fmt::format(R"({{"step":"{}","at":"{}","ms":{:.3f}}})", name, rfc3339_utc_us(at), after);
  }
  return out + "]";
}

std::string item_json(const shown& what) {
  const auto& record = what.record;
  return fmt::format(
      R"({{"trace":"{}","key":{},"code":{},"subject":{{"kind":"{}","ref":"{}"}},"seq":{},"outcome":{},"reason":{},"remembered":{},"watchers":{},"steps":{}}})",
      record.trace, json::quoted(record.key), json::quoted(record.code), to_string(record.subject.kind),
      to_string(record.subject.ref), record.seq > 0 ? std::to_string(record.seq) : "null", text_or_null(record.outcome),
      text_or_null(record.reason), what.remembered,
      record.sent == trace_record::time{} ? "null" : std::to_string(record.watchers), steps_json(record));
}

wire::read_reply told(const std::string& node, const std::vector<shown>& all, bool with_rows) {
  if (all.empty() && with_rows)
    return problem(404, "Nothing is known of it: not in this node's memory, and no row of the hours looked at.");
  std::string items;
  for (const auto& one : all) items += (items.empty() ? "" : ",") + item_json(one);
  return ok(fmt::format(R"({{"node":{},"rows":{},"items":[{}],"next":null}})", json::quoted(node), with_rows, items));
}

// key or match, and hours, each at most once. False: something else, or no good value.
bool read_words(std::string_view query, trace_query& into) {
  const bool by_id = !into.trace.empty();
  while (!query.empty()) {
    auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    auto name = part.substr(0, part.find('='));
    auto value = part.substr(std::min(part.size(), name.size() + 1));
    if (name == "key" && into.key.empty() && !into.match && !by_id) {
      if (!wire::percent_decode(value, into.key) || into.key.size() > limits::key_chars_max) return false;
    } else if (name == "match" && into.key.empty() && !into.match && !by_id) {
      const auto ref = parse_uuid(value);
      if (!ref) return false;
      into.match = subject_ref{subject_kind::fixture, *ref};
    } else if (name == "hours" && into.hours == 0) {
      auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), into.hours);
      if (ec != std::errc{} || end != value.data() + value.size() || into.hours < 1 ||
          into.hours > limits::trace_hours_max)
        return false;
    } else return false;
  }
  return by_id || !into.key.empty() || (into.match && into.hours == 0); // a match's rows have no window of time
}

} // namespace

bool trace_reads::answer(const wire::read_request& what, const reply_fn& done) {
  constexpr std::string_view root = "/ops/trace";
  if (what.path != root && !what.path.starts_with("/ops/trace/")) return false;
  trace_query asked;
  if (what.path != root) asked.trace = what.path.substr(root.size() + 1);
  if (what.path != root && !is_trace_id(asked.trace)) done(problem(400, "A trace id has 32 lower-case hex digits."));
  else if (!read_words(what.query, asked))
    done(problem(
        400,
        fmt::format("Ask for /ops/trace/{{id}} or /ops/trace?key=…, with hours from 1 to {}, or /ops/trace?match=….",
                    limits::trace_hours_max)));
  else look_up(std::move(asked), done);
  return true;
}

void trace_reads::look_up(trace_query what, reply_fn done) {
  auto known = [this, what] {
    if (what.match) return book_.of_match(*what.match, static_cast<std::size_t>(limits::trace_commands_max));
    return book_.find(what.trace, what.key);
  };
  auto work = [this, what, known](pg::session::door& door) {
    auto remembered = known();
    auto rows = rows_of(door, what, remembered);
    return told(node_, merged(book_, std::move(remembered), std::move(rows)), true);
  };
  // What the node remembers is told without the database, too.
  auto refused = [this, known](const pg::db_error& error) -> wire::read_reply {
    if (error.fault == pg::db_fault::statement_timeout)
      return problem(503, "There are too many rows in these hours; ask for fewer, or by key.");
    auto remembered = known();
    if (remembered.empty()) return {.status = 0};
    return told(node_, merged(book_, std::move(remembered), {}), false);
  };
  reply_from(pool_, std::move(work), std::move(done), std::move(refused));
}

} // namespace omnium::apps
