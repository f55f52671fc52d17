#include "apps/omnium/first_token.hpp"

#include "runtime/access/token_text.hpp"
#include "runtime/ops/log.hpp"
#include "runtime/postgres/session_door.hpp"
#include "runtime/postgres/tokens.hpp"
#include "runtime/wire/client_token.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace omnium::apps {
namespace {

namespace fs = std::filesystem;

// Of the session; it ends with it, should the work between the two end in an error.
const pg::statements::statement one_at_a_time{"first_token_lock",
                                              "SELECT pg_advisory_lock(122529405924717 * 256 + 102)"};
const pg::statements::statement next_one{"first_token_unlock",
                                         "SELECT pg_advisory_unlock(122529405924717 * 256 + 102)"};

// Written beside and renamed, so that no reader sees half of it.
std::string write_private(const std::string& file, const std::string& text) {
  auto beside = file + ".new";
  ::unlink(beside.c_str());
  int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return std::strerror(errno);
  bool whole = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
  ::close(fd);
  if (whole && ::rename(beside.c_str(), file.c_str()) == 0) return {};
  std::string why = std::strerror(errno);
  ::unlink(beside.c_str());
  return why;
}

std::string make_first(pg::session::door& door, const std::string& file) {
  auto text = access::make_token_text();
  access::known_token made;
  made.hash = sha256(text);
  made.what.id = make_uuid7();
  made.what.name = "first-" + to_string(made.what.id).substr(24); // each data folder on one database has its own
  made.what.prefix = access::shown_prefix(text);
  made.what.is = access::role::admin;
  made.what.may_name_sender = true;
  if (!pg::insert_token(door, made, "server")) {
    ops::log_warn("there are too many valid tokens: no first one was made");
    return {};
  }
  std::error_code ignored;
  fs::create_directories(fs::path(file).parent_path(), ignored);
  if (auto why = write_private(file, text + "\n"); !why.empty())
    ops::log_warn("the first token could not be kept in " + file + ": " + why);
  return text;
}

} // namespace

std::string keep_first_token(pg::session::door& door, const first_token_wish& wish) {
  auto file = wish.data_dir + "/" + std::string(wire::first_token_file);
  auto kept = wire::read_token_file(file);
  if (access::looks_like_token(kept) && pg::standing_of(door, sha256(kept)) == pg::token_standing::valid) return kept;
  // Nodes that start side by side on a fresh database make one token, not one each.
  door.run(one_at_a_time);
  auto made = wish.anew || !pg::any_valid_admin(door) ? make_first(door, file) : std::string();
  door.run(next_one);
  return made;
}

} // namespace omnium::apps
