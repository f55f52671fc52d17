#pragma once
// Comma-separated tables as RFC 4180 says: quoted cells may hold commas, line ends and doubled quotes. The first row
// names the columns. A byte order mark is skipped.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omnium::corpus {

class csv_table {
public:
  using row = std::vector<std::string>;

  // Rows shorter than the header read as if empty cells followed; blank lines are left out.
  static csv_table parse(std::string_view text);
  // The file's table, or one sentence that names the file and says what is wrong with it.
  static std::variant<csv_table, std::string> read(const std::string& path);

  const std::vector<std::string>& columns() const { return header_; }
  const std::vector<row>& rows() const { return rows_; }
  bool has(std::string_view column) const { return places_.find(column) != places_.end(); }
  // The cell, or empty where the table has no such column.
  const std::string& cell(const row& of, std::string_view column) const;

private:
  std::vector<std::string> header_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<row> rows_;
};

// Whole text as a number; nullopt when it is anything else. "12", "-3"; "12.0" is 12 as well (tables written from
// data frames say it so).
std::optional<std::int64_t> to_integer(std::string_view text);

// Parts between separators; "a;;b" has three.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);

} // namespace omnium::corpus
