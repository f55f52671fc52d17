#include "runtime/postgres/conninfo.hpp"

#include <libpq-fe.h>
#include <memory>

namespace omnium::pg {

std::string conninfo_fault(const std::string& text) {
  char* said = nullptr;
  std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> read(PQconninfoParse(text.c_str(), &said),
                                                                    &PQconninfoFree);
  std::unique_ptr<char, decltype(&PQfreemem)> message(said, &PQfreemem);
  if (read) return {};
  // libpq's own sentence repeats what it could not read.
  return "it is neither an address postgresql://user@host:port/database nor words like host=… dbname=….";
}

} // namespace omnium::pg
