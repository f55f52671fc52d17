#pragma once
// Inside runtime/wire only: how the HTTP translation unit hands a connection to the WebSocket one.
#include "runtime/wire/wire_core.hpp"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

namespace omnium::wire {

// Takes over a socket whose request asked for the upgrade and was found good. Io thread.
void open_live_session(wire_core& core, wire_stream stream, open_slot slot,
                       boost::beast::http::request<boost::beast::http::string_body> request);

} // namespace omnium::wire
