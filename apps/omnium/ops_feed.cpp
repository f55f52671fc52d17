#include "apps/omnium/ops_feed.hpp"

#include "runtime/core/clock.hpp"
#include "runtime/core/thread_name.hpp"
#include "runtime/ops/figures.hpp"

#include <array>
#include <fmt/format.h>
#include <simdjson.h>

namespace omnium::apps {
namespace {

using namespace std::chrono_literals;
using dom_element = simdjson::dom::element;

constexpr auto fresh_for = 1s; // a reading as old as this is given to who comes
const wire::live_topic ops_topic{wire::live_topic::kind::ops, {}};

// A member of a JSON object as text, or "null".
std::string part_of(const dom_element& object, std::string_view name) {
  dom_element found;
  return object[name].get(found) ? "null" : simdjson::minify(found);
}

std::int64_t number_of(const dom_element& object, std::string_view name) {
  std::int64_t out = 0;
  return object[name].get(out) ? 0 : out;
}

// What an operator wants to see first: what is quarantined, restarted or has commands waiting, then matches, then
// competitions.
int rank_of(const dom_element& match) {
  bool quarantined = false;
  if (match["quarantined"].get(quarantined)) quarantined = false;
  if (quarantined || number_of(match, "restarts") > 0 || number_of(match, "queue") > 0) return 0;
  std::string_view name;
  return !match["name"].get(name) && name.starts_with("match/fixture/") ? 1 : 2;
}

std::string bounded_matches(const dom_element& node, std::size_t& matches) {
  simdjson::dom::array children;
  if (node["children"].get(children)) return simdjson::minify(node);
  matches = children.size();
  std::vector<dom_element> chosen;
  for (int rank : {0, 1, 2})
    for (auto child : children)
      if (rank_of(child) == rank && chosen.size() < ops_matches_max) chosen.push_back(child);
  std::string list;
  for (const auto& child : chosen) list += (list.empty() ? "" : ",") + std::string(simdjson::minify(child));
  return fmt::format(R"({{"name":"matches","strategy":{},"restarts":{},"left_out":{},"children":[{}]}})",
                     part_of(node, "strategy"), number_of(node, "restarts"), matches - chosen.size(), list);
}

} // namespace

std::string bounded_tree(const std::string& tree, std::size_t& matches) {
  matches = 0;
  simdjson::dom::parser parser;
  dom_element root;
  simdjson::dom::array children;
  if (parser.parse(tree).get(root) || root["children"].get(children)) return "null";
  std::string list;
  for (auto child : children) {
    std::string_view name;
    if (child["name"].get(name)) name = {};
    list += (list.empty() ? "" : ",") +
            (name == "matches" ? bounded_matches(child, matches) : std::string(simdjson::minify(child)));
  }
  return fmt::format(R"({{"name":{},"strategy":{},"children":[{}]}})", part_of(root, "name"), part_of(root, "strategy"),
                     list);
}

namespace {

// What is put together for one picture, and the member it becomes.
struct source {
  const char *name, *path;
};
constexpr source sources[] = {{"tree", "/ops/tree"},   {"parts", "/readyz"},          {"health", "/ops/health"},
                              {"locks", "/ops/locks"}, {"failures", "/ops/failures"}, {"alerts", "/ops/alerts"}};
using replies = std::array<wire::read_reply, std::size(sources)>;

std::string picture_of(const replies& from, const std::string& exposition) {
  std::size_t matches = 0;
  auto tree = from[0].status == 200 ? bounded_tree(from[0].body, matches) : std::string("null");
  simdjson::dom::parser parser;
  dom_element ready;
  auto parts = parser.parse(from[1].body).get(ready) ? std::string("null") : part_of(ready, "parts");
  auto out = fmt::format(R"({{"at":"{}","ready":{},"parts":{},"live_matches":{},"tree":{},"figures":{},"quantiles":{})",
                         now_utc_ms(), from[1].status == 200, parts, matches, tree, ops::figures_of(exposition),
                         ops::quantiles_of(exposition));
  for (std::size_t i = 2; i < from.size(); ++i) {
    bool fits = from[i].status == 200 && from[i].body.size() <= ops_part_bytes_max;
    out += fmt::format(R"(,"{}":{})", sources[i].name, fits ? std::string_view(from[i].body) : "null");
  }
  return out + "}";
}

} // namespace

// Shared with readings under way, which may end after the feed.
struct ops_feed::state : std::enable_shared_from_this<ops_feed::state> {
  state(ops::metrics& m, read_fn r) : metrics(&m), read(std::move(r)) {}
  std::recursive_mutex guard; // held while asking, so that nobody is asked after the end; an answer may come at once
  ops::metrics* metrics;      // null: the feed has ended
  read_fn read;
  outbox::topic_answer newest; // version 0: none yet
  std::chrono::steady_clock::time_point taken{};

  using done_fn = std::function<void(outbox::topic_answer)>;
  struct taking {
    replies got;
    done_fn done;
  };
  void take(done_fn done) { step(std::make_shared<taking>(taking{{}, std::move(done)}), 0); }

private:
  // One source after the other.
  void step(const std::shared_ptr<taking>& now, std::size_t index) {
    if (index == now->got.size()) return put_together(*now);
    std::lock_guard lock(guard);
    if (metrics == nullptr) return now->done({});
    read({sources[index].path, {}, {}}, [self = shared_from_this(), now, index](wire::read_reply reply) {
      now->got[index] = std::move(reply);
      self->step(now, index + 1);
    });
  }
  void put_together(const taking& now) {
    outbox::topic_answer out;
    {
      std::lock_guard lock(guard);
      if (metrics == nullptr) return now.done({});
      newest.what = outbox::topic_answer::kind::snapshot;
      ++newest.version;
      newest.data = picture_of(now.got, metrics->registry.expose());
      taken = std::chrono::steady_clock::now();
      out = newest;
    }
    now.done(std::move(out));
  }
};

ops_feed::ops_feed(outbox::hub& hub, ops::metrics& metrics, read_fn read, std::chrono::milliseconds every)
    : state_(std::make_shared<state>(metrics, std::move(read))), hub_(hub), every_(every) {
  thread_ = std::thread([this] { loop(); });
}

void ops_feed::end() {
  {
    std::lock_guard lock(guard_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  std::lock_guard lock(state_->guard);
  state_->metrics = nullptr;
}

void ops_feed::now(std::function<void(outbox::topic_answer)> done) {
  outbox::topic_answer known;
  {
    std::lock_guard lock(state_->guard);
    if (state_->newest.version > 0 && std::chrono::steady_clock::now() - state_->taken < fresh_for)
      known = state_->newest;
  }
  if (known.version > 0) done(std::move(known));
  else state_->take(done);
}

void ops_feed::loop() {
  name_thread("ops feed");
  std::unique_lock lock(guard_);
  while (!wake_.wait_for(lock, every_, [this] { return stopping_; })) {
    if (!hub_.watched(ops_topic)) continue;
    state_->take([this, in = state_](outbox::topic_answer what) {
      std::lock_guard alive(in->guard); // the hub stands while the feed does
      if (in->metrics != nullptr && what.version > 0) hub_.show(ops_topic, what.version, what.data);
    });
  }
}

} // namespace omnium::apps
