#include "sports/corpus/csv.hpp"

#include "sports/corpus/file.hpp"

#include <charconv>

namespace omnium::corpus {

namespace {

// One pass over the text; each call of `next` yields a row.
class csv_scanner {
public:
  explicit csv_scanner(std::string_view text) : text_(text) {}

  bool next(csv_table::row& out) {
    out.clear();
    if (at_ >= text_.size()) return false;
    std::string cell;
    for (;;) {
      const bool more = read_cell(cell);
      out.push_back(std::move(cell));
      cell.clear();
      if (!more) return true;
    }
  }

private:
  // Reads up to a comma (true) or a line end or the end of the text (false); eats the separator.
  bool read_cell(std::string& cell) {
    bool quoted = false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (quoted) {
        if (c != '"') cell += c;
        else if (at_ < text_.size() && text_[at_] == '"') cell += text_[at_++];
        else quoted = false;
      } else if (c == '"' && cell.empty()) {
        quoted = true;
      } else if (c == ',') {
        return true;
      } else if (c == '\n') {
        return false;
      } else if (c != '\r') {
        cell += c;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

} // namespace

csv_table csv_table::parse(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  csv_table table;
  csv_scanner scanner{text};
  row cells;
  while (scanner.next(cells)) {
    if (cells.size() == 1 && cells[0].empty()) continue;
    if (table.header_.empty()) table.header_ = cells;
    else table.rows_.push_back(cells);
  }
  for (std::size_t i = 0; i < table.header_.size(); ++i) table.places_.emplace(table.header_[i], i);
  return table;
}

std::variant<csv_table, std::string> csv_table::read(const std::string& path) {
  auto text = read_file(path);
  if (const auto* error = std::get_if<file_error>(&text)) return error->message;
  csv_table table = parse(std::get<std::string>(text));
  if (table.columns().size() < 2) return path + " is no table of comma-separated columns.";
  if (std::get<std::string>(text).back() != '\n' && !table.rows().empty() &&
      table.rows().back().size() < table.columns().size())
    return path + " is cut off in the middle of its last row; nothing of it is taken.";
  return table;
}

const std::string& csv_table::cell(const row& of, std::string_view column) const {
  static const std::string none;
  const auto place = places_.find(column);
  return place == places_.end() || place->second >= of.size() ? none : of[place->second];
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.remove_suffix(2);
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace omnium::corpus
