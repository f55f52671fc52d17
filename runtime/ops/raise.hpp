#pragma once
// The door through which any part of the runtime says that something is wrong. Never waits: what is raised is written
// down by a thread of its own. Source: seed phase 2 (alerts.raise_).
#include <functional>
#include <string>

namespace omnium::ops {

// Name of the rule; what it is about (a match, a sport, a node; empty: the whole); a sentence without names or inputs.
// An empty function: nobody listens.
using raise_fn = std::function<void(const std::string& rule, const std::string& key, const std::string& detail)>;

} // namespace omnium::ops
