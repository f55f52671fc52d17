#pragma once
#include "runtime/sport/releases.hpp"

namespace omnium::sport {

// match.void, match.amend, match.insert, match.cancel_range with the schemas of their inputs. All are plays.
std::vector<command_info> correction_commands();

} // namespace omnium::sport
