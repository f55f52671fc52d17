#include "bench/saved.hpp"

#include "runtime/core/json.hpp"
#include "runtime/core/simdjson_compat.hpp"

#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <libpq-fe.h>
#include <memory>

namespace omnium::bench {
namespace {

constexpr std::size_t fixtures_at_once = 200; // in one query: bounds what a result holds in memory

using connection_ptr = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using result_ptr = std::unique_ptr<PGresult, decltype(&PQclear)>;
using row_reader = std::function<void(const PGresult*, int row)>;

std::string text_of(const PGresult* rows, int row, int column) {
  return {PQgetvalue(rows, row, column), static_cast<std::size_t>(PQgetlength(rows, row, column))};
}
std::int64_t number_of(const PGresult* rows, int row, int column) {
  return PQgetisnull(rows, row, column) != 0 ? 0 : std::stoll(PQgetvalue(rows, row, column));
}

std::string query(PGconn* to, const char* sql, const std::string& ids, const row_reader& read) {
  const char* values[] = {ids.c_str()};
  result_ptr rows(PQexecParams(to, sql, 1, nullptr, values, nullptr, nullptr, 0), &PQclear);
  if (PQresultStatus(rows.get()) != PGRES_TUPLES_OK) return PQerrorMessage(to);
  for (int row = 0; row < PQntuples(rows.get()); ++row) read(rows.get(), row);
  return {};
}

// One snapshot for all the tables of some fixtures: what is compared stood at one moment.
std::string read_some(PGconn* to, const std::string& ids, history& into) {
  auto why = query(to, "SELECT stream_id, seq, key FROM timeline_item WHERE stream_id = ANY ($1::uuid[])", ids,
                   [&](const PGresult* r, int i) {
                     into.log.push_back({text_of(r, i, 0), number_of(r, i, 1), text_of(r, i, 2)});
                   });
  if (why.empty())
    why = query(to, "SELECT id, last_seq FROM fixture WHERE id = ANY ($1::uuid[])", ids,
                [&](const PGresult* r, int i) { into.versions[text_of(r, i, 0)] = number_of(r, i, 1); });
  if (why.empty())
    why = query(to,
                "SELECT command_id, subject_id, outcome, seq, answer FROM command WHERE subject_id = ANY ($1::uuid[])",
                ids, [&](const PGresult* r, int i) {
                  into.commands.push_back({text_of(r, i, 0), text_of(r, i, 1), text_of(r, i, 2) == "accepted",
                                           number_of(r, i, 3), text_of(r, i, 4)});
                });
  if (why.empty())
    why = query(to, "SELECT fixture_id, seq FROM domain_event WHERE fixture_id = ANY ($1::uuid[])", ids,
                [&](const PGresult* r, int i) {
                  into.events.push_back({text_of(r, i, 0), number_of(r, i, 1)});
                });
  return why;
}

std::string read_timeline(wire::http_client& http, const std::string& fixture, history& into) {
  for (std::int64_t after = 0;;) {
    auto page = http.request("GET", fmt::format("/fixtures/{}/timeline?after={}&limit=1000", fixture, after));
    if (!page) return page.error.message;
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    simdjson::dom::array items;
    if (page->status != 200 || parser.parse(page->body).get(root) || root["items"].get(items))
      return fmt::format("the timeline of {} is answered {}", fixture, page->status);
    auto before = after;
    for (auto item : items) {
      std::string_view key;
      if (item["seq"].get(after) || item["key"].get(key)) return "a timeline item without seq or key";
      into.log.push_back({fixture, after, std::string(key)});
    }
    if (after == before) return {};
  }
}

} // namespace

std::string read_database(const std::string& database_url, const std::vector<std::string>& fixtures, history& into) {
  connection_ptr to(PQconnectdb(database_url.c_str()), &PQfinish);
  if (PQstatus(to.get()) != CONNECTION_OK) return PQerrorMessage(to.get());
  result_ptr begun(PQexec(to.get(), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), &PQclear);
  if (PQresultStatus(begun.get()) != PGRES_COMMAND_OK) return PQerrorMessage(to.get());
  for (std::size_t from = 0; from < fixtures.size(); from += fixtures_at_once) {
    std::vector<std::string> some(fixtures.begin() + static_cast<std::ptrdiff_t>(from),
                                  fixtures.begin() +
                                      static_cast<std::ptrdiff_t>(std::min(from + fixtures_at_once, fixtures.size())));
    if (auto why = read_some(to.get(), fmt::format("{{{}}}", fmt::join(some, ",")), into); !why.empty()) return why;
  }
  into.has_commands = into.has_events = true;
  return {};
}

std::string read_http(wire::http_client& http, const std::vector<std::string>& fixtures, history& into) {
  for (const auto& fixture : fixtures) {
    auto page = http.request("GET", "/fixtures/" + fixture);
    if (!page) return page.error.message;
    auto version = json::integer_member(page->body, "version");
    if (!version) return fmt::format("fixture {} is answered {}", fixture, page->status);
    into.versions[fixture] = *version;
    if (auto why = read_timeline(http, fixture, into); !why.empty()) return why;
  }
  return {};
}

std::string database_of(const std::string& data_folder) {
  std::ifstream pid_file(data_folder + "/pg/postmaster.pid");
  std::string line, socket_folder, port;
  for (int n = 1; std::getline(pid_file, line); ++n) {
    if (n == 4) port = line;
    if (n == 5) socket_folder = line;
  }
  if (socket_folder.empty()) return {};
  return fmt::format("host={} port={} user=omnium dbname=omnium", socket_folder, port);
}

} // namespace omnium::bench
