#include "runtime/sport/releases.hpp"

#include "runtime/core/hashing.hpp"
#include "runtime/sport/corrections.hpp"
#include "runtime/sport/rules.hpp"
#include "runtime/sport/worker.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <simdjson.h>

namespace omnium::sport {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

constexpr const char* plugin_name = "plugin.so";

bool is_sport_code(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::all_of(name.begin(), name.end(), fits);
}

// x.y.z: three numbers. Other folders beside a sport's versions are none of ours.
bool is_version(std::string_view name) {
  int dots = 0;
  char before = '.';
  for (const char c : name) {
    if (c == '.' ? before == '.' : c < '0' || c > '9') return false;
    dots += c == '.';
    before = c;
  }
  return dots == 2 && before != '.';
}

std::vector<std::string> names_in(const fs::path& folder, bool (*wanted)(std::string_view)) {
  std::vector<std::string> out;
  std::error_code fault;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    auto name = it->path().filename().string();
    if (it->is_directory(fault) && wanted(name)) out.push_back(std::move(name));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string text_at(const dom::object& from, std::string_view member) {
  std::string_view text;
  return from[member].get(text) ? std::string() : std::string(text);
}

std::string json_of(const dom::object& from, std::string_view member) {
  dom::element found;
  return from[member].get(found) ? std::string() : simdjson::minify(found);
}

bool read_command(const dom::element& from, command_info& out) {
  dom::object object;
  if (from.get(object)) return false;
  out.code = text_at(object, "code");
  out.label = text_at(object, "label");
  out.key_hint = text_at(object, "key");
  out.schema = json_of(object, "schema");
  return !out.code.empty() && !out.schema.empty() && !object["play"].get(out.play);
}

// Fills what the sport says of itself. Empty, or why it is no description.
std::string read_description(release& out) {
  dom::parser parser;
  dom::object root;
  dom::array commands;
  if (parser.parse(out.description).get(root)) return "its description is no JSON object";
  const auto sport = text_at(root, "sport"), version = text_at(root, "version");
  if (sport != out.sport || version != out.version)
    return fmt::format("it says that it is {} {}", sport.substr(0, 100), version.substr(0, 100));
  out.label = text_at(root, "label");
  out.settings_schema = json_of(root, "settings");
  if (root["commands"].get(commands)) return "its description lists no commands";
  for (const auto one : commands)
    if (!read_command(one, out.commands.emplace_back())) return "one of its commands is not described";
  for (auto& one : correction_commands()) out.commands.push_back(std::move(one));
  return {};
}

std::string read_package(release& out, const std::string& worker_program) {
  std::error_code fault;
  if (!fs::is_regular_file(out.plugin_file, fault)) return fmt::format("there is no {} in it", plugin_name);
  auto sha = package_sha(out.directory);
  if (!sha) return "its files cannot be read";
  out.code_sha = std::move(*sha);
  worker_options options;
  options.worker_program = worker_program;
  options.plugin_file = out.plugin_file;
  options.sport = out.sport;
  options.version = out.version;
  auto told = describe(options);
  if (!told.ok) return told.error;
  out.description = std::move(told.json);
  return read_description(out);
}

// A package that was read before: its files must still be those.
std::string look_again(const release& known) {
  const auto sha = package_sha(known.directory);
  if (sha == known.code_sha) return {};
  if (!fs::exists(known.plugin_file)) return "its package is gone from this node's disk";
  return "its files on this node's disk are no longer those that the node read: give a changed package a version of "
         "its own, or put the old files back. To put it in the old one's place, restart the node and install it with "
         "--replace";
}

// Every file below `folder` by its name relative to it. False: something there is neither file nor folder.
bool list_files(const fs::path& folder, std::vector<std::string>& out) {
  std::error_code fault;
  for (fs::recursive_directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    const auto what = it->symlink_status(fault);
    if (fs::is_directory(what)) continue;
    if (!fs::is_regular_file(what)) return false;
    out.push_back(it->path().lexically_relative(folder).generic_string());
  }
  std::sort(out.begin(), out.end());
  return !fault;
}

bool read_file(const fs::path& path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(in), {});
  return in.good() || in.eof();
}

} // namespace

std::optional<std::string> package_sha(const std::string& directory) {
  std::vector<std::string> names;
  if (!list_files(directory, names)) return std::nullopt;
  sha256_stream sum;
  std::string bytes;
  for (const auto& name : names) {
    if (!read_file(fs::path(directory) / name, bytes)) return std::nullopt;
    sum.update(fmt::format("{}:{} {}:", name.size(), name, bytes.size()));
    sum.update(bytes);
  }
  return hex(sum.finish());
}

const release* catalogue::find(const std::string& sport, const std::string& version) const {
  for (const auto& one : releases)
    if (one.sport == sport && one.version == version) return &one;
  return nullptr;
}

const package_fault* catalogue::fault_of(const std::string& sport, const std::string& version) const {
  for (const auto& one : faults)
    if (one.sport == sport && one.version == version) return &one;
  return nullptr;
}

catalogue read_catalogue(const std::string& directory, const std::string& worker_program, const catalogue& known) {
  catalogue out;
  out.releases = known.releases;
  for (const auto& one : known.releases)
    if (auto fault = look_again(one); !fault.empty()) out.faults.push_back({one.sport, one.version, fault});
  for (const auto& sport : names_in(directory, is_sport_code)) {
    for (const auto& version : names_in(fs::path(directory) / sport, is_version)) {
      if (known.find(sport, version) != nullptr) continue;
      release made;
      made.sport = sport;
      made.version = version;
      made.directory = (fs::path(directory) / sport / version).string();
      made.plugin_file = made.directory + "/" + plugin_name;
      auto fault = read_package(made, worker_program);
      if (fault.empty()) out.releases.push_back(std::move(made));
      else out.faults.push_back({sport, version, fault});
    }
  }
  const auto before = [](const auto& a, const auto& b) {
    return a.sport != b.sport ? a.sport < b.sport : version_less(a.version, b.version);
  };
  std::sort(out.releases.begin(), out.releases.end(), before);
  std::sort(out.faults.begin(), out.faults.end(), before);
  return out;
}

std::string folder_listing(const std::string& directory) {
  std::string out;
  for (const auto& sport : names_in(directory, is_sport_code)) {
    for (const auto& version : names_in(fs::path(directory) / sport, is_version)) {
      const auto package = fs::path(directory) / sport / version;
      std::vector<std::string> names;
      const bool plain = list_files(package, names);
      out += fmt::format("{} {}{}\n", sport, version, plain ? "" : " (not plain)");
      for (const auto& name : names) {
        std::error_code fault;
        out += fmt::format("  {} {} {}\n", name, fs::file_size(package / name, fault),
                           fs::last_write_time(package / name, fault).time_since_epoch().count());
      }
    }
  }
  return out;
}

} // namespace omnium::sport
