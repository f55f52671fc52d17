#pragma once
// Static files under one folder: safe paths, types, strong ETags, gzip made once. Files are kept in memory and looked
// at again when their size or time changes. Owned by the io thread.
#include "runtime/wire/http_reply.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace omnium::wire {

class static_files {
public:
  static constexpr std::size_t file_bytes_max = 32u * 1024 * 1024;   // beyond: 404, not a file for the web
  static constexpr std::size_t cache_bytes_max = 128u * 1024 * 1024; // beyond: the cache begins anew

  // `folder` empty: only "/" exists, a plain status page.
  explicit static_files(std::string folder);

  // `path`: decoded, from '/'. A folder means its index.html. 404 as problem details; 304 when the tag is known.
  http_reply get(std::string_view path, std::string_view if_none_match, std::string_view accept_encoding);

private:
  struct entry {
    std::shared_ptr<const std::string> plain, gzipped; // gzipped null: not worth it
    std::string etag, type;
    std::int64_t size = 0, changed_ns = 0;
  };
  // The file's place inside the folder, or nothing for a path that leads elsewhere, is hidden, or does not exist.
  std::optional<std::string> resolve(std::string_view path) const;
  const entry* load(const std::string& file);

  std::string folder_; // canonical; empty: status page only
  std::unordered_map<std::string, entry> cache_;
  std::size_t cached_bytes_ = 0;
};

// The type of a file by its ending, e.g. text/html; charset=utf-8.
std::string_view media_type(std::string_view file_name);

// The page shown at / when no folder is set.
std::string_view status_page();

} // namespace omnium::wire
