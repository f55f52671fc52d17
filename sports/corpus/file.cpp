#include "sports/corpus/file.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <zlib.h>

namespace omnium::corpus {

namespace {

struct close_gz {
  void operator()(gzFile file) const { gzclose(file); }
};
using gz_handle = std::unique_ptr<gzFile_s, close_gz>;

std::string why(gzFile file) {
  int code = 0;
  const char* text = gzerror(file, &code);
  return code == Z_OK || text == nullptr ? std::string{"it cannot be read"} : std::string{text};
}

} // namespace

std::variant<std::string, file_error> read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return file_error{path + " is a folder, not a file."};
  const gz_handle file{gzopen(path.c_str(), "rb")}; // reads files that are not compressed as they are
  if (!file) return file_error{path + " cannot be opened."};
  constexpr std::size_t step = 256 * 1024;
  std::string text;
  for (;;) {
    const std::size_t had = text.size();
    text.resize(had + step);
    const int got = gzread(file.get(), text.data() + had, step);
    if (got < 0) return file_error{path + ": " + why(file.get()) + "."};
    text.resize(had + static_cast<std::size_t>(got));
    if (text.size() > file_bytes_max) return file_error{path + " is larger than a recorded match may be (256 MiB)."};
    if (got == 0) break;
  }
  // A gzip file that was cut off ends without an error from gzread alone; closing it tells.
  int code = Z_OK;
  gzerror(file.get(), &code);
  if (code == Z_BUF_ERROR) return file_error{path + " is cut off."};
  return text;
}

std::string file_stem(const std::string& path) {
  std::filesystem::path name = std::filesystem::path{path}.filename();
  for (;;) {
    const std::string ending = name.extension().string();
    const bool known = ending == ".gz" || ending == ".json" || ending == ".csv" || ending == ".dvw" || ending == ".txt";
    if (!known) return name.string();
    name = name.stem();
  }
}

std::string sibling(const std::string& path, const std::string& name) {
  return (std::filesystem::path{path}.parent_path() / name).string();
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

} // namespace omnium::corpus
