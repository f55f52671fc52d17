#pragma once
// The server's certificate and key, looked at before anything starts.
#include <string>

namespace omnium::wire {

// Why a server could not speak TLS with these two files (PEM), in one sentence that names the option; empty: it could.
std::string tls_fault(const std::string& certificate, const std::string& key);

} // namespace omnium::wire
