#include "apps/omnium/server.hpp"

#include "actors/gateway.hpp"
#include "actors/matches.hpp"
#include "actors/scheduling.hpp"
#include "actors/sports.hpp"
#include "apps/omnium/alert_acts.hpp"
#include "apps/omnium/caretakers.hpp"
#include "apps/omnium/lock_acts.hpp"
#include "apps/omnium/ops_feed.hpp"
#include "apps/omnium/ops_reads.hpp"
#include "apps/omnium/programs.hpp"
#include "apps/omnium/reads.hpp"
#include "apps/omnium/release_door.hpp"
#include "apps/omnium/replies.hpp"
#include "apps/omnium/token_acts.hpp"
#include "apps/omnium/trace_reads.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/ops/metrics.hpp"
#include "runtime/ops/process.hpp"
#include "runtime/outbox/hub.hpp"
#include "runtime/outbox/node_bell.hpp"
#include "runtime/outbox/reader.hpp"
#include "runtime/outbox/topic_source_pg.hpp"
#include "runtime/postgres/cluster.hpp"
#include "runtime/postgres/cluster_keeper.hpp"
#include "runtime/postgres/migrate.hpp"
#include "runtime/postgres/rebase.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/store_pg.hpp"
#include "runtime/sport/shelf.hpp"
#include "runtime/upkeep/verifier.hpp"
#include "runtime/wire/addresses.hpp"
#include "runtime/wire/http_server.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <sys/resource.h>
#include <unistd.h>

namespace omnium::apps {
namespace {

using namespace std::chrono_literals;

// How long the matches may take to finish what is in flight; the watchdog of serve.cpp ends the process after 10 s in
// all.
constexpr auto matches_stop_wall_clock = 6s;
constexpr auto wire_stop_wall_clock = 1s;
constexpr std::size_t read_queue_len_max = 4096;

// What the wire talks to: the addresses of tokens and locks are answered here, all others of the list further in.
class front final : public wire::service {
public:
  front(wire::service& inside, token_acts& tokens, lock_acts& locks)
      : inside_(inside), tokens_(tokens), locks_(locks) {}
  void submit(command_ptr what, std::function<void(wire::encoded_answer)> done) override {
    inside_.submit(std::move(what), std::move(done));
  }
  void preview(command_ptr what, std::function<void(wire::encoded_answer)> done) override {
    inside_.preview(std::move(what), std::move(done));
  }
  void read(wire::read_request what, std::function<void(wire::read_reply)> done) override {
    if (!wire::serves("GET", what.path)) done(nothing_there());
    else if (!tokens_.read(what, done)) inside_.read(std::move(what), std::move(done));
  }
  void act(wire::action_request what, std::function<void(wire::read_reply)> done) override {
    if (!wire::serves("POST", what.path)) done(nothing_there());
    else if (!tokens_.act(what, done) && !locks_.act(what, done)) inside_.act(std::move(what), std::move(done));
  }

private:
  static wire::read_reply nothing_there() { return problem(404, "There is nothing at this address."); }
  wire::service& inside_;
  token_acts& tokens_;
  lock_acts& locks_;
};

access::rate_bounds bounds_of(const ops::settings& settings) {
  const auto& given = settings.limits;
  access::rate_bounds out;
  out.requests_per_s = static_cast<double>(given.requests_per_s);
  out.requests_burst = static_cast<double>(given.requests_burst);
  out.bytes_per_s = static_cast<double>(given.bytes_per_s);
  out.connections_max = static_cast<std::size_t>(given.connections_per_address);
  out.live_sockets_max = static_cast<std::size_t>(given.live_sockets_per_token);
  return out;
}

// One connection is one descriptor. Without one more, a connection waits in the kernel's queue until another closes.
void warn_of_few_descriptors(std::size_t connections_max) {
  constexpr std::size_t other_files = 256; // database, workers, log
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= connections_max + other_files) return;
  ops::log_warn(fmt::format("this process may hold {} files open, fewer than http.connections_max ({}) needs: beyond "
                            "them a connection waits until another closes; raise the hard limit (LimitNOFILE)",
                            files.rlim_cur, connections_max));
}

} // namespace

// Members in the order they are made; destroyed the other way round.
struct server::parts {
  parts(const ops::settings& s, bool anew) : settings(s), new_first_token(anew) {}

