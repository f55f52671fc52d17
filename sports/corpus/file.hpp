#pragma once
// Reading a recorded file whole. A .gz file, or any file with gzip's first bytes, comes back inflated.
#include <cstddef>
#include <string>
#include <variant>

namespace omnium::corpus {

inline constexpr std::size_t file_bytes_max = 256u * 1024 * 1024; // after inflation; beyond: an error, nothing is read

struct file_error {
  std::string message; // one sentence that names the file
};

std::variant<std::string, file_error> read_file(const std::string& path);

// Path helpers, purely textual: "a/b/c.json.gz" -> "c" (known endings .gz, .json, .csv, .dvw, .txt off), and the
// folder.
std::string file_stem(const std::string& path);
std::string sibling(const std::string& path, const std::string& name);
bool file_exists(const std::string& path);

} // namespace omnium::corpus
