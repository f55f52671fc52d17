#pragma once
#include <string>

namespace omnium::apps {

// Creates the demo competition with its matches through the command road, with fixed keys: a second start changes
// nothing. Empty, or a sentence why it could not.
std::string load_demo(const std::string& url, const std::string& token);

} // namespace omnium::apps
