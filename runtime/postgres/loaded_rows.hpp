#pragma once
// Reads the columns of road.load, for the adapters of this folder.
#include "runtime/postgres/pqxx_compat.hpp"
#include "runtime/road/store.hpp"

#include <string>

namespace omnium::pg {

inline std::string text_of(const pqxx::field& f) {
  return f.is_null() ? std::string{} : std::string(f.c_str(), f.size());
}

road::loaded_subject read_loaded(const pqxx::row& row, subject_ref subject, road::load_depth depth);

} // namespace omnium::pg
