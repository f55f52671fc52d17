#pragma once
// A data folder on a disk that a test can fill. Where a file system may be mounted (by root), a small one in memory;
// else Postgres' own processes are told that a file may not grow (RLIMIT_FSIZE), which they take for the same trouble.
#include "tests/e2e/server_support.hpp"

#include <cstddef>
#include <string>

namespace omnium::e2e {

class full_disk {
public:
  full_disk();
  ~full_disk();
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;
  const std::string& path() const { return path_; }
  std::string how() const; // in words
  // Takes all but so many bytes; gives them back.
  void fill(std::size_t bytes_left);
  void empty();

private:
  void limit_files(std::uint64_t bytes) const;
  temp_folder folder_;
  std::string path_;
  bool mounted_ = false;
};

} // namespace omnium::e2e
