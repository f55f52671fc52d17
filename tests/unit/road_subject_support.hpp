#pragma once
// One match in the hand: the road's subject on two nodes over a model of the database (tests/sim/model.hpp), whose
// operations end when the test says so.
#include "tests/catch.hpp"
#include "tests/sim/model.hpp"

namespace omnium::model {

struct subject_bench {
  database db;
  subject_ref ref{subject_kind::fixture, make_uuid7()};
  std::map<std::string, std::vector<road::reply>> replies; // outlives the nodes: a ticket dropped with them is answered
  node one{db, ref}, two{db, ref};
  int sends = 0;

  void send(node& to, const std::string& key, const std::string& code, const std::string& input,
            std::optional<std::int64_t> saw = {}, bool preview = false) {
    ++sends;
    to.subject().accept(
        std::make_shared<road::ticket>(make_command(ref, key, code, input, saw, static_cast<std::uint64_t>(sends)),
                                       preview, [this, key](road::reply r) { replies[key].push_back(std::move(r)); }));
  }
  void add(node& to, const std::string& key, int v, std::optional<std::int64_t> saw = {}) {
    send(to, key, "toy.add", fmt::format(R"({{"v":{}}})", v), saw);
  }
  const road::reply& last(const std::string& key) { return replies.at(key).back(); }
  bool consistent() const {
    for (std::size_t i = 0; i < db.log.size(); ++i)
      if (db.log[i].seq != static_cast<std::int64_t>(i + 1)) return false;
    return db.log.empty() || db.scoreboard == toy::fold(db.log).scoreboard();
  }
};

} // namespace omnium::model
