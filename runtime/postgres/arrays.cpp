#include "runtime/postgres/arrays.hpp"

namespace omnium::pg {

void array_text::raw(std::string_view text) {
  out_ += size_++ == 0 ? '{' : ',';
  out_ += text;
}

void array_text::add(std::string_view text) {
  out_ += size_++ == 0 ? '{' : ',';
  out_.reserve(out_.size() + text.size() + text.size() / 4 + 4);
  out_ += '"';
  for (std::size_t from = 0; from < text.size();) {
    auto at = text.find_first_of("\"\\", from);
    out_.append(text, from, at == std::string_view::npos ? at : at - from);
    if (at == std::string_view::npos) break;
    out_ += '\\';
    out_ += text[at];
    from = at + 1;
  }
  out_ += '"';
}

} // namespace omnium::pg
