#pragma once
// The sub-commands of `omnium`: each takes the words after its name and returns the exit status.
#include <string>
#include <vector>

namespace omnium::apps {

using words = std::vector<std::string>;

int serve_main(const words& args);     // the server
int migrate_main(const words& args);   // brings the database's schema up to date
int replay_main(const words& args);    // sends recorded matches to a server
int ctl_main(const words& args);       // the operator's tool
int new_sport_main(const words& args); // writes a sport plugin into a source tree

// Folder of the running program; packages and the worker program are found beside it.
std::string program_folder();

} // namespace omnium::apps
