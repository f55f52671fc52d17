#pragma once
// A real Postgres for tests: one private cluster for the whole test program, a fresh database for each test case.
#include <cstdint>
#include <pqxx/pqxx>
#include <string>

namespace omnium::testing {

// A folder below /tmp that goes with its owner.
class temp_folder {
public:
  temp_folder();
  ~temp_folder();
  temp_folder(const temp_folder&) = delete;
  temp_folder& operator=(const temp_folder&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

// A fresh database on the program's cluster (a copy of `like`, where one is named), dropped with its owner.
class database {
public:
  explicit database(const std::string& like = "template1");
  ~database();
  database(const database&) = delete;
  database& operator=(const database&) = delete;
  const std::string& name() const { return name_; }
  const std::string& url() const { return url_; } // as the owner
  std::string app_url() const;                    // as the application's role
  pqxx::connection connect() const { return pqxx::connection(url_); }
  // The first column of the first row, as text.
  std::string ask(const std::string& sql) const;
  std::int64_t count(const std::string& sql) const { return std::stoll(ask(sql)); }
  void run(const std::string& sql) const;
  // From now on (or no longer) no session can write, those open now included: as after a demotion.
  void read_only(bool on) const;
  // Puts `before` and `after` (SQL statements of plpgsql) around road.commit, as a slower or broken server would
  // behave.
  void wrap_commit(const std::string& before, const std::string& after) const;
  // Changes the text of road.commit; throws when `what` does not stand in it.
  void edit_commit(const std::string& what, const std::string& by) const;

private:
  std::string name_, url_;
};

} // namespace omnium::testing
