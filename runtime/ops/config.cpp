#include "runtime/ops/config.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <toml++/toml.h>

#include <unistd.h>

namespace omnium::ops {
namespace {

std::string quoted_toml(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string shown_value(const option& which, settings& values) {
  auto slot = which.slot(values);
  if (auto* number = std::get_if<std::int64_t*>(&slot)) return std::to_string(**number);
  if (auto* flag = std::get_if<bool*>(&slot)) return **flag ? "true" : "false";
  if (auto* text = std::get_if<std::string*>(&slot)) {
    if (which.shown == secrecy::secret) return (*text)->empty() ? "\"\"" : "\"***\"";
    return quoted_toml(which.shown == secrecy::url ? masked_url(**text) : **text);
  }
  std::string out = "[";
  for (const auto& entry : *std::get<std::vector<std::string>*>(slot)) {
    out += (out.size() > 1 ? ", " : "") + quoted_toml(entry);
  }
  return out + "]";
}

std::string name_in_environment(std::string_view name) {
  std::string out = "OMNIUM_";
  for (char c : name) out += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto comma = std::min(text.find(','), text.size());
    auto entry = text.substr(0, comma);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (!entry.empty()) out.emplace_back(entry);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

// Each setter returns an error sentence, or nothing.
std::string set_number(const option& which, std::int64_t& slot, std::int64_t value) {
  if (value < which.low || value > which.high) {
    return std::string(which.name) + " must be from " + std::to_string(which.low) + " to " +
           std::to_string(which.high) + ", not " + std::to_string(value) + ".";
  }
  slot = value;
  return {};
}

std::string set_text(const option& which, std::string& slot, std::string value) {
  if (!which.one_of.empty() && std::find(which.one_of.begin(), which.one_of.end(), value) == which.one_of.end()) {
    std::string choices;
    for (auto choice : which.one_of) choices += (choices.empty() ? "" : ", ") + std::string(choice);
    return std::string(which.name) + " must be one of " + choices + ".";
  }
  if (value.find('\0') != std::string::npos) return std::string(which.name) + " must not contain NUL.";
  slot = std::move(value);
  return {};
}

std::string set_from_text(const option& which, settings& values, const std::string& text) {
  auto slot = which.slot(values);
  if (auto* number = std::get_if<std::int64_t*>(&slot)) {
    std::int64_t value = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) {
      return std::string(which.name) + " must be a whole number.";
    }
    return set_number(which, **number, value);
  }
  if (auto* flag = std::get_if<bool*>(&slot)) {
    if (text != "true" && text != "false") return std::string(which.name) + " must be true or false.";
    **flag = text == "true";
    return {};
  }
  if (auto* into = std::get_if<std::string*>(&slot)) return set_text(which, **into, text);
  *std::get<std::vector<std::string>*>(slot) = split_list(text);
  return {};
}

std::string set_from_toml(const option& which, settings& values, const toml::node& node) {
  auto slot = which.slot(values);
  std::string name(which.name);
  if (auto* number = std::get_if<std::int64_t*>(&slot)) {
    if (!node.is_integer()) return name + " must be a whole number.";
    return set_number(which, **number, node.as_integer()->get());
  }
  if (auto* flag = std::get_if<bool*>(&slot)) {
    if (!node.is_boolean()) return name + " must be true or false.";
    **flag = node.as_boolean()->get();
    return {};
  }
  if (auto* into = std::get_if<std::string*>(&slot)) {
    if (!node.is_string()) return name + " must be a text.";
    return set_text(which, **into, node.as_string()->get());
  }
  if (!node.is_array()) return name + " must be a list of texts.";
  std::vector<std::string> list;
  for (const auto& entry : *node.as_array()) {
    if (!entry.is_string()) return name + " must be a list of texts.";
    list.push_back(entry.as_string()->get());
  }
  *std::get<std::vector<std::string>*>(slot) = std::move(list);
  return {};
}

const option* find_option(std::string_view name) {
  for (const auto& which : option_list()) {
    if (which.name == name) return &which;
  }
  return nullptr;
}

// `http-port` and `http.port` both mean http.port; underscores may be dashes.
const option* option_of_flag(std::string_view flag) {
  for (const auto& which : option_list()) {
    bool same = which.name.size() == flag.size();
    for (std::size_t i = 0; same && i < flag.size(); ++i) {
      char have = which.name[i], given = flag[i];
      same = have == given || (given == '-' && (have == '.' || have == '_'));
    }
    if (same) return &which;
  }
  return nullptr;
}

bool known_section(std::string_view section) {
  return std::any_of(option_list().begin(), option_list().end(),
                     [&](const option& which) { return which.name.substr(0, which.name.find('.')) == section; });
}

struct loader {
  loaded_config out;
  std::map<std::string_view, std::string> source; // option name -> where it came from

  void note(const option& which, std::string error, const std::string& from) {
    if (error.empty()) {
      source[which.name] = from;
    } else {
      out.errors.push_back(std::move(error) + " (" + from + ")");
    }
  }

  void defaults() {
    for (const auto& which : option_list()) {
      note(which, set_from_text(which, out.values, std::string(which.fallback)), "default");
    }
  }

  void section(std::string_view name, const toml::table& table) {
    for (const auto& [key, node] : table) {
      auto full = std::string(name) + "." + std::string(key.str());
      const auto* which = find_option(full);
      if (!which) {
        out.errors.push_back("unknown key " + full + " in the file.");
      } else {
        note(*which, set_from_toml(*which, out.values, node), "file");
      }
    }
  }

  void file(const std::string& path) try {
    std::ifstream in(path);
    if (!in || std::filesystem::is_directory(path)) { // a folder opens, too, and reads as nothing
      out.errors.push_back("cannot read " + path + ".");
      return;
    }
    std::stringstream text;
    text << in.rdbuf();
    auto root = toml::parse(text.str(), path);
    for (const auto& [key, node] : root) {
      if (node.is_table() && known_section(key.str())) {
        section(key.str(), *node.as_table());
      } else {
        out.errors.push_back("unknown section " + std::string(key.str()) + " in the file.");
      }
    }
  } catch (const toml::parse_error& e) {
    std::ostringstream where;
    where << e.source().begin;
    out.errors.push_back(path + ": " + std::string(e.description()) + " at " + where.str() + ".");
  }

  void environment(const std::map<std::string, std::string>& all) {
    std::map<std::string, const option*> names;
    for (const auto& which : option_list()) names[name_in_environment(which.name)] = &which;
    for (const auto& [name, value] : all) {
      if (auto it = names.find(name); it != names.end()) {
        note(*it->second, set_from_text(*it->second, out.values, value), "environment");
      } else if (looks_like_ours(name)) {
        out.errors.push_back("unknown variable " + name + " in the environment.");
      }
    }
  }

  // A misspelt key of a known section must not pass in silence; other OMNIUM_ names belong to somebody else.
  static bool looks_like_ours(std::string_view name) {
    if (!name.starts_with("OMNIUM_")) return false;
    auto rest = name.substr(7);
    std::string section;
    for (char c : rest.substr(0, rest.find('_'))) {
      section += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return rest.find('_') != std::string_view::npos && known_section(section);
  }

  void flags(const std::vector<std::pair<std::string, std::string>>& given) {
    for (const auto& [flag, value] : given) {
      const auto* which = option_of_flag(flag);
      if (!which) {
        out.errors.push_back("unknown flag --" + flag + ".");
      } else if (which->shown == secrecy::secret || (which->shown == secrecy::url && masked_url(value) != value)) {
        out.errors.push_back("a secret in --" + flag + " can be read by every user of this machine: use the file or " +
                             name_in_environment(which->name) + ".");
      } else {
        note(*which, set_from_text(*which, out.values, value), "flag");
      }
    }
  }

  void show() {
    for (const auto& which : option_list()) {
      out.shown.push_back({std::string(which.name), shown_value(which, out.values), source[which.name]});
    }
  }
};

// A comment of at most `width` columns a line.
std::string commented(std::string_view text, std::size_t width = 110) {
  std::string out, line = "#";
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find(' ', at), text.size());
    auto word = text.substr(at, end - at);
    if (line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = "#";
    }
    line.append(" ").append(word);
    at = end + 1;
  }
  return out + line + "\n";
}

std::string bounds_of(const option& which, option_slot slot) {
  std::string out;
  if (!which.unit.empty()) out += " Unit: " + std::string(which.unit) + ".";
  if (std::holds_alternative<std::int64_t*>(slot)) {
    out += " From " + std::to_string(which.low) + " to " + std::to_string(which.high) + ".";
  }
  for (std::size_t i = 0; i < which.one_of.size(); ++i) {
    out += (i == 0 ? " One of " : ", ") + std::string(which.one_of[i]);
  }
  if (!which.one_of.empty()) out += ".";
  return out + (which.needs == when_changed::reload ? " Reloaded on SIGHUP." : "");
}

} // namespace

std::string masked_url(std::string_view url) {
  std::string out(url);
  if (auto scheme = out.find("://"); scheme != std::string::npos) {
    auto start = scheme + 3, end = std::min(out.find_first_of("/?", start), out.size());
    auto at = out.rfind('@', end == 0 ? 0 : end - 1);
    auto colon = out.find(':', start);
    if (at != std::string::npos && at > start && at < end && colon < at) out.replace(colon + 1, at - colon - 1, "***");
  }
  // What an http address asks with is often its secret; a database's names its host.
  if (auto question = out.find('?'); out.starts_with("http") && question != std::string::npos)
    out.replace(question + 1, std::string::npos, "***");
  for (std::size_t from = 0; (from = out.find("password", from)) != std::string::npos;) {
    from = out.find_first_not_of(' ', from + 8); // libpq lets spaces stand on both sides of the sign
    if (from == std::string::npos) break;
    if (out[from] != '=') continue;
    from = std::min(out.find_first_not_of(' ', from + 1), out.size());
    bool quoted = from < out.size() && out[from] == '\'';
    auto end = quoted ? out.find('\'', from + 1) : out.find_first_of(" &", from);
    out.replace(from, std::min(end == std::string::npos ? out.size() : end + (quoted ? 1 : 0), out.size()) - from,
                "***");
  }
  return out;
}

loaded_config load_config(const config_sources& sources) {
  loader work;
  work.defaults();
  if (sources.file) work.file(*sources.file);
  work.environment(sources.environment);
  work.flags(sources.flags);
  for (auto& sentence : contradictions(work.out.values)) work.out.errors.push_back(std::move(sentence));
  work.show();
  return std::move(work.out);
}

split_flags take_flags(const std::vector<std::string>& words) {
  split_flags out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    auto equals = word.find('=');
    auto name = word.starts_with("--") ? word.substr(2, equals == word.npos ? equals : equals - 2) : "";
    if (name.empty() || !option_of_flag(name)) {
      out.rest.push_back(words[i]);
    } else if (equals != word.npos) {
      out.flags.emplace_back(name, word.substr(equals + 1));
    } else if (i + 1 < words.size()) {
      out.flags.emplace_back(name, words[++i]);
    } else {
      out.errors.push_back("--" + std::string(name) + " needs a value.");
    }
  }
  return out;
}

std::map<std::string, std::string> process_environment() {
  std::map<std::string, std::string> out;
  for (char** entry = environ; entry && *entry; ++entry) {
    std::string_view text(*entry);
    auto equals = text.find('=');
    if (equals != text.npos) out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

std::string print_config(const loaded_config& config) {
  std::string out;
  for (const auto& line : config.shown) out += line.name + " = " + line.value + "  # " + line.source + "\n";
  return out;
}

std::string reference_config() {
  std::string out = commented("Every option of Omnium at its default. Each is also an environment variable, "
                              "OMNIUM_SECTION_KEY, and a flag, --section.key; flags win over the environment, the "
                              "environment over this file.");
  settings values;
  std::string_view open_section;
  for (const auto& which : option_list()) {
    set_from_text(which, values, std::string(which.fallback));
    auto dot = which.name.find('.');
    if (auto section = which.name.substr(0, dot); section != open_section) {
      out += "\n[" + std::string(section) + "]\n";
      open_section = section;
    }
    out += commented(std::string(which.sentence) + bounds_of(which, which.slot(values)));
    out += std::string(which.name.substr(dot + 1)) + " = " + shown_value(which, values) + "\n";
  }
  return out;
}

} // namespace omnium::ops
