#include "runtime/postgres/cluster.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/core/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <grp.h>
#include <libpq-fe.h>
#include <memory>
#include <pwd.h>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace omnium::pg {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t socket_path_max = 100; // sockaddr_un holds 107 bytes; the file name needs some of them
constexpr std::string_view socket_file = "/.s.PGSQL.5432";

struct spawn_as {
  uid_t uid;
  gid_t gid;
  bool change;
  std::string log; // where stdout and stderr go
  bool new_group;  // a Ctrl-C at the terminal is the server's to handle, not the cluster's
};

// What the cluster need not know: our settings, with their secrets, and whom the service manager listens to (a Postgres
// that finds NOTIFY_SOCKET would say READY in our name).
std::vector<char*> its_environment() {
  std::vector<char*> out;
  for (auto* one = ::environ; *one != nullptr; ++one) {
    std::string_view name(*one);
    if (!name.starts_with("OMNIUM_") && !name.starts_with("NOTIFY_SOCKET=") && !name.starts_with("WATCHDOG_"))
      out.push_back(*one);
  }
  out.push_back(nullptr);
  return out;
}

// Starts a program, in a child that gave up root first. -1: could not fork.
pid_t spawn(const std::vector<std::string>& argv, const spawn_as& as) {
  std::vector<char*> args;
  for (const auto& arg : argv) args.push_back(const_cast<char*>(arg.c_str()));
  args.push_back(nullptr);
  auto environment = its_environment();
  int log = ::open(as.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  auto child = ::fork();
  if (child != 0) {
    if (log >= 0) ::close(log);
    return child;
  }
  if (as.new_group) ::setpgid(0, 0);
  if (int null = ::open("/dev/null", O_RDONLY); null >= 0) ::dup2(null, 0);
  if (log >= 0) ::dup2(log, 1), ::dup2(log, 2);
  if (as.change && (::setgroups(0, nullptr) != 0 || ::setgid(as.gid) != 0 || ::setuid(as.uid) != 0)) ::_exit(126);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int fd = 3; fd < 1024; ++fd) ::close(fd);
  ::execve(args[0], args.data(), environment.data());
  ::_exit(127);
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// May this user enter every folder above `path`? Asked in a child that became the user.
bool reachable(const std::string& path, const spawn_as& as) {
  auto child = ::fork();
  if (child == 0) {
    if (as.change && (::setgroups(0, nullptr) != 0 || ::setgid(as.gid) != 0 || ::setuid(as.uid) != 0)) ::_exit(126);
    ::_exit(::access(path.c_str(), X_OK) == 0 ? 0 : 1);
  }
  return child > 0 && wait_for(child) == 0;
}

std::string tail_of(const std::string& file) {
  std::ifstream in(file);
  std::string line, last;
  while (std::getline(in, line))
    if (!line.empty()) last = line;
  return last;
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

} // namespace

std::string cluster::url(const std::string& user) const {
  return fmt::format("host='{}' port=5432 user={} dbname=omnium", sockets_, user);
}

std::string cluster::start() {
  for (auto step : {&cluster::find_programs, &cluster::claim_folder, &cluster::choose_folders, &cluster::check_version})
    if (auto why = (this->*step)(); !why.empty()) return why;
  if (!adopt()) {
    for (auto step : {&cluster::create, &cluster::write_settings, &cluster::launch})
      if (auto why = (this->*step)(); !why.empty()) return why;
  }
  link_sockets();
  if (auto why = wait_ready(); !why.empty()) return why;
  return create_database();
}

// Debian keeps every major version's programs in a folder of its own; the newest one wins.
std::string cluster::find_programs() {
  std::error_code ignored;
  int best = 0;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    auto version = std::atoi(entry.path().filename().c_str());
    if (version <= best || !fs::exists(entry.path() / "bin/initdb", ignored)) continue;
    best = version;
    programs_ = (entry.path() / "bin").string();
  }
  if (programs_.empty()) return "No Postgres server is installed (looked in /usr/lib/postgresql).";
  switch_user_ = ::geteuid() == 0;
  if (!switch_user_) return {};
  const auto* entry = ::getpwnam(options_.user.c_str());
  if (entry == nullptr)
    return fmt::format("Started by root, the cluster runs as user \"{}\", and there is no such user.", options_.user);
  uid_ = entry->pw_uid;
  gid_ = entry->pw_gid;
  return {};
}

