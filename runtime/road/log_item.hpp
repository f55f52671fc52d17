#pragma once
// One row of the log (timeline_item), as the runtime holds it. The log is append-only; corrections are rows too.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace omnium::road {

struct log_item {
  std::int64_t seq = 0;
  std::string code;
  bool play = false; // carries a version check and becomes the last play
  std::string input; // canonical JSON object
  std::string sender;
  std::string key;
  std::string at;                  // received_at, RFC 3339 UTC ms
  std::vector<std::int64_t> voids; // seqs this row makes void (void, cancel_range, cascade, a sport's own overturn)
  std::optional<std::int64_t> replaces; // seq this row amends
  std::string trace;
};

// {"seq","code","play","input","sender","key","at","voids"?,"replaces"?} as the contract's timeline shows it.
std::string encode(const log_item& item);

} // namespace omnium::road
