#pragma once
// A door for the wire's tests: tokens by their texts, matches by their competitions, both changed at will.
#include "runtime/access/token_text.hpp"
#include "runtime/wire/ws_client.hpp"
#include "tests/unit/wire_support.hpp"

#include <map>

namespace omnium::wire::testing {

// Answers every watch with a snapshot.
class quiet_hub : public live_hub {
public:
  void subscribe(const live_topic& topic, std::optional<std::int64_t>, const std::string&,
                 const live_sink_ptr& sink) override {
    sink->send(snapshot_frame(topic, 7, "{}"));
  }
  void unsubscribe(const live_topic&, const live_sink*) override {}
  void leave(const live_sink*) override {}
  std::optional<std::int64_t> version(const live_topic&) const override { return 7; }
};

class fake_gate final : public access::gate {
public:
  // A new token; its text.
  std::string add(access::token what) {
    auto text = access::make_token_text();
    std::lock_guard hold(lock_);
    what.id = make_uuid7();
    tokens_.push_back({sha256(text), std::move(what)});
    directory_.replace(tokens_);
    return text;
  }
  std::string add(access::role is, std::string name = "anna") {
    access::token what;
    what.is = is;
    what.name = std::move(name);
    return add(std::move(what));
  }
  void revoke(const std::string& text) {
    std::lock_guard hold(lock_);
    std::erase_if(tokens_, [&](const auto& one) { return one.hash == sha256(text); });
    directory_.replace(tokens_);
  }
  void place(const uuid& fixture, const uuid& competition) {
    std::lock_guard hold(lock_);
    places_[fixture] = competition;
  }

  access::token_ptr find(const sha256_digest& hash) const override { return directory_.find(hash); }
  std::uint64_t generation() const override { return directory_.generation(); }
  // Answered from another thread; while `away` it could not be asked.
  void competition_of(const uuid& fixture, std::function<void(std::optional<uuid>, bool)> done) override {
    std::lock_guard hold(lock_);
    ++asked;
    auto it = places_.find(fixture);
    auto found = it == places_.end() ? std::nullopt : std::optional(it->second);
    askers_.emplace_back([found, done = std::move(done), known = !away] { done(found, known); });
  }
  ~fake_gate() override {
    for (auto& thread : askers_) thread.join();
  }
  std::atomic<int> asked{0};
  std::atomic<bool> away{false};

private:
  std::mutex lock_;
  std::vector<access::known_token> tokens_;
  access::directory directory_;
  std::map<uuid, uuid> places_;
  std::vector<std::thread> askers_;
};

} // namespace omnium::wire::testing