// The kernel lets go of the lock when the process ends, however it ends; a cluster is adopted from dead servers only.
std::string cluster::claim_folder() {
  std::error_code error;
  fs::create_directories(options_.data_dir, error);
  auto file = fs::path(options_.data_dir) / "omnium.lock";
  claim_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (claim_ < 0) return fmt::format("The data folder {} cannot be used: {}.", options_.data_dir, std::strerror(errno));
  if (::flock(claim_, LOCK_EX | LOCK_NB) == 0) return {};
  ::close(std::exchange(claim_, -1));
  return fmt::format("Another Omnium is using the data folder {}.", options_.data_dir);
}

// Where the user cannot enter the data folder (a checkout below /root), the cluster lies in /var/lib/omnium and its
// socket in /tmp; the data folder holds links to both, `pg` and `run`, so that a backup's command need not know.
std::string cluster::choose_folders() {
  std::error_code error;
  fs::create_directories(options_.data_dir, error);
  auto base = fs::canonical(options_.data_dir, error);
  if (error) return fmt::format("The data folder {} cannot be made: {}.", options_.data_dir, error.message());
  auto mark = hex(sha256(base.string())).substr(0, 12);
  spawn_as as{uid_, gid_, switch_user_, "/dev/null", false};
  auto link = base / "pg";
  data_ = link.string();
  if (switch_user_ && !reachable(base.string(), as)) {
    data_ = "/var/lib/omnium/pg-" + mark;
    fs::create_directories("/var/lib/omnium", error);
    if (!fs::is_symlink(link)) fs::create_symlink(data_, link, error);
  }
  sockets_ = (base / "run").string();
  if (sockets_.size() + socket_file.size() > socket_path_max || (switch_user_ && !reachable(base.string(), as)))
    sockets_ = fmt::format("/tmp/omnium-{}-{}", switch_user_ ? uid_ : ::geteuid(), mark);
  log_ = (base / "postgres.log").string();
  for (const auto& folder : {data_, sockets_}) {
    fs::create_directories(folder, error);
    if (error) return fmt::format("The folder {} cannot be made: {}.", folder, error.message());
    struct stat facts {};
    if (::lstat(folder.c_str(), &facts) != 0 || (S_ISLNK(facts.st_mode) && folder == sockets_))
      return fmt::format("The folder {} cannot be used.", folder);
    if (switch_user_ && ::lchown(folder.c_str(), uid_, gid_) != 0)
      return fmt::format("The folder {} cannot be given to {}.", folder, options_.user);
    if (!switch_user_ && facts.st_uid != ::geteuid())
      return fmt::format("The folder {} belongs to another user.", folder);
    ::chmod(folder.c_str(), 0700);
  }
  return {};
}

void cluster::link_sockets() const {
  std::error_code ignored;
  auto link = fs::canonical(options_.data_dir, ignored) / "run";
  if (link == sockets_) return;
  fs::remove(link, ignored); // an old link, or an empty folder: anything else stays
  fs::create_symlink(sockets_, link, ignored);
}

std::string cluster::check_version() {
  auto made_by = first_line(fs::path(data_) / "PG_VERSION");
  auto here = fs::path(programs_).parent_path().filename().string();
  if (!made_by.empty() && made_by != here && fs::exists("/usr/lib/postgresql/" + made_by + "/bin/postgres")) {
    programs_ = "/usr/lib/postgresql/" + made_by + "/bin";
    return {};
  }
  if (!made_by.empty() && made_by != here)
    return fmt::format("The cluster in {} was made by Postgres {}, and only {} is installed; upgrade it with "
                       "pg_upgrade, or install Postgres {}.",
                       data_, made_by, here, made_by);
  return {};
}

