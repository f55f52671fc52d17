#pragma once
// CommandIn: one request to change one subject, parsed and bounded. Source: contract section 2, decisions C1-C5, L17.
#include "runtime/core/answer.hpp"
#include "runtime/core/uuid.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace omnium {

using payload_hash = std::array<std::uint8_t, 32>; // sha256 of the canonical JSON of {code, input, subject}

// What the sender had seen when it made the command. Both absent: a pure add (level none).
struct saw_versions {
  std::optional<std::int64_t> play;                // seq of the last play event it saw
  std::vector<std::pair<uuid, std::int64_t>> rows; // fixture_competitor row -> changed_seq
};

// An immutable command as it travels from the wire to a subject's actor.
struct command {
  std::string workflow; // path segment, e.g. "football", "games", "scoring"; lower-case letters, digits, - and _
  subject_ref subject;
  std::string key;
  std::string code;
  std::string input; // canonical JSON text of the object (ASCII, sorted members)
  std::string sender;
  saw_versions saw;
  std::string sent_at;     // as sent, checked to be RFC 3339; empty when absent
  std::string received_at; // UTC, milliseconds, e.g. 2026-10-05T14:03:11.250Z: the time the event carries
  payload_hash hash{};
  std::string trace; // 32 hex digits
  std::chrono::steady_clock::time_point arrived{};
};
using command_ptr = std::shared_ptr<const command>;

// What the wire knows beside the body.
struct command_envelope {
  std::string_view workflow, kind, ref;            // path segments, percent-decoded
  std::optional<std::string_view> idempotency_key; // header Idempotency-Key
  std::optional<std::string_view> traceparent;     // W3C header; its trace id is taken over when valid
  bool key_required = true;                        // false for a preview
};

// Parses, bounds and hashes one CommandIn. On failure the answer is complete (refused, http status set) and can be sent
// as it is; it carries whatever of key, code, subject and trace could be read. Never throws. `body` needs no padding.
// Beyond the contract's words: `saw` holds play or rows, not both; a name of a workflow that no workflow can have is
// unknown_command, a kind or a ref that no subject can have unknown_subject.
std::variant<command, answer> parse_command(const command_envelope& envelope, std::string_view body);

} // namespace omnium
