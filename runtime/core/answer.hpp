#pragma once
// The five answers and their one body. Source: contract section 2.
#include "runtime/core/uuid.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omnium {

enum class subject_kind : std::uint8_t { fixture, competition };
std::string_view to_string(subject_kind kind);

struct subject_ref {
  subject_kind kind = subject_kind::fixture;
  uuid ref;
  friend auto operator<=>(const subject_ref&, const subject_ref&) = default;
};

enum class outcome : std::uint8_t { accepted, duplicate, refused, conflict, try_again };
std::string_view to_string(outcome what);

struct reason {
  std::string code;    // e.g. lock_timeout; from the contract's list or the sport's
  std::string message; // one plain sentence for a person
  std::string at;      // JSON pointer into the body; empty: null on the wire
  std::string law;     // clause of the sport's law behind a rule's no; empty: member left out
  std::string release; // rule release that said so; empty: member left out
};

struct answer {
  outcome what = outcome::try_again;
  std::string key;                    // empty: null (nothing was read of it)
  std::string code;                   // likewise
  std::optional<subject_ref> subject; // nullopt: null
  std::optional<std::int64_t> seq;
  std::optional<reason> why;
  std::string conflict; // JSON text {"play","since","rows"}; empty: null
  std::string first;    // the first answer's exact text; empty: null
  std::optional<int> retry_after_ms;
  std::string trace;
};

// The one encoder. Member order is the contract's; `conflict` and `first` are embedded as they are.
std::string encode(const answer& what);
std::string encode(const std::optional<reason>& why); // as it stands in an answer; "null" when there is none

// The HTTP status of an answer, from outcome and reason code (contract's table).
int http_status(const answer& what);

// Answers without key, code, subject and trace, which the caller fills in.
answer refused(std::string code, std::string message, std::string at = {});
answer try_again(std::string code, std::string message, int retry_after_ms = 200);

} // namespace omnium
