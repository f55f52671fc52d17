#pragma once
// The faults of a scenario, put in while it is played: only to connections of the bench and to processes below the
// server it started itself. One thread.
#include "bench/run.hpp"
#include "bench/sockets.hpp"

#include <random>
#include <string>
#include <vector>

namespace omnium::bench {

class troubles {
public:
  troubles(const scenario& what, const run_options& options,
           const std::vector<std::shared_ptr<connection>>& connections, steady::time_point begin);
  void tick();   // puts the next one in when it is due
  void finish(); // the server stands again
  bool restarts_server() const;
  const std::vector<trouble_done>& done() const { return done_; }
  const std::string& error() const { return error_; }

private:
  void put_in(trouble_kind what);
  std::string kill_worker();
  std::string cut();
  std::string restart(int signal);

  const scenario& what_;
  const run_options& options_;
  const std::vector<std::shared_ptr<connection>>& connections_;
  steady::time_point begin_, next_;
  std::mt19937_64 lot_;
  std::size_t count_ = 0;
  std::vector<trouble_done> done_;
  std::string error_;
};

} // namespace omnium::bench
