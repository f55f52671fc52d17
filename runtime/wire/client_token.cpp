#include "runtime/wire/client_token.hpp"

#include <cstdlib>
#include <fstream>

namespace omnium::wire {

std::string read_token_file(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

std::string find_token(const std::string& given, const std::string& data_dir) {
  if (!given.empty()) return given;
  const char* named = std::getenv("OMNIUM_TOKEN");
  if (named && *named) return named;
  return read_token_file(data_dir + "/" + std::string(first_token_file));
}

} // namespace omnium::wire
