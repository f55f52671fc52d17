#pragma once
// Postgres array literals, built in one pass: {1,2,NULL} and {"a","b \"quoted\""}.
#include <cstdint>
#include <string>
#include <string_view>

namespace omnium::pg {

class array_text {
public:
  void add(std::int64_t value) { raw(std::to_string(value)); }
  void add(std::string_view text); // quoted and escaped
  std::size_t size() const { return size_; }
  std::string done() { return out_.empty() ? "{}" : out_ + "}"; }

private:
  void raw(std::string_view text);
  std::string out_;
  std::size_t size_ = 0;
};

} // namespace omnium::pg
