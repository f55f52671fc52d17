#pragma once
// What the server saved of the bench's matches, read after a run: from its database where that can be reached, else
// through HTTP (then the table of commands stays unseen). Blocking; one thread.
#include "bench/history.hpp"
#include "runtime/wire/http_client.hpp"

#include <string>
#include <vector>

namespace omnium::bench {

// Fills log, versions, commands and events of `into` for these fixtures. Empty, or a sentence.
std::string read_database(const std::string& database_url, const std::vector<std::string>& fixtures, history& into);
// Fills log and versions.
std::string read_http(wire::http_client& http, const std::vector<std::string>& fixtures, history& into);

// The database of a server's data folder (its private cluster); empty when there is none. Must not be a stranger's:
// only a folder that was named or made by the caller.
std::string database_of(const std::string& data_folder);

} // namespace omnium::bench
