#pragma once
// What systemd wants to hear (sd_notify, Type=notify): one datagram to $NOTIFY_SOCKET. Without that variable nothing is
// sent. Any thread.
#include <chrono>
#include <string>

namespace omnium::ops {

// E.g. "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=…"; several are parted by a line end. False: nobody listens.
bool notify(const std::string& what);
// How often the watchdog is to be fed: half of $WATCHDOG_USEC, if it is meant for this process; else 0.
std::chrono::milliseconds watchdog_period();

} // namespace omnium::ops
