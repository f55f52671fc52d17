#include "runtime/postgres/reads.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/core/uuid.hpp"
#include "runtime/postgres/arrays.hpp"
#include "runtime/road/log_item.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <pqxx/pqxx>
#include <simdjson.h>
#include <vector>

namespace omnium::pg {
namespace {

using params = std::map<std::string, std::string, std::less<>>;

// --- statements; prepared on first use of a connection
// ----------------------------------------------------------------
constexpr const char* fixture_columns = R"(
  f.id, f.competition_id, f.sport, f.release, f.status, f.last_seq, f.last_play,
  to_char(f.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), f.settings, s.text,
  (SELECT json_object_agg(c.side, json_build_object('row', c.id, 'name', c.name, 'short', c.short, 'colour', c.colour,
          'participant', c.participant_id, 'changed_seq', c.changed_seq) ORDER BY c.side DESC) FROM fixture_competitor c WHERE c.fixture_id = f.id),
  coalesce((extract(epoch FROM f.starts_at) * 1000000)::bigint::text, '-'))";

const std::string one_fixture =
    fmt::format("SELECT {} FROM fixture f LEFT JOIN fixture_scoreboard s ON s.fixture_id = f.id WHERE f.id = $1::uuid",
                fixture_columns);

// Newest start first; the cursor is the last row's start and id.
const std::string many_fixtures = fmt::format(R"(
  SELECT {} FROM fixture f LEFT JOIN fixture_scoreboard s ON s.fixture_id = f.id
   WHERE ($1::text IS NULL OR f.competition_id = $1::uuid) AND ($2::text IS NULL OR f.sport = $2) AND ($3::text IS NULL OR f.status = $3)
     AND ($4::text IS NULL OR (coalesce(f.starts_at, '-infinity'::timestamptz), f.id) <
          (CASE WHEN $4 = '-' THEN '-infinity'::timestamptz ELSE timestamptz 'epoch' + $4::bigint * interval '1 microsecond' END, $5::uuid))
     AND ($7::uuid[] IS NULL OR f.competition_id = ANY ($7::uuid[]) OR f.id = ANY ($8::uuid[]))
   ORDER BY coalesce(f.starts_at, '-infinity'::timestamptz) DESC, f.id DESC LIMIT $6)",
                                              fixture_columns);

constexpr const char* fixture_head = "SELECT last_seq FROM fixture WHERE id = $1::uuid";

constexpr const char* timeline = R"(
  SELECT t.seq, t.code, t.play, t.input, t.sender, t.key, to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         array_to_string(t.voids, ','), t.replaces
    FROM timeline_item t WHERE t.stream_id = $1::uuid AND t.seq > $2::bigint ORDER BY t.seq LIMIT $3)";

constexpr const char* many_competitions = R"(
  SELECT c.id, c.name, c.sport, c.settings, c.last_seq FROM competition c
   WHERE ($1::text IS NULL OR c.id < $1::uuid) AND c.id <> road.operations()
     AND ($3::uuid[] IS NULL OR c.id = ANY ($3::uuid[])) ORDER BY c.id DESC LIMIT $2)";

constexpr const char* one_competition = R"(
  SELECT c.id, c.name, c.sport, c.settings, c.last_seq,
         (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'type', p.type) ORDER BY p.id), '[]')
            FROM participant p WHERE p.competition_id = c.id)
    FROM competition c WHERE c.id = $1::uuid)";

// --- small pieces
// -------------------------------------------------------------------------------------------------------
read_answer problem(int status, std::string_view detail) {
  return {status,
          {},
          fmt::format(R"({{"type":"about:blank","title":"{}","status":{},"detail":{}}})",
                      status == 404 ? "Not Found" : "Bad Request", status, json::quoted(detail))};
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(byte);
      i += 2;
    } else out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

params read_params(std::string_view query) {
  params out;
  while (!query.empty()) {
    auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    auto cut = part.find('=');
    if (!part.empty())
      out[unescape(part.substr(0, cut))] = cut == std::string_view::npos ? "" : unescape(part.substr(cut + 1));
  }
  return out;
}

using limits_text = std::optional<std::string>; // a Postgres array of UUIDs; nullopt: no limits
struct array_limits {
  limits_text competitions, fixtures;
};

std::string array_of(const std::vector<uuid>& ids) {
  array_text out;
  for (const auto& id : ids) out.add(std::string_view(to_string(id)));
  return out.done();
}

array_limits limits_of(const read_query& what) {
  if (!what.only) return {};
  return {array_of(what.only->competitions), array_of(what.only->fixtures)};
}

// The first thing wrong with the parameters, told to the client.
struct checked {
  params given;
  std::optional<read_answer> wrong;

