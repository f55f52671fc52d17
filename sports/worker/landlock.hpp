#pragma once
// Landlock (Linux 5.13 and later): which files the loader may read while the plugin's own initialisers already run.
#include <string>

namespace omnium::worker {

// Reading stays possible in the system's library folders and in `folder`; everything else of the file system is closed.
// A kernel without Landlock: true, and the system call filter is all there is until the plugin is loaded.
bool landlock_to_libraries(const std::string& folder, std::string& fault);

} // namespace omnium::worker
