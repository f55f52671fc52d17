#pragma once
// Every address of the server with the method that asks for it. A read or an act at an address that is not here is not
// handed in (404), and a test compares the list with schema/openapi.yaml: what is served is described. Any thread.
#include <array>
#include <string_view>

namespace omnium::wire {

struct address {
  std::string_view method, path; // a segment in braces stands for any one segment
};

inline constexpr std::array addresses{
    address{"POST", "/workflows/{workflow}/subjects/{kind}/{ref}/commands"},
    address{"POST", "/workflows/{workflow}/subjects/{kind}/{ref}/commands:preview"},
    address{"GET", "/fixtures"},
    address{"GET", "/fixtures/{id}"},
    address{"GET", "/fixtures/{id}/timeline"},
    address{"GET", "/fixtures/{id}/state"},
    address{"GET", "/competitions"},
    address{"GET", "/competitions/{id}"},
    address{"GET", "/sports"},
    address{"GET", "/workflows"},
    address{"GET", "/ops/tree"},
    address{"GET", "/ops/matches"},
    address{"GET", "/ops/locks"},
    address{"POST", "/ops/locks/end"},
    address{"GET", "/ops/failures"},
    address{"GET", "/ops/releases"},
    address{"GET", "/ops/verify/{id}"},
    address{"GET", "/ops/health"},
    address{"GET", "/ops/alerts"},
    address{"POST", "/ops/alerts/ack"},
    address{"POST", "/ops/alerts/silence"},
    address{"GET", "/ops/trace"},
    address{"GET", "/ops/trace/{trace}"},
    address{"POST", "/ops/restart"},
    address{"GET", "/ops/tokens"},
    address{"POST", "/ops/tokens/create"},
    address{"POST", "/ops/tokens/revoke"},
    address{"GET", "/livez"},
    address{"GET", "/readyz"},
    address{"GET", "/metrics"},
    address{"GET", "/live"},
    address{"GET", "/"}, // the desk's files
};

// Is there such an address? `path` decoded, without the query.
bool serves(std::string_view method, std::string_view path);

} // namespace omnium::wire