  ops::settings settings;
  bool new_first_token = false;
  ops::metrics metrics;
  ops::trace_book traces;
  std::unique_ptr<pg::cluster> cluster;
  std::unique_ptr<pg::cluster_keeper> cluster_keeper;
  std::string owner_url, app_url, role;
  std::unique_ptr<sport::shelf> shelf;
  std::unique_ptr<pg::store_pg> store;
  std::unique_ptr<pg::executor> read_pool;
  std::unique_ptr<token_keeper> tokens;
  std::unique_ptr<token_acts> acts;
  std::unique_ptr<lock_acts> locks;
  std::unique_ptr<node_reads> reads;
  std::unique_ptr<caretakers> care; // also for what raises: outlives the actors
  std::unique_ptr<outbox::topic_source_pg> topics;
  std::unique_ptr<outbox::hub> hub;
  std::unique_ptr<outbox::reader> reader;
  std::unique_ptr<outbox::node_bell> bell;
  std::shared_ptr<actors::context> context;
  std::unique_ptr<actors::scheduler_config> config;
  std::unique_ptr<caf::actor_system> system;
  actors::sports_actor sports;
  actors::matches_actor matches;
  std::mutex matches_guard;                   // of the handle, once the reader runs
  std::atomic<bool> unfit{false};             // for the database it finds itself on
  std::unique_ptr<upkeep::verifier> verifier; // asks the actors: ends before them
  std::unique_ptr<ops_reads> ops;
  std::unique_ptr<trace_reads> trace;
  std::unique_ptr<actors::gateway> gateway;
  std::unique_ptr<release_door> installs;
  std::unique_ptr<alert_acts> alerts;
  std::unique_ptr<front> outside;
  std::unique_ptr<ops_feed> feed;
  std::unique_ptr<wire::http_server> http;

  std::string start_database();
  std::string start_sports();
  std::string start_road();
  void start_verifier();
  std::string start_sign_in();
  std::string start_wire();
  void stop();
};

std::string server::parts::start_database() {
  owner_url = app_url = settings.database.url;
  role = "omnium_app";
  if (owner_url.empty()) {
    cluster = std::make_unique<pg::cluster>(pg::cluster_options{.data_dir = settings.data.dir});
    if (auto why = cluster->start(); !why.empty()) return why;
    cluster_keeper =
        std::make_unique<pg::cluster_keeper>(*cluster, [](const std::string& line) { ops::log_warn(line); });
    owner_url = cluster->owner_url();
    app_url = cluster->app_url();
    role.clear();
  }
  // Also with a database elsewhere: its disk is watched, and the first token is kept there.
  std::error_code error;
  if (std::filesystem::create_directories(settings.data.dir, error); error)
    return fmt::format("The data folder {} cannot be made: {}.", settings.data.dir, error.message());
  auto migrated = pg::migrate(owner_url);
  for (const auto& name : migrated.applied) ops::log_info("migration applied: " + name);
  auto why = migrated.error.empty() ? pg::foreign_cursors(owner_url) : migrated.error;
  if (cluster && why.empty())
    ops::log_info(fmt::format("the embedded database lies in {}, its socket in {}", cluster->data_folder(),
                              cluster->socket_folder()));
  return why;
}

std::string server::parts::start_sports() {
  auto folder = settings.sports.dir.empty() ? program_folder() + "/../sports" : settings.sports.dir;
  shelf = std::make_unique<sport::shelf>(folder, program_folder() + "/omnium-sport-worker");
  return {};
}

