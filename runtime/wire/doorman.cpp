#include "runtime/wire/doorman.hpp"
#include "runtime/access/token_text.hpp"
#include "runtime/core/limits.hpp"
#include "runtime/wire/wire_core.hpp"

namespace omnium::wire {
namespace {

constexpr std::string_view refusals = "omnium_access_refused_total";
constexpr const char* refusals_help = "Requests told no: no valid token, a right that is missing, or too much asked.";

// One caller may own a whole /64 of IPv6 addresses.
std::string key_of(const asio::ip::address& address) {
  if (!address.is_v6()) return address.to_string();
  auto six = address.to_v6();
  if (six.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, six).to_string();
  auto bytes = six.to_bytes();
  return std::string(bytes.begin(), bytes.begin() + 8);
}

} // namespace

doorman::doorman(access::gate* gate, access::rate_bounds bounds, std::shared_ptr<io_gate> io, ops::metrics* measures,
                 wall_fn wall)
    : gate_(gate), bounds_(bounds), wall_(std::move(wall)), io_(std::move(io)) {
  if (!measures) return;
  auto counter = [&](const char* why) {
    return measures->registry.make_counter(std::string(refusals), refusals_help, {{"reason", why}});
  };
  refused_sign_in = counter("not_signed_in");
  refused_role = counter("not_allowed");
  limited = counter("limited");
}

bool doorman::sign_in(caller& known, std::string_view text) {
  if (known.who && known.text == text) {
    if (still_valid(known)) return true;
  }
  known = {};
  if (!access::looks_like_token(text)) return false;
  known.generation = gate_->generation();
  known.hash = sha256(text);
  known.who = gate_->find(known.hash);
  if (!known.who || known.who->expired(wall_())) return false;
  known.text = text;
  known.used = of(tokens_, to_string(known.who->id));
  return true;
}

bool doorman::still_valid(caller& known) const {
  if (!known.who) return false;
  if (auto now = gate_->generation(); now != known.generation) {
    known.generation = now;
    known.who = gate_->find(known.hash);
  }
  return known.who && !known.who->expired(wall_());
}

access::verdict doorman::decide(const access::token& who, const access::question& asked) const {
  auto found = asked.about ? competitions_.find(asked.about->ref) : competitions_.end();
  return access::decide(who, asked, found == competitions_.end() ? std::nullopt : std::optional(found->second));
}

void doorman::decide_later(access::token_ptr who, access::question asked, then_fn then) {
  auto verdict = decide(*who, asked);
  if (verdict != access::verdict::ask_competition) return then(verdict);
  auto fixture = asked.about->ref;
  auto& line = asking_[fixture];
  line.push_back({std::move(who), asked, std::move(then)});
  if (line.size() > 1) return; // it is being looked up
  gate_->competition_of(fixture, [this, io = io_, fixture](std::optional<uuid> competition, bool known) {
    io->post([this, fixture, competition, known] { looked_up(fixture, competition, known); });
  });
}

void doorman::looked_up(const uuid& fixture, std::optional<uuid> competition, bool known) {
  if (competitions_.size() >= limits::known_matches_max) competitions_.clear();
  if (competition) competitions_.emplace(fixture, *competition);
  auto line = std::move(asking_[fixture]);
  asking_.erase(fixture);
  for (auto& one : line) {
    auto verdict = decide(*one.who, one.asked);
    if (verdict != access::verdict::ask_competition) one.then(verdict);
    else one.then(known ? std::optional(access::verdict::outside) : std::nullopt); // no such match, or nobody to ask
  }
}

allowance_ptr doorman::of(std::unordered_map<std::string, allowance_ptr>& all, std::string key) {
  auto it = all.find(key);
  if (it != all.end()) return it->second;
  if (all.size() >= limits::callers_max) key.clear(); // the rest shares one
  auto& made = all[std::move(key)];
  if (!made) made = std::make_shared<access::allowance>();
  return made;
}

allowance_ptr doorman::of_address(const asio::ip::address& address) { return of(addresses_, key_of(address)); }

allowance_ptr doorman::of_address(std::string_view text) {
  boost::system::error_code ec;
  auto address = asio::ip::make_address(std::string(text), ec);
  return ec ? of(addresses_, "?") : of_address(address);
}

// A bucket nobody touched for so long is full again: forgetting it changes nothing.
void doorman::sweep(access::bucket::time_point now) {
  if (now < swept_ + limits::caller_forgotten) return;
  swept_ = now;
  for (auto* all : {&addresses_, &tokens_})
    std::erase_if(*all, [&](const auto& entry) {
      return entry.second.use_count() == 1 && now - entry.second->seen() > limits::caller_forgotten;
    });
}

} // namespace omnium::wire
