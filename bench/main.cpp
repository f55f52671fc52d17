// omnium-bench SCENARIO.toml …: plays each scenario against a running server (or one it starts), checks what it was
// answered against what was saved, and prints a table and one JSON object each. Exit status 0: every scenario ran and
// the checker found no fault.
#include "bench/report.hpp"
#include "bench/saved.hpp"
#include "runtime/wire/client_token.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace {

using namespace omnium::bench;

struct words {
  std::vector<std::string> files, compare;
  std::string url = "http://127.0.0.1:8400", token, database, data, serve, json_file, html_file;
  bool json = false, no_check = false, quiet = false, allow_remote = false;
};

void declare(CLI::App& app, words& w) {
  app.add_option("scenario", w.files, "scenario files");
  app.add_option("--url", w.url, "the server")->capture_default_str();
  app.add_option("--token", w.token, "sign-in token; else OMNIUM_TOKEN, else the first token in the data folder");
  app.add_option("--database", w.database, "libpq URL of its database, for the checker")
      ->envname("OMNIUM_DATABASE_URL");
  app.add_option("--data", w.data, "the server's data folder: where its private database and first token are found");
  app.add_option("--serve", w.serve, "start this omnium program for the run (scenarios of faults need it)");
  app.add_flag("--json-only", w.json, "one JSON object a scenario on standard output, and no table");
  app.add_option("--json", w.json_file, "write the whole report as JSON to this file");
  app.add_option("--html", w.html_file, "write a page with latency over time to this file");
  app.add_option("--compare", w.compare, "print two files written by --json side by side, and run nothing")
      ->expected(2);
  app.add_flag("--no-check", w.no_check, "leave the history checker out");
  app.add_flag("--quiet", w.quiet, "no progress line");
  app.add_flag("--allow-remote", w.allow_remote, "play against a server on another machine");
}

bool on_loopback(const std::string& url) {
  omnium::wire::http_url where;
  if (omnium::wire::parse_http_url(url, where)) return false;
  return where.host.starts_with("127.") || where.host == "localhost" || where.host == "::1";
}

bool write_file(const std::string& file, const std::string& text) {
  if (file.empty()) return true;
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) fmt::print(stderr, "omnium-bench: cannot write {}\n", file);
  return static_cast<bool>(out);
}

int fail(int status, const std::string& why) {
  fmt::print(stderr, "omnium-bench: {}\n", why);
  return status;
}

// Where the scenarios are played; empty, or a sentence.
std::string settle_server(words& w, run_options& options, std::unique_ptr<own_server>& server) {
  if (!w.serve.empty()) {
    server = std::make_unique<own_server>(w.serve, w.data);
    if (auto why = server->start(); !why.empty()) return why;
    w.url = server->url();
    w.data = server->data();
    options.server = server.get();
  }
  if (!w.allow_remote && !on_loopback(w.url)) return w.url + " is not on this machine; --allow-remote plays there";
  options.url = w.url;
  const auto folder = w.data.empty() ? std::string(".omnium") : w.data;
  options.token = server ? omnium::wire::read_token_file(folder + "/" + std::string(omnium::wire::first_token_file))
                         : omnium::wire::find_token(w.token, folder, w.url);
  options.database = w.database.empty() && !w.data.empty() ? database_of(w.data) : w.database;
  options.check = !w.no_check;
  options.progress = !w.quiet;
  return {};
}

int play(words& w) {
  std::vector<scenario> scenarios;
  for (const auto& file : w.files) {
    auto read = load_scenario(file);
    if (!read.error.empty()) return fail(2, read.error);
    if (!read.what.faults.empty() && w.serve.empty())
      return fail(2, fmt::format("{}: faults are put only into a server that this program started (--serve)", file));
    scenarios.push_back(std::move(read.what));
  }
  run_options options;
  std::unique_ptr<own_server> server;
  if (auto why = settle_server(w, options, server); !why.empty()) return fail(2, why);
  std::vector<run_result> all;
  for (const auto& what : scenarios) {
    all.push_back(run_scenario(what, options));
    if (!w.json) fmt::print("{}", table_of(all.back()));
    fmt::print("{}\n", json_of(all.back()));
    std::fflush(stdout);
  }
  bool written = write_file(w.json_file, json_of(all)) && write_file(w.html_file, page_of(all));
  bool good = std::all_of(all.begin(), all.end(), [](const run_result& r) { return r.good(); });
  return good && written ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"Plays scenarios against a running Omnium, and checks what it was answered against what was saved."};
  words w;
  declare(app, w);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (!w.compare.empty()) {
    std::string out;
    bool good = compare_reports(w.compare[0], w.compare[1], out);
    fmt::print(good ? stdout : stderr, "{}\n", out);
    return good ? 0 : 2;
  }
  if (w.files.empty()) return fail(2, "name at least one scenario file");
  return play(w);
}
