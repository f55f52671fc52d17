#include "runtime/wire/static_files.hpp"
#include "runtime/wire/http_route.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <utility>
#include <zlib.h>

namespace omnium::wire {
namespace {

namespace fs = std::filesystem;

std::string strong_etag(std::string_view content) {
  std::array<unsigned char, 32> digest{};
  unsigned size = 0;
  EVP_Digest(content.data(), content.size(), digest.data(), &size, EVP_sha256(), nullptr);
  std::string out = "\"";
  for (std::size_t i = 0; i < 12; ++i) {
    out += "0123456789abcdef"[digest[i] >> 4];
    out += "0123456789abcdef"[digest[i] & 15];
  }
  return out + '"';
}

// Null when compression fails or gains less than a tenth.
std::shared_ptr<const std::string> gzip(std::string_view content) {
  z_stream z{};
  if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return nullptr;
  std::string out(deflateBound(&z, content.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  z.avail_in = static_cast<uInt>(content.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  bool done = deflate(&z, Z_FINISH) == Z_STREAM_END;
  out.resize(z.total_out);
  deflateEnd(&z);
  if (!done || out.size() > content.size() - content.size() / 10) return nullptr;
  return std::make_shared<const std::string>(std::move(out));
}

bool worth_compressing(std::string_view type, std::size_t size) {
  return size >= 1024 &&
         (type.starts_with("text/") || type.starts_with("application/json") || type == "image/svg+xml" ||
          type.starts_with("text/javascript") || type == "application/manifest+json");
}

// A name a bundler made from the content (app-3f2a91bc.js) may be kept for ever; anything else is asked for again.
bool named_by_content(std::string_view path) { return path.find("/assets/") != std::string_view::npos; }

// What a page from here may do: run its own files, talk to its own server, and be framed by nobody. Kept by every file,
// so that none can be opened as a page with more rights.
constexpr const char* page_rules =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src "
    "'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\nCross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nPermissions-Policy: camera=(), microphone=(), geolocation=()\r\n";

bool hidden_or_odd(std::string_view path) {
  if (path.find('\\') != std::string_view::npos || path.find("//") != std::string_view::npos) return true;
  return path.find("/.") != std::string_view::npos; // "..", "." and hidden files alike
}

std::optional<std::string> read_file(const std::string& file, std::size_t size) {
  std::ifstream in(file, std::ios::binary);
  std::string out(size, '\0');
  if (!in.read(out.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return out;
}

} // namespace

std::string_view media_type(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {{".html", "text/html; charset=utf-8"},
                                                                     {".js", "text/javascript; charset=utf-8"},
                                                                     {".mjs", "text/javascript; charset=utf-8"},
                                                                     {".css", "text/css; charset=utf-8"},
                                                                     {".json", "application/json"},
                                                                     {".map", "application/json"},
                                                                     {".svg", "image/svg+xml"},
                                                                     {".png", "image/png"},
                                                                     {".jpg", "image/jpeg"},
                                                                     {".jpeg", "image/jpeg"},
                                                                     {".webp", "image/webp"},
                                                                     {".ico", "image/x-icon"},
                                                                     {".woff2", "font/woff2"},
                                                                     {".txt", "text/plain; charset=utf-8"},
                                                                     {".md", "text/plain; charset=utf-8"},
                                                                     {".webmanifest", "application/manifest+json"},
                                                                     {".wasm", "application/wasm"},
                                                                     {".yaml", "text/plain; charset=utf-8"}};
  for (const auto& [ending, type] : types) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

static_files::static_files(std::string folder) {
  if (folder.empty()) return;
  std::error_code ec;
  folder_ = fs::weakly_canonical(folder, ec).string(); // the folder may be made later
  while (folder_.ends_with('/')) folder_.pop_back();
}

std::optional<std::string> static_files::resolve(std::string_view path) const {
  if (path.empty() || path.front() != '/' || hidden_or_odd(path)) return std::nullopt;
  std::error_code ec;
  auto place = fs::canonical(folder_ + std::string(path), ec); // follows links, so that one leading outside is seen
  if (ec) return std::nullopt;
  if (fs::is_directory(place, ec)) place = fs::canonical(place / "index.html", ec);
  if (ec || !fs::is_regular_file(place, ec)) return std::nullopt;
  auto text = place.string();
  return text.starts_with(folder_ + "/") ? std::optional(std::move(text)) : std::nullopt;
}

const static_files::entry* static_files::load(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0 || static_cast<std::size_t>(info.st_size) > file_bytes_max) return nullptr;
  std::int64_t changed = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec;
  auto it = cache_.find(file);
  if (it != cache_.end() && it->second.size == info.st_size && it->second.changed_ns == changed) return &it->second;
  auto content = read_file(file, static_cast<std::size_t>(info.st_size));
  if (!content) return nullptr;
  if (cached_bytes_ + content->size() * 2 > cache_bytes_max) {
    cache_.clear();
    cached_bytes_ = 0;
  }
  cached_bytes_ += content->size() * 2;
  entry made;
  made.etag = strong_etag(*content);
  made.type = media_type(file);
  made.size = info.st_size;
  made.changed_ns = changed;
  if (worth_compressing(made.type, content->size())) made.gzipped = gzip(*content);
  made.plain = std::make_shared<const std::string>(std::move(*content));
  return &(cache_[file] = std::move(made));
}

http_reply static_files::get(std::string_view path, std::string_view if_none_match, std::string_view accept_encoding) {
  http_reply reply;
  if (folder_.empty()) {
    if (path != "/") return problem(404, "There is nothing at this address.");
    reply.content_type = "text/html; charset=utf-8";
    reply.body = status_page();
    reply.extra = page_rules;
    return reply;
  }
  auto file = resolve(path);
  const auto* found = file ? load(*file) : nullptr;
  if (!found) return problem(404, "There is nothing at this address.");
  bool zipped = found->gzipped && lists_token(accept_encoding, "gzip");
  reply.content_type = found->type;
  reply.etag = zipped ? found->etag.substr(0, found->etag.size() - 1) + "-gz\"" : found->etag;
  reply.cache_control = named_by_content(path) ? "public, max-age=31536000, immutable" : "no-cache";
  reply.extra = page_rules;
  if (found->gzipped) reply.extra += "Vary: Accept-Encoding\r\n";
  if (matches_etag(if_none_match, reply.etag)) {
    reply.status = 304;
    return reply;
  }
  if (zipped) reply.extra += "Content-Encoding: gzip\r\n";
  reply.shared_body = zipped ? found->gzipped : found->plain;
  return reply;
}

} // namespace omnium::wire
