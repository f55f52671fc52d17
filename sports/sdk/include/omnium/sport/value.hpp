#pragma once
// A parsed JSON value, its document, and the reader that remembers where it is, so that an error names the place.
// simdjson does the parsing; it stays behind the library, so that a plugin's sources compile fast.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::sdk {

// A view into a document; valid as long as the document is neither destroyed nor parsed into again.
class value {
public:
  enum class kind : std::uint8_t { null, boolean, number, string, array, object };
  kind type() const;
  bool get(bool& out) const;
  bool get(std::int64_t& out) const; // also a float with a whole value, e.g. 1.0
  bool get(double& out) const;
  bool get(std::string_view& out) const;
  std::size_t size() const; // of an array or object; 0 else

private:
  friend class document;
  friend class item_cursor;
  friend class member_cursor;
  alignas(8) unsigned char element_[16]{};
};

class item_cursor {
public:
  explicit item_cursor(const value& array);
  bool next(value& item);

private:
  alignas(8) unsigned char position_[16]{}, end_[16]{};
};

class member_cursor {
public:
  explicit member_cursor(const value& object);
  bool next(std::string_view& name, value& member);

private:
  alignas(8) unsigned char position_[16]{}, end_[16]{};
};

class document {
public:
  document();
  ~document();
  document(document&&) noexcept;
  document& operator=(document&&) noexcept;
  bool parse(std::string_view text); // false: error() says why
  const value& root() const { return root_; }
  const std::string& error() const { return error_; }

private:
  struct impl;
  std::unique_ptr<impl> impl_;
  value root_;
  std::string error_;
};

class reader {
public:
  enum class trust : std::uint8_t {
    input, // from outside: every constraint holds, unknown members are refused
    stored // written by this SDK or already accepted: types and members are checked, constraints are not
  };
  // `root` begins the pointer of every place, e.g. "/input".
  reader(trust whose, std::string_view root) : trust_(whose), root_(root) {}

  bool constrained() const { return trust_ == trust::input; }
  bool fail(std::string message); // keeps the first one; always false
  bool failed() const { return failed_; }
  const std::string& message() const { return message_; }
  const std::string& at() const { return at_; } // JSON pointer

  void enter(std::string_view member) { path_.push_back({member, 0}); }
  void enter(std::size_t index) { path_.push_back({{}, index}); }
  void leave() { path_.pop_back(); }
  std::string place() const; // for a sentence: the last member's name, or the whole value

private:
  struct step {
    std::string_view name;
    std::size_t index;
  };
  trust trust_;
  bool failed_ = false;
  std::string_view root_;
  std::vector<step> path_;
  std::string message_, at_;
};

// JSON text out. Deterministic: the same value gives the same bytes.
void append_string(std::string& out, std::string_view text);
void append_integer(std::string& out, std::int64_t number);
void append_fixed(std::string& out, std::int64_t units, int decimals); // 5123, 3 -> 5.123

} // namespace omnium::sdk
