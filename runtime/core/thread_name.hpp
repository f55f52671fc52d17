#pragma once
// What a thread is called in top -H, gdb and perf. Of the calling thread; the kernel keeps the first 15 bytes.
#include <pthread.h>

#include <string>
#include <string_view>

namespace omnium {

inline void name_thread(std::string_view name) {
  ::pthread_setname_np(::pthread_self(), std::string(name.substr(0, 15)).c_str());
}

} // namespace omnium
