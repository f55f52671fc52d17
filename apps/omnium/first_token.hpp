#pragma once
// A data folder's first token, an admin's: made when nobody else could let anybody in, and kept in the file
// `first-token`, which only its owner can read, so that a later start can print the desk's address again and the tools
// of this machine find it.
//   the file's token is valid                                     -> that one
//   no file, one of another database, or one that was revoked or  -> none, while the database has a valid admin's token
//   has expired                                                      (or a new one when that is asked for); else a new
//   one
#include "runtime/postgres/session.hpp"

#include <string>

namespace omnium::apps {

struct first_token_wish {
  std::string data_dir;
  bool anew = false; // also where there are other admins: for who lost all their tokens
};
// The token's text, or empty. Throws what libpqxx throws; call inside session::run.
std::string keep_first_token(pg::session::door& door, const first_token_wish& wish);

} // namespace omnium::apps
