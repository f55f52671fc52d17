// omnium new-sport: a working sport plugin with its test and its golden match, written into a source tree. P11.
#include "apps/omnium/new_sport_templates.hpp"
#include "apps/omnium/programs.hpp"
#include "runtime/core/hashing.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <optional>

namespace omnium::apps {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t name_chars_max = 24, label_chars_max = 32; // so that the written lines keep the house's width
// Workflows and folders that are taken by something else.
constexpr std::array taken{"match", "games", "results", "ops", "scoring", "sdk", "worker", "corpus", "omnium"};

struct new_file {
  fs::path path;
  std::string text;
};

std::string name_fault(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > name_chars_max || name[0] < 'a' || name[0] > 'z' ||
      !std::all_of(name.begin(), name.end(), fits))
    return fmt::format("A sport's name is 1 to {} lower-case letters, digits or _, and begins with a letter.",
                       name_chars_max);
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    return fmt::format("The name {} is taken by Omnium itself.", name);
  return {};
}

std::string label_fault(const std::string& label) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '@'; };
  if (label.empty() || label.size() > label_chars_max || !std::all_of(label.begin(), label.end(), plain))
    return fmt::format("A label is 1 to {} bytes of text without quotes.", label_chars_max);
  return {};
}

// "table_tennis" -> "Table tennis"
std::string label_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

std::string filled(std::string_view text, const std::string& name, const std::string& label) {
  std::string out;
  while (!text.empty()) {
    const auto stands_for = [&](std::string_view mark, std::string_view what) {
      if (!text.starts_with(mark)) return false;
      out += what;
      text.remove_prefix(mark.size());
      return true;
    };
    if (stands_for("@name@", name) || stands_for("@label@", label) || stands_for("@include@", "#include")) continue;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

// The folder that holds sports/sdk, here or above.
std::optional<fs::path> tree_above(fs::path folder) {
  std::error_code ignored;
  for (folder = fs::absolute(folder, ignored); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / "sports" / "sdk" / "CMakeLists.txt", ignored)) return folder;
    if (folder == folder.root_path()) break;
  }
  return std::nullopt;
}

std::vector<new_file> files_of(const fs::path& tree, const std::string& name, const std::string& label) {
  std::vector<new_file> out;
  std::string sums;
  for (const auto& one : sport_templates()) {
    const auto path = filled(one.path, name, label);
    out.push_back({tree / path, filled(one.text, name, label)});
    const auto golden = path.find("/golden/");
    if (golden != std::string::npos)
      sums += fmt::format("{}  {}\n", hex(sha256(out.back().text)), path.substr(golden + 8));
  }
  out.push_back({tree / "sports" / name / "golden" / "SHA256SUMS", sums});
  return out;
}

bool write_file(const new_file& what) {
  std::error_code fault;
  fs::create_directories(what.path.parent_path(), fault);
  std::ofstream out(what.path, std::ios::binary);
  out << what.text;
  out.close();
  return !fault && out.good();
}

int complain(const std::string& sentence) {
  fmt::print(stderr, "omnium new-sport: {}\n", sentence);
  return 1;
}

int write_sport(const fs::path& tree, const std::string& name, const std::string& label) {
  const auto files = files_of(tree, name, label);
  std::error_code ignored;
  for (const auto& one : files)
    if (fs::exists(one.path, ignored))
      return complain(fmt::format("{} exists already; nothing was written.", one.path.string()));
  for (const auto& one : files)
    if (!write_file(one)) return complain(fmt::format("{} cannot be written.", one.path.string()));
  for (const auto& one : files) fmt::print("{}\n", one.path.lexically_relative(tree).string());
  fmt::print("\n{} is a sport now: scripts/test builds and tests it, scripts/run serves it.\n"
             "Make its rules in sports/{}/{}.cpp; docs/writing-a-sport.md explains the pieces.\n",
             label, name, name);
  return 0;
}

} // namespace

int new_sport_main(const words& args) {
  CLI::App app{"Writes a working sport plugin with its test and golden match into a source tree.", "omnium new-sport"};
  std::string name, label, tree;
  app.add_option("NAME", name, "the sport's code, e.g. table_tennis")->required();
  app.add_option("--label", label, "its name for people; made from NAME when not given");
  app.add_option("--tree", tree, "a folder in the source tree; the current one when not given");
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (auto fault = name_fault(name); !fault.empty()) return complain(fault);
  if (label.empty()) label = label_of(name);
  if (auto fault = label_fault(label); !fault.empty()) return complain(fault);
  const auto root = tree_above(tree.empty() ? fs::current_path() : fs::path(tree));
  if (!root) return complain("There is no source tree of Omnium here or above; name one with --tree.");
  return write_sport(*root, name, label);
}

} // namespace omnium::apps
