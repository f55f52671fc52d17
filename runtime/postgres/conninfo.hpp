#pragma once
// A connection text looked at before anybody connects with it.
#include <string>

namespace omnium::pg {

// What libpq has against `text` (a URI, or key=value words), in one sentence without the text, which may hold a
// password; empty: it can be read. Whether a database is there is another question.
std::string conninfo_fault(const std::string& text);

} // namespace omnium::pg