  void only(std::initializer_list<std::string_view> known) {
    for (const auto& [name, value] : given)
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(fmt::format("There is no parameter \"{}\".", name));
  }
  std::optional<std::string> text(std::string_view name) const {
    auto it = given.find(name);
    return it == given.end() || it->second.empty() ? std::nullopt : std::optional(it->second);
  }
  // Names of sports and statuses are plain ASCII; other bytes would only be the database's to refuse.
  std::optional<std::string> word(std::string_view name) {
    auto value = text(name);
    if (value && !std::all_of(value->begin(), value->end(), [](char c) { return c > ' ' && c < '\x7f'; }))
      fail(fmt::format("\"{}\" must be a plain name.", name));
    return value;
  }
  std::optional<std::string> id(std::string_view name) {
    auto value = text(name);
    if (value && !parse_uuid(*value)) fail(fmt::format("\"{}\" must be a UUID.", name));
    return value;
  }
  std::int64_t number(std::string_view name, std::int64_t fallback, std::int64_t low, std::int64_t high) {
    auto value = text(name);
    if (!value) return fallback;
    std::int64_t out = 0;
    auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), out);
    if (error != std::errc{} || end != value->data() + value->size() || out < low || out > high)
      fail(fmt::format("\"{}\" must be a whole number from {} to {}.", name, low, high));
    return out;
  }
  void fail(std::string_view detail) {
    if (!wrong) wrong = problem(400, detail);
  }
};

// Prepares a statement once a connection. libpqxx has no question for "is it prepared"; a name not known yet says
// 26000.
pqxx::result run(pqxx::connection& connection, const char* name, const std::string& text, auto... values) {
  pqxx::nontransaction tx(connection);
  try {
    return tx.exec_prepared(name, values...);
  } catch (const pqxx::sql_error& e) {
    if (e.sqlstate() != "26000") throw;
  } catch (const pqxx::argument_error&) {
  } catch (const pqxx::usage_error&) {
  }
  connection.prepare(name, text);
  return tx.exec_prepared(name, values...);
}

std::string text_or_null(const pqxx::field& f) { return f.is_null() ? "null" : json::quoted(f.c_str()); }

std::string fixture_json(const pqxx::row& r) {
  return fmt::format(
      R"({{"id":"{}","competition":"{}","sport":{},"release":{},"status":{},"version":{},"last_play":{},"starts_at":{},"settings":{},"sides":{},"scoreboard":{}}})",
      r[0].c_str(), r[1].c_str(), json::quoted(r[2].c_str()), json::quoted(r[3].c_str()), json::quoted(r[4].c_str()),
      r[5].c_str(), r[6].c_str(), text_or_null(r[7]), r[8].c_str(), r[10].is_null() ? "{}" : r[10].c_str(),
      r[9].is_null() ? "null" : r[9].c_str());
}

std::string page(const std::vector<std::string>& items, const std::string& next) {
  return fmt::format(R"({{"items":[{}],"next":{}}})", fmt::join(items, ","),
                     next.empty() ? "null" : json::quoted(next));
}

// --- the requests
// ---------------------------------------------------------------------------------------------------------
read_answer read_fixture(pqxx::connection& connection, const std::string& id, const std::string& if_none_match) {
  // A poller that holds the newest version costs one narrow row (F2).
  if (!if_none_match.empty()) {
    auto head = run(connection, "fixture_head", fixture_head, id);
    if (!head.empty() &&
        (if_none_match == "*" || if_none_match.find(fmt::format("\"{}\"", head[0][0].c_str())) != std::string::npos))
      return {304, fmt::format("\"{}\"", head[0][0].c_str()), {}};
  }
  auto rows = run(connection, "one_fixture", one_fixture, id);
  if (rows.empty()) return problem(404, "There is no such match.");
  return {200, fmt::format("\"{}\"", rows[0][5].c_str()), fixture_json(rows[0])};
}

read_answer read_fixtures(pqxx::connection& connection, checked in, const array_limits& only) {
  in.only({"competition", "sport", "status", "limit", "cursor"});
  auto competition = in.id("competition");
  auto sport = in.word("sport"), status = in.word("status");
  auto limit = in.number("limit", 50, 1, limits::list_items_max);
  std::optional<std::string> start, last;
  if (auto cursor = in.text("cursor")) {
    auto cut = cursor->find('_');
    start = cursor->substr(0, cut);
    last = cut == std::string::npos ? "" : cursor->substr(cut + 1);
    bool good = parse_uuid(*last) && !start->empty() && start->size() < 19 &&
                (*start == "-" || std::all_of(start->begin() + (start->front() == '-' ? 1 : 0), start->end(),
                                              [](char c) { return c >= '0' && c <= '9'; }));
    if (!good) in.fail("\"cursor\" must be the \"next\" of an earlier page.");
  }
  if (in.wrong) return *in.wrong;
  auto rows = run(connection, "many_fixtures", many_fixtures, competition, sport, status, start, last, limit + 1,
                  only.competitions, only.fixtures);
  std::vector<std::string> items;
  std::string next;
  for (const auto& row : rows) {
    if (static_cast<std::int64_t>(items.size()) == limit) {
      const auto& end = rows[static_cast<pqxx::result::size_type>(limit - 1)];
      next = fmt::format("{}_{}", end[11].c_str(), end[0].c_str());
      break;
    }
    items.push_back(fixture_json(row));
  }
  return {200, {}, page(items, next)};
}

