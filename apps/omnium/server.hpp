#pragma once
// The whole server, assembled: database, sports, actors, wire. One owner thread starts and stops it.
#include "runtime/ops/config.hpp"

#include <memory>
#include <string>

namespace omnium::apps {

class server {
public:
  // `new_first_token`: a first token is made also where the database has other admins (first_token.hpp).
  explicit server(const ops::settings& settings, bool new_first_token = false);
  ~server(); // stops
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  std::string start();             // empty: it serves; else one sentence
  void stop();                     // graceful: finish what is in flight, answer the rest shutting_down
  std::string url() const;         // http://127.0.0.1:8400
  std::string silent_part() const; // a loop that no longer turns, and why it is thought so; empty: all do
  // The database became one that this program must not write: it has sent itself SIGTERM.
  bool unfit() const;
  // The data folder's own token while it is valid; empty: none, or no sign-in is asked for.
  std::string first_token() const;
  // Takes over what needs no new process, and reads the certificate again. A sentence about a certificate that is no
  // good: the old one stays.
  std::string reload(const ops::settings& settings);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace omnium::apps
