#pragma once
// The embedded default: a private Postgres cluster below the data folder, reached over its own unix socket only.
// Started and stopped with the server; owned by one thread. Started by root, it runs as an unprivileged user, because
// Postgres refuses to run as root. Source: issue 2 item 2, contract section 1 (scripts/run).
#include <atomic>
#include <chrono>
#include <string>
#include <sys/types.h>

namespace omnium::pg {

struct cluster_options {
  std::string data_dir;                      // e.g. ./.omnium; the cluster lies in <data_dir>/pg
  std::string user = "postgres";             // whom to become when started by root
  std::chrono::seconds start_wall_clock{60}; // crash recovery included; beyond: an error
  std::chrono::seconds stop_wall_clock{
      5}; // fast shutdown; beyond: immediate (nothing is lost, recovery at the next start)
};

class cluster {
public:
  explicit cluster(cluster_options options) : options_(std::move(options)) {}
  ~cluster();
  cluster(const cluster&) = delete;
  cluster& operator=(const cluster&) = delete;

  // Creates the cluster when there is none, starts it, and waits until it answers. A postmaster of this folder that is
  // still running (its server was killed) is adopted; while that server runs, the folder is its own, and a second start
  // is refused. Empty: it runs; else one sentence.
  std::string start();
  void stop();

  // For its keeper. Did the postmaster end without being told to?
  bool ended();
  // Starts it again after that, crash recovery included. Empty: it answers.
  std::string restart();
  // From any thread: a start that still waits for an answer ends at once, in words; so does every later one.
  void give_up_waiting() { give_up_ = true; }
  // The log file moves to postgres.log.1 when it is over limits::cluster_log_bytes_max.
  void bound_log() const;

  // libpq connection strings; the database is "omnium" and exists after start.
  std::string owner_url() const { return url("omnium"); }
  std::string app_url() const { return url("omnium_app"); }
  pid_t pid() const { return pid_; }
  // Where its files and its socket are, once started: not always below data_dir.
  const std::string& data_folder() const { return data_; }
  const std::string& socket_folder() const { return sockets_; }

private:
  std::string url(const std::string& user) const;
  std::string find_programs();
  std::string claim_folder();
  std::string choose_folders();
  void link_sockets() const;
  std::string check_version();
  std::string create();
  std::string write_settings();
  bool adopt();
  std::string launch();
  std::string wait_ready();
  std::string create_database();

  cluster_options options_;
  std::string programs_, data_, sockets_, log_;
  uid_t uid_ = 0;
  gid_t gid_ = 0;
  bool switch_user_ = false, child_ = false;
  pid_t pid_ = -1;
  std::atomic<bool> give_up_{false};
  int claim_ = -1; // the data folder's lock, held from start to the end
};

} // namespace omnium::pg
