#pragma once
// What the process gives up before and after the plugin is loaded. Irreversible; the order is load's own:
// limits, then `before_load` (files of the system's libraries and the plugin's folder may still be read), dlopen, then
// `after_load` (nothing may be opened any more).
#include <cstddef>
#include <string>

namespace omnium::worker {

// All three: false with a sentence in `fault` when a right could not be given up; the worker then must not go on.
bool set_limits(std::size_t memory_bytes_max, std::string& fault);
bool confine_before_load(const std::string& plugin_folder, std::string& fault);
bool confine_after_load(std::string& fault);

// CPU seconds this process may still use; renewed by each run, so that a worker whose keeper is gone ends by itself.
void renew_cpu_limit();

} // namespace omnium::worker
