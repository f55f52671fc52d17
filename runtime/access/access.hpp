#pragma once
// Who may do what: the whole table, and the one function that reads it. Pure; any thread. Source: issue 5 item 1, known
// trap X1.
//
//   what is asked                                        | least role | a token limited to competitions or matches
//   -----------------------------------------------------+------------+--------------------------------------------
//   /livez /readyz /metrics, the desk's files            | nobody     | not asked
//   look_up:    /sports /workflows                       | viewer     | may
//   list:       /fixtures /competitions                  | viewer     | sees what lies inside its limits
//   read:       one match, one competition, watching it  | viewer     | inside its limits
//   command:    a command or a preview on a match        | scorer     | inside its limits
//   create:     a command on a competition (games)       | integrator | inside its limits
//   operate:    /ops/…, topic ops, commands ops.* and    | operator   | may not: these show and touch everything
//               results.set_release, match.rebuild       |            |
//   administer: /ops/tokens…                             | admin      | may not
//
// Roles are a ladder: each may what those before it may. A match lies inside when it, or its competition, is named.
#include "runtime/core/answer.hpp"
#include "runtime/core/uuid.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::access {

enum class role : std::uint8_t { viewer, scorer, integrator, operator_, admin };
std::string_view to_string(role what);
std::optional<role> parse_role(std::string_view text);

enum class action : std::uint8_t { look_up, list, read, command, create, operate, administer };

// A token as the server knows it: never its text.
struct token {
  uuid id;
  std::string name;   // the sender of its commands
  std::string prefix; // the start of its text, for people to tell tokens apart
  role is = role::viewer;
  std::vector<uuid> competitions, fixtures; // both empty: no limits
  std::optional<std::chrono::system_clock::time_point> expires;
  bool may_name_sender = false; // a command may carry another sender than the token's name

  bool limited() const { return !competitions.empty() || !fixtures.empty(); }
  bool expired(std::chrono::system_clock::time_point now) const { return expires && now >= *expires; }
};
using token_ptr = std::shared_ptr<const token>;

struct question {
  action what = action::look_up;
  std::optional<subject_ref> about; // read, command, create; nullopt where the address names no subject
};

enum class verdict : std::uint8_t {
  yes,
  role_too_low,
  outside,         // of the token's limits
  ask_competition, // it hangs on the match's competition: decide again with it
};

// `competition`: of the match that is asked about, where it is known (a match never changes it).
verdict decide(const token& who, const question& asked, const std::optional<uuid>& competition = std::nullopt);

role least_role(action what);

// What a GET of this decoded path asks; nullopt: open to everybody.
std::optional<question> question_of_read(std::string_view path);
// What an operator's POST of this decoded path asks.
question question_of_act(std::string_view path);
// `code` empty: not read yet; what it says is asked again once it is.
question question_of_command(const subject_ref& subject, std::string_view code = {});

// One sentence for a person who was told no.
std::string sentence_of(verdict what, const token& who, action asked);

// The sender a command is saved with: the token's name, or the one it carries where the token may name another.
const std::string& sender_of(const token& who, const std::string& named);

// Before a token is made: a sentence against it, or empty.
std::string fault_of(const token& wanted);
inline constexpr std::size_t name_chars_max = 100; // as a sender's; beyond: refused
inline constexpr std::size_t limits_len_max = 200; // competitions and matches a token names; beyond: refused

} // namespace omnium::access