// Made aside and moved into place when it is whole: an initdb that was interrupted leaves nothing that looks like a
// cluster.
std::string cluster::create() {
  if (fs::exists(fs::path(data_) / "PG_VERSION")) return {};
  std::error_code error;
  auto aside = data_ + ".new";
  fs::remove_all(aside, error);
  fs::create_directories(aside, error);
  ::chmod(aside.c_str(), 0700);
  if (switch_user_ && ::lchown(aside.c_str(), uid_, gid_) != 0)
    return fmt::format("The folder {} cannot be given to {}.", aside, options_.user);
  spawn_as as{uid_, gid_, switch_user_, log_, false};
  auto child = spawn({programs_ + "/initdb", "-D", aside, "-U", "omnium", "-A", "trust", "-E", "UTF8",
                      "--locale=C.UTF-8", "--no-instructions"},
                     as);
  if (child < 0 || wait_for(child) != 0) return fmt::format("initdb failed: {} (see {}).", tail_of(log_), log_);
  fs::rename(aside, data_, error);
  if (error) return fmt::format("The folder {} is in the way: {}.", data_, error.message());
  return {};
}

// Written anew at every start, so that a newer Omnium brings its settings along. Reasons: docs/performance.md.
std::string cluster::write_settings() {
  auto file = fs::path(data_) / "omnium.conf";
  std::ofstream out(file, std::ios::trunc);
  out << "listen_addresses = ''\nport = 5432\nunix_socket_directories = '" << sockets_
      << "'\nunix_socket_permissions = 0700\n"
      << "fsync = on\nsynchronous_commit = on\nfull_page_writes = on\nshared_buffers = 256MB\nmax_wal_size = "
         "4GB\nmax_connections = 100\n"
      << "jit = off\nlog_min_messages = warning\nlog_lock_waits = on\nlog_line_prefix = '%m [%p] '\n";
  std::error_code ignored;
  if (fs::exists(fs::path(programs_).parent_path() / "lib/pg_stat_statements.so", ignored))
    out << "shared_preload_libraries = 'pg_stat_statements'\n";
  out.close();
  if (!out) return fmt::format("The settings {} cannot be written.", file.string());
  if (switch_user_ && ::lchown(file.c_str(), uid_, gid_) != 0)
    return fmt::format("The settings {} cannot be given to {}.", file.string(), options_.user);
  std::ifstream main(fs::path(data_) / "postgresql.conf");
  std::stringstream text;
  text << main.rdbuf();
  if (text.str().find("include 'omnium.conf'") != std::string::npos) return {};
  std::ofstream append(fs::path(data_) / "postgresql.conf", std::ios::app);
  append << "\ninclude 'omnium.conf'\n";
  return {};
}

// postmaster.pid: line 1 the pid, 2 the data folder, 5 the socket folder.
bool cluster::adopt() {
  std::ifstream in(fs::path(data_) / "postmaster.pid");
  std::string pid, folder, skip, sockets;
  if (!std::getline(in, pid) || !std::getline(in, folder) || !std::getline(in, skip) || !std::getline(in, skip) ||
      !std::getline(in, sockets))
    return false;
  auto number = static_cast<pid_t>(std::atoi(pid.c_str()));
  if (number <= 1 || ::kill(number, 0) != 0) return false;
  // The pid may be another program's by now, and Postgres would take that for its own: the postmaster's working folder
  // is its data folder.
  std::error_code error;
  auto cwd = fs::read_symlink(fmt::format("/proc/{}/cwd", number), error);
  if (error) return false;
  if (cwd != fs::canonical(data_, error)) {
    fs::remove(fs::path(data_) / "postmaster.pid", error);
    return false;
  }
  sockets_ = sockets;
  pid_ = number;
  child_ = false;
  return true;
}