std::vector<std::int64_t> numbers(std::string_view text) {
  std::vector<std::int64_t> out;
  while (!text.empty()) {
    auto part = text.substr(0, text.find(','));
    std::int64_t value = 0;
    std::from_chars(part.data(), part.data() + part.size(), value);
    out.push_back(value);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return out;
}

read_answer read_timeline(pqxx::connection& connection, const std::string& id, checked in) {
  in.only({"after", "limit"});
  auto after = in.number("after", 0, 0, std::numeric_limits<std::int64_t>::max());
  auto limit = in.number("limit", limits::timeline_items_default, 1, limits::timeline_items_max);
  if (in.wrong) return *in.wrong;
  auto head = run(connection, "fixture_head", fixture_head, id);
  if (head.empty()) return problem(404, "There is no such match.");
  auto rows = run(connection, "timeline", timeline, id, after, limit);
  std::vector<std::string> items;
  std::int64_t last = 0; // of this page
  for (const auto& r : rows) {
    road::log_item item;
    item.seq = last = r[0].as<std::int64_t>();
    item.code = r[1].c_str();
    item.play = r[2].as<bool>();
    item.input = r[3].c_str();
    item.sender = r[4].c_str();
    item.key = r[5].c_str();
    item.at = r[6].c_str();
    if (!r[7].is_null()) item.voids = numbers(r[7].c_str());
    if (!r[8].is_null()) item.replaces = r[8].as<std::int64_t>();
    items.push_back(road::encode(item));
  }
  auto version = std::max(head[0][0].as<std::int64_t>(), last);
  return {200,
          {},
          fmt::format(R"({{"items":[{}],"version":{},"next":{}}})", fmt::join(items, ","), version,
                      !rows.empty() && last < version ? std::to_string(last) : "null")};
}

std::string competition_json(const pqxx::row& r, const std::string& more) {
  return fmt::format(R"({{"id":"{}","name":{},"sport":{},"settings":{},"version":{}{}}})", r[0].c_str(),
                     json::quoted(r[1].c_str()), text_or_null(r[2]), r[3].c_str(), r[4].c_str(), more);
}

read_answer read_competitions(pqxx::connection& connection, checked in, const array_limits& only) {
  in.only({"limit", "cursor"});
  auto cursor = in.id("cursor");
  auto limit = in.number("limit", 50, 1, limits::list_items_max);
  if (in.wrong) return *in.wrong;
  std::vector<std::string> items;
  std::string next, last;
  for (const auto& row :
       run(connection, "many_competitions", many_competitions, cursor, limit + 1, only.competitions)) {
    if (static_cast<std::int64_t>(items.size()) == limit) {
      next = last;
      break;
    }
    items.push_back(competition_json(row, ""));
    last = row[0].c_str();
  }
  return {200, {}, page(items, next)};
}

read_answer read_competition(pqxx::connection& connection, const std::string& id) {
  auto rows = run(connection, "one_competition", one_competition, id);
  if (rows.empty()) return problem(404, "There is no such competition.");
  return {200, {}, competition_json(rows[0], fmt::format(R"(,"participants":{})", rows[0][5].c_str()))};
}

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    if (path.front() == '/') path.remove_prefix(1);
    auto part = path.substr(0, path.find('/'));
    out.emplace_back(part);
    path.remove_prefix(part.size());
  }
  return out;
}

} // namespace

bool is_database_read(std::string_view path) {
  auto parts = split(path);
  if (parts.empty() || (parts[0] != "fixtures" && parts[0] != "competitions")) return false;
  return parts.size() <= 2 || (parts.size() == 3 && parts[0] == "fixtures" && parts[2] == "timeline");
}

read_answer run_read(pqxx::connection& connection, const read_query& what) {
  auto parts = split(what.path);
  checked in{read_params(what.query), std::nullopt};
  bool fixtures = !parts.empty() && parts[0] == "fixtures";
  if (parts.size() == 1)
    return fixtures ? read_fixtures(connection, std::move(in), limits_of(what))
                    : read_competitions(connection, std::move(in), limits_of(what));
  auto id = parse_uuid(parts[1]);
  if (!id) return problem(404, fixtures ? "There is no such match." : "There is no such competition.");
  if (!fixtures) return read_competition(connection, to_string(*id));
  if (parts.size() == 3) return read_timeline(connection, to_string(*id), std::move(in));
  return read_fixture(connection, to_string(*id), what.if_none_match);
}

std::int64_t version_in(const std::string& body) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::int64_t out = 0;
  if (parser.parse(body).get(root) || root["version"].get(out)) return 0;
  return out;
}

} // namespace omnium::pg
