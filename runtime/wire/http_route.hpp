#pragma once
// What a request's target asks for. Pure; any thread. Source: contract sections 2 and 3.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::wire {

enum class route_kind : std::uint8_t {
  command, // POST /workflows/{workflow}/subjects/{kind}/{ref}/commands
  preview, // POST …/commands:preview
  read,    // GET, answered by service::read
  action,  // POST /ops/restart, /ops/tokens/create, …: answered by service::act
  livez,   // GET, answered by the wire itself
  metrics, // GET
  live,    // GET with an upgrade: the socket
  file,    // GET, a static file or the status page
  bad      // the target is malformed; `problem` says how
};

struct route {
  route_kind kind = route_kind::bad;
  std::string workflow, subject_kind, ref; // command and preview: path segments, percent-decoded
  std::string path;                        // percent-decoded, always from '/', without the query
  std::string query;                       // raw, after the '?'
  std::string problem;                     // bad: one sentence
};

// First segments of paths that service::read answers.
inline const std::vector<std::string> default_read_roots = {"fixtures",     "competitions", "sports", "workflows",
                                                            "participants", "readyz",       "ops"};

// `target` as it stands in the request line: origin form, or absolute form, whose scheme and authority are dropped.
route find_route(std::string_view target, const std::vector<std::string>& read_roots);

// Methods a route knows, as the Allow header says them.
std::string_view allowed_methods(route_kind kind);

// Percent-decodes. False: a bad escape, or a NUL or other control character in the result.
bool percent_decode(std::string_view text, std::string& out);

// Does an Accept header (empty: absent) take this type, e.g. "application/json"? Quality 0 is a no.
bool accepts(std::string_view header, std::string_view type);

// Is a Content-Type header application/json (parameters aside; a charset other than utf-8 is a no)?
bool is_json_type(std::string_view header);

bool equal_no_case(std::string_view a, std::string_view b);
// Is `token` in a comma-separated header list, in any case?
bool lists_token(std::string_view header, std::string_view token);
// Does an If-None-Match header name this strong or weak tag?
bool matches_etag(std::string_view if_none_match, std::string_view etag);

} // namespace omnium::wire