std::string server::parts::start_road() {
  pg::store_options options;
  options.url = app_url;
  options.role = role;
  options.command_connections = static_cast<std::size_t>(settings.database.command_connections);
  options.load_connections = static_cast<std::size_t>(settings.database.load_connections);
  ops::measure_process(metrics.registry);
  store = std::make_unique<pg::store_pg>(options, &metrics);
  read_pool =
      std::make_unique<pg::executor>(pg::with_limits(app_url, pg::read_limits, role),
                                     static_cast<std::size_t>(settings.database.read_connections), read_queue_len_max);
  pg::session once(pg::with_limits(app_url, pg::read_limits, role));
  if (!read_defaults(once, shelf->book())) return "The database cannot be read.";
  for (const auto& fault : release_faults(once, *shelf->now())) ops::log_error(fault);
  care = std::make_unique<caretakers>(settings, app_url, role, metrics);
  reads = std::make_unique<node_reads>(*read_pool, *shelf, *care);
  // The socket, whose watchers ask, is opened after the feed is there and closed before it goes.
  topics = std::make_unique<outbox::topic_source_pg>(*read_pool, [this](auto done) { feed->now(std::move(done)); });
  hub = std::make_unique<outbox::hub>(*topics, &traces);
  outbox::reader_options follow;
  follow.where = pg::with_limits(app_url, pg::read_limits, role);
  follow.poll = std::chrono::milliseconds(settings.live.poll_ms);
  follow.traces = &traces;

  context = std::make_shared<actors::context>();
  context->store = store.get();
  context->rules = &shelf->book();
  context->find_release = [this](const std::string& sport, const std::string& version) {
    return shelf->find(sport, version);
  };
  context->metrics = &metrics;
  context->traces = &traces;
  context->ring = [this](const subject_ref&) {
    reader->ring();
    bell->ring();
  };
  context->raise = [this](const std::string& rule, const std::string& key, const std::string& detail) {
    care->raise(rule, key, detail);
  };
  context->worker_program = program_folder() + "/omnium-sport-worker";
  context->workers_per_release = static_cast<std::size_t>(settings.sports.workers);
  context->ball_wall_clock = std::chrono::milliseconds(settings.sports.ball_wall_clock_ms);
  config =
      std::make_unique<actors::scheduler_config>(static_cast<std::size_t>(settings.actors.threads), context->hosts);
  system = std::make_unique<caf::actor_system>(*config);
  sports = actors::spawn_sports(*system, context, actors::process_workers(context));
  matches = actors::spawn_matches(*system, context, sports);
  follow.moved = [this](const std::string& older) {
    if (!older.empty()) {
      ops::log_error("the database is one of another version (" + older +
                     "): this node ends; its next start migrates it");
      unfit = true;
      ::kill(::getpid(), SIGTERM);
    }
    std::lock_guard lock(matches_guard); // the reader's thread outlives the actors
    if (matches) caf::anon_send(matches, actors::forget_atom_v);
  };
  reader = std::make_unique<outbox::reader>(follow, *hub, &metrics);
  bell = std::make_unique<outbox::node_bell>(follow.where, [this] { reader->ring(); });
  trace = std::make_unique<trace_reads>(*read_pool, traces, node_name());
  ops = std::make_unique<ops_reads>(*read_pool, *shelf, sports, context->raise);
  auto read = [this](wire::read_request what, std::function<void(wire::read_reply)> done) {
    if (!trace->answer(what, done) && !ops->answer(what, done)) reads->answer(std::move(what), std::move(done));
  };
  auto head = [this](const uuid& fixture, std::function<void(std::optional<std::int64_t>)> done) {
    reads->head(fixture, std::move(done));
  };
  gateway = std::make_unique<actors::gateway>(*system, context->hosts, matches, sports, metrics, read, head, traces);
  feed = std::make_unique<ops_feed>(
      *hub, metrics, [this](wire::read_request what, auto done) { outside->read(std::move(what), std::move(done)); },
      std::chrono::milliseconds(settings.live.beat_ms));
  start_verifier();
  return {};
}

void server::parts::start_verifier() {
  upkeep::verifier_options look;
  look.where = pg::with_limits(app_url, upkeep::verifier_limits, role);
  look.pass_every = std::chrono::seconds(settings.verifier.pass_s);
  look.pause = std::chrono::milliseconds(settings.verifier.pause_ms);
  upkeep::verifier_doors doors;
  doors.rules = &shelf->book();
  doors.raise = context->raise;
  doors.fold = [sports = sports](const road::loaded_subject& match, auto request, auto done) {
    auto job = std::make_shared<actors::run_job>();
    job->sport = match.sport;
    job->release = match.release;
    job->request = std::move(request);
    job->done = std::move(done);
    caf::anon_send(sports, actors::run_atom_v, std::move(job));
  };
  doors.send = [matches = matches](road::ticket_ptr what) {
    caf::anon_send(matches, actors::submit_atom_v, std::move(what));
  };
  doors.wake = [matches = matches](const uuid& fixture) {
    auto query = std::make_shared<actors::state_query>();
    query->subject = {subject_kind::fixture, fixture};
    query->done = [](const road::state_view&) {};
    caf::anon_send(matches, actors::state_atom_v, std::move(query));
  };
  verifier = std::make_unique<upkeep::verifier>(std::move(look), std::move(doors), metrics);
}

