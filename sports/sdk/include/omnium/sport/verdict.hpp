#pragma once
// What a sport's rules see of an event, and what they answer.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omnium::sdk {

// One event of the log. Nothing else of the outside reaches a sport: no clock, no random, no file.
struct event {
  std::int64_t seq = 0; // its id for life; other events name it by this
  std::string_view code;
  std::string_view at;     // RFC 3339 time of the event
  std::string_view umpire; // why the officials let stand what the rules would refuse; empty: they did not
  // Decided once more, because the log before it was corrected. Refuse it only where it cannot have happened then;
  // where it merely means something else now (a second caution that becomes the first), accept, and let evolve say
  // what.
  bool again = false;

  bool umpired() const { return !umpire.empty(); }
  std::int64_t at_ms() const; // milliseconds since 1970 UTC; 0 when `at` is no RFC 3339 time
};

// accept(), or refuse("mid_over_no_reason", "A bowler may not be replaced in an over.").law("Law 17.8").
class verdict {
public:
  static verdict accepted() { return verdict{true}; }
  static verdict refused(std::string code, std::string message) {
    verdict made{false};
    made.code_ = std::move(code);
    made.message_ = std::move(message);
    return made;
  }

  verdict& law(std::string clause) { return law_ = std::move(clause), *this; }
  // The place in the input that the refusal is about: at("player") becomes /input/player.
  verdict& at(std::string_view member) { return at_ = "/input/" + std::string(member), *this; }
  // Earlier events that this one makes void (accepted only). The runtime then folds the log again without them; in that
  // fold this event is evolved, and not decided again, on a state that never had them.
  verdict& voids(std::vector<std::int64_t> seqs) { return voids_ = std::move(seqs), *this; }

  explicit operator bool() const { return accepted_; }
  const std::string& code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& law() const { return law_; }
  const std::string& at() const { return at_; }
  const std::vector<std::int64_t>& voids() const { return voids_; }

private:
  explicit verdict(bool accepted) : accepted_(accepted) {}
  bool accepted_;
  std::string code_, message_, law_, at_;
  std::vector<std::int64_t> voids_;
};

inline verdict accept() { return verdict::accepted(); }
inline verdict refuse(std::string code, std::string message) {
  return verdict::refused(std::move(code), std::move(message));
}

// The first refusal of several questions, or accept(): return first_refusal(on_field(in.player), in_play(), …).
template<class... Verdicts>
verdict first_refusal(Verdicts... all) {
  verdict found = accept();
  ((found ? void(found = std::move(all)) : void()), ...);
  return found;
}

} // namespace omnium::sdk