std::string cluster::launch() {
  pid_ = spawn({programs_ + "/postgres", "-D", data_}, {uid_, gid_, switch_user_, log_, true});
  if (pid_ < 0) return "No process could be started for the Postgres cluster.";
  child_ = true;
  return {};
}

std::string cluster::wait_ready() {
  auto until = std::chrono::steady_clock::now() + options_.start_wall_clock;
  auto target = fmt::format("host='{}' port=5432 user=omnium dbname=postgres connect_timeout=2", sockets_);
  while (std::chrono::steady_clock::now() < until) {
    if (give_up_) return "The Postgres cluster was starting when the server stopped.";
    if (PQping(target.c_str()) == PQPING_OK) return {};
    int status = 0;
    bool ended = child_ ? ::waitpid(pid_, &status, WNOHANG) == pid_ : ::kill(pid_, 0) != 0;
    if (ended) {
      // An adopted one that was on its way out, or one whose predecessor's backends are still leaving: start again.
      // So does one that was killed and is not yet gone: a postmaster that lives would have been adopted.
      auto said = tail_of(log_);
      bool again = !child_ || said.find("old server processes") != std::string::npos ||
                   said.find("another postmaster") != std::string::npos;
      pid_ = -1;
      if (!again)
        return fmt::format("The Postgres cluster in {} did not start: {} (see {}).", data_, tail_of(log_), log_);
      std::this_thread::sleep_for(200ms);
      if (auto why = launch(); !why.empty()) return why;
    }
    std::this_thread::sleep_for(20ms);
  }
  return fmt::format("The Postgres cluster in {} did not answer within {} s (see {}).", data_,
                     options_.start_wall_clock.count(), log_);
}

bool cluster::ended() {
  if (pid_ <= 0) return true;
  bool gone = child_ ? ::waitpid(pid_, nullptr, WNOHANG) == pid_ : ::kill(pid_, 0) != 0;
  if (gone) pid_ = -1;
  return gone;
}

std::string cluster::restart() {
  if (auto why = launch(); !why.empty()) return why;
  return wait_ready();
}

// The postmaster appends, so that a file cut to nothing goes on from its start; lines written between the copy and the
// cut are the price of not asking it for a log file of its own.
void cluster::bound_log() const {
  std::error_code error;
  auto bytes = fs::file_size(log_, error);
  if (error || bytes <= limits::cluster_log_bytes_max) return;
  fs::copy_file(log_, log_ + ".1", fs::copy_options::overwrite_existing, error);
  fs::resize_file(log_, 0, error);
}

std::string cluster::create_database() {
  auto target = fmt::format("host='{}' port=5432 user=omnium dbname=postgres", sockets_);
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(target.c_str()), &PQfinish);
  auto run = [&](const char* sql) {
    return std::unique_ptr<PGresult, decltype(&PQclear)>(PQexec(connection.get(), sql), &PQclear);
  };
  auto there = run("SELECT 1 FROM pg_database WHERE datname = 'omnium'");
  if (PQresultStatus(there.get()) == PGRES_TUPLES_OK && PQntuples(there.get()) == 1) return {};
  auto made = run("CREATE DATABASE omnium");
  if (PQresultStatus(made.get()) != PGRES_COMMAND_OK)
    return fmt::format("The database cannot be created: {}", PQerrorMessage(connection.get()));
  return {};
}

cluster::~cluster() {
  stop();
  if (claim_ >= 0) ::close(claim_);
}

void cluster::stop() {
  if (pid_ <= 0) return;
  auto gone = [&] { return child_ ? ::waitpid(pid_, nullptr, WNOHANG) == pid_ : ::kill(pid_, 0) != 0; };
  for (int signal : {SIGINT, SIGQUIT}) { // fast, then immediate
    ::kill(pid_, signal);
    auto until = std::chrono::steady_clock::now() + options_.stop_wall_clock;
    while (std::chrono::steady_clock::now() < until) {
      if (gone()) {
        pid_ = -1;
        return;
      }
      std::this_thread::sleep_for(10ms);
    }
  }
  pid_ = -1;
}

} // namespace omnium::pg