std::string server::parts::start_sign_in() {
  tokens = std::make_unique<token_keeper>(pg::with_limits(app_url, pg::read_limits, role), *read_pool);
  acts = std::make_unique<token_acts>(*read_pool, *tokens);
  locks = std::make_unique<lock_acts>(*read_pool);
  installs = std::make_unique<release_door>(*shelf, *gateway);
  alerts = std::make_unique<alert_acts>(*read_pool, *installs);
  outside = std::make_unique<front>(*alerts, *acts, *locks);
  return tokens->start({settings.data.dir, new_first_token});
}

std::string server::parts::start_wire() {
  wire::http_server_options options;
  options.bounds = bounds_of(settings);
  options.behind_proxy = settings.http.behind_proxy;
  options.tls_certificate = settings.http.tls_certificate;
  options.tls_key = settings.http.tls_key;
  options.listen = settings.http.listen;
  options.port = static_cast<std::uint16_t>(settings.http.port);
  options.allowed_origins = settings.http.allowed_origins;
  options.static_dir = settings.http.static_dir;
  options.connections_max = static_cast<std::size_t>(settings.http.connections_max);
  options.header_deadline = std::chrono::milliseconds(settings.http.header_deadline_ms);
  options.body_deadline = std::chrono::milliseconds(settings.http.body_deadline_ms);
  options.idle_timeout = std::chrono::milliseconds(settings.http.idle_timeout_ms);
  options.live.node = node_name();
  options.live.beat = std::chrono::milliseconds(settings.live.beat_ms);
  options.live.compression = settings.live.compression;
  auto* gate = settings.auth.required ? tokens.get() : nullptr;
  http = std::make_unique<wire::http_server>(options, *outside, &metrics, hub.get(), gate);
  auto why = http->start(); // raises the soft limit of descriptors to the hard one
  if (why.empty()) warn_of_few_descriptors(options.connections_max);
  return why;
}

// Outside in: no new work, then what is in flight, then the actors, then what they stood on.
void server::parts::stop() {
  if (http) http->begin_stop();
  verifier.reset();
  if (care) care->begin_stop();
  if (system) {
    caf::scoped_actor self{*system};
    self->request(matches, matches_stop_wall_clock, actors::stop_atom_v)
        .receive([](bool) {}, [](const caf::error&) { ops::log_warn("some matches did not finish in time"); });
  }
  if (http) http->stop(wire_stop_wall_clock);
  if (feed) feed->end();
  if (shelf) shelf->end(); // what it holds for the gateway goes there now
  if (system) {
    caf::anon_send(sports, actors::stop_atom_v);
    caf::anon_send_exit(matches, caf::exit_reason::user_shutdown);
    {
      std::lock_guard lock(matches_guard);
      matches = nullptr;
    }
    sports = nullptr;
    ops.reset();
  }
  http.reset();
  outside.reset();
  gateway.reset();
  system.reset();
  if (context) context->reaper.finish();
  bell.reset();
  reader.reset();
  read_pool.reset(); // its jobs may still answer the hub, or ask the tokens and the caretakers
  tokens.reset();
  feed.reset();
  reads.reset();
  care.reset();
  hub.reset();
  store.reset();
  cluster_keeper.reset();
  if (cluster) cluster->stop();
}

server::server(const ops::settings& settings, bool new_first_token)
    : parts_(std::make_unique<parts>(settings, new_first_token)) {}

server::~server() { stop(); }

std::string server::start() {
  for (auto step :
       {&parts::start_database, &parts::start_sports, &parts::start_road, &parts::start_sign_in, &parts::start_wire})
    if (auto why = ((*parts_).*step)(); !why.empty()) return why;
  return {};
}

void server::stop() {
  if (parts_) parts_->stop();
  parts_.reset();
}

std::string server::silent_part() const {
  for (const auto& part : parts_->metrics.beats.look())
    if (part.state == ops::beat_state::silent) return part.part + ": " + part.reason;
  return {};
}

bool server::unfit() const { return parts_->unfit; }

std::string server::url() const { return parts_->http->url(); }

std::string server::first_token() const {
  return parts_->settings.auth.required ? parts_->tokens->first_token() : std::string();
}

std::string server::reload(const ops::settings& settings) {
  parts_->http->set_bounds(bounds_of(settings));
  return parts_->http->reload_tls();
}

} // namespace omnium::apps
