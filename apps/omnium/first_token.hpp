#pragma once
// A data folder's first token, an admin's: made when the folder has none, and kept in the file `first-token`, which
// only its owner can read, so that a later start can print the desk's address again and the tools of this machine find
// it.
//   the file's token is valid            -> that one
//   it was revoked or has expired        -> none, while there is another admin; else a new one
//   no file, or another database's token -> a new one
#include "runtime/postgres/session.hpp"

#include <string>

namespace omnium::apps {

// The token's text, or empty. Throws what libpqxx throws; call inside session::run.
std::string keep_first_token(pg::session::door& door, const std::string& data_dir);

} // namespace omnium::apps
