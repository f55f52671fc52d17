#include "runtime/wire/http_route.hpp"

#include <algorithm>
#include <cctype>

namespace omnium::wire {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls `use` with each trimmed part of a list; stops when it says so.
template<class Use>
bool any_part(std::string_view list, char separator, Use use) {
  while (true) {
    auto end = std::min(list.find(separator), list.size());
    auto part = trimmed(list.substr(0, end));
    if (!part.empty() && use(part)) return true;
    if (end == list.size()) return false;
    list.remove_prefix(end + 1);
  }
}

std::string_view without_authority(std::string_view target) {
  for (std::string_view scheme : {"http://", "https://"}) {
    if (target.size() < scheme.size() || !equal_no_case(target.substr(0, scheme.size()), scheme)) continue;
    auto rest = target.substr(scheme.size());
    auto slash = rest.find_first_of("/?");
    if (slash == std::string_view::npos) return "/";
    return rest.substr(slash);
  }
  return target;
}

// Escapes in a query are read where its members are; a cut or odd one is no query at all.
bool escapes_hold(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '%' && (i + 2 >= text.size() || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0))
      return false;
  return true;
}

route bad_target(std::string problem) {
  route out;
  out.problem = std::move(problem);
  return out;
}

// Segments after the first '/'.
std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> out;
  path.remove_prefix(1);
  while (true) {
    auto slash = path.find('/');
    out.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return out;
    path.remove_prefix(slash + 1);
  }
}

bool is_command_path(const std::vector<std::string_view>& parts) {
  return parts.size() == 6 && parts[0] == "workflows" && parts[2] == "subjects" &&
         (parts[5] == "commands" || parts[5] == "commands:preview");
}

// What an operator asks of the node itself. GET addresses below /ops have other names.
bool is_action_path(const std::vector<std::string_view>& parts) {
  if (parts.empty() || parts[0] != "ops") return false;
  if (parts.size() == 2) return parts[1] == "restart";
  if (parts.size() == 3 && parts[1] == "locks") return parts[2] == "end";
  if (parts.size() == 3 && parts[1] == "alerts") return parts[2] == "ack" || parts[2] == "silence";
  return parts.size() == 3 && parts[1] == "tokens" && (parts[2] == "create" || parts[2] == "revoke");
}

route_kind kind_of(const std::vector<std::string_view>& parts, const std::vector<std::string>& read_roots) {
  if (is_command_path(parts)) return parts[5] == "commands" ? route_kind::command : route_kind::preview;
  if (parts.size() == 1) {
    if (parts[0] == "livez") return route_kind::livez;
    if (parts[0] == "metrics") return route_kind::metrics;
    if (parts[0] == "live") return route_kind::live;
  }
  if (is_action_path(parts)) return route_kind::action;
  bool reads = std::find(read_roots.begin(), read_roots.end(), parts[0]) != read_roots.end();
  return reads ? route_kind::read : route_kind::file;
}

} // namespace

bool percent_decode(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) return false;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
    out += c;
  }
  return true;
}

route find_route(std::string_view target, const std::vector<std::string>& read_roots) {
  target = without_authority(target);
  auto hash = target.find('#');
  if (hash != std::string_view::npos) return bad_target("The address must not hold a fragment.");
  auto question = target.find('?');
  auto path = target.substr(0, question);
  if (path.empty() && question == 0) path = "/";
  if (path.empty() || path.front() != '/') return bad_target("The address must begin with a slash.");
  route out;
  if (!percent_decode(path, out.path)) return bad_target("The address holds a bad percent escape.");
  if (std::count(out.path.begin(), out.path.end(), '/') != std::count(path.begin(), path.end(), '/'))
    return bad_target("The address holds an escaped slash; no address here has one.");
  if (question != std::string_view::npos) out.query = target.substr(question + 1);
  if (!escapes_hold(out.query)) return bad_target("The query holds a bad percent escape.");
  auto parts = segments_of(out.path);
  out.kind = kind_of(parts, read_roots);
  if (out.kind == route_kind::command || out.kind == route_kind::preview) {
    out.workflow = parts[1];
    out.subject_kind = parts[3];
    out.ref = parts[4];
  }
  return out;
}

std::string_view allowed_methods(route_kind kind) {
  bool posts = kind == route_kind::command || kind == route_kind::preview || kind == route_kind::action;
  return posts ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

bool equal_no_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool lists_token(std::string_view header, std::string_view token) {
  return any_part(header, ',', [&](std::string_view part) { return equal_no_case(part, token); });
}

bool accepts(std::string_view header, std::string_view type) {
  if (trimmed(header).empty()) return true;
  auto family = std::string(type.substr(0, type.find('/'))) + "/*";
  return any_part(header, ',', [&](std::string_view range) {
    auto semicolon = std::min(range.find(';'), range.size());
    auto name = trimmed(range.substr(0, semicolon));
    bool same = name == "*/*" || equal_no_case(name, type) || equal_no_case(name, family);
    bool never = any_part(range.substr(semicolon), ';', [](std::string_view p) {
      return p.size() >= 3 && equal_no_case(p.substr(0, 3), "q=0") &&
             p.find_first_not_of("0.", 2) == std::string_view::npos;
    });
    return same && !never;
  });
}

bool is_json_type(std::string_view header) {
  auto semicolon = std::min(header.find(';'), header.size());
  if (!equal_no_case(trimmed(header.substr(0, semicolon)), "application/json")) return false;
  return !any_part(header.substr(semicolon), ';', [](std::string_view parameter) {
    if (parameter.size() < 8 || !equal_no_case(parameter.substr(0, 8), "charset=")) return false;
    auto value = parameter.substr(8);
    return !equal_no_case(value, "utf-8") && !equal_no_case(value, "\"utf-8\"");
  });
}

bool matches_etag(std::string_view if_none_match, std::string_view etag) {
  if (etag.empty()) return false;
  return any_part(if_none_match, ',', [&](std::string_view tag) {
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    return tag == "*" || tag == etag;
  });
}

} // namespace omnium::wire
