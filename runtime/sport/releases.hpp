#pragma once
// The sport releases that lie on this machine's disk. Source: P1-P7, architecture.md (sport plugins).
#include <optional>
#include <string>
#include <vector>

namespace omnium::sport {

struct command_info {
  std::string code, label, key_hint, schema; // schema: JSON Schema of `input`
  bool play = false;
};

struct release {
  std::string sport, version;
  std::string code_sha; // hex sha256 over the whole package folder, shared helpers included
  std::string directory, plugin_file;
  std::string label; // of the sport, for a desk
  std::string settings_schema;
  std::vector<command_info> commands; // with the ones every sport shares (match.*)
  std::string description;            // the plugin's own JSON
};

// What is wrong with a package on the disk.
struct package_fault {
  std::string sport, version, why; // why: a clause that goes on from "…: "
  std::string sentence() const { return sport + " " + version + ": " + why; }
};

struct catalogue {
  std::vector<release> releases;     // sorted by sport, then version
  std::vector<package_fault> faults; // likewise
  const release* find(const std::string& sport, const std::string& version) const;
  const package_fault* fault_of(const std::string& sport, const std::string& version) const;
};

// Reads <directory>/<sport>/<version>/ packages: each holds plugin.so (and its helpers). Describes each in a worker
// process. A broken package is named in `faults` and left out; it never stops the others. What `known` holds is kept
// as it was read, for matches may stand on it: when its files are others now, or gone, that is a fault beside it.
catalogue read_catalogue(const std::string& directory, const std::string& worker_program, const catalogue& known = {});

// What lies there, without reading it: names, sizes and times. Equal texts: nothing was put there, taken away or
// written since.
std::string folder_listing(const std::string& directory);

// Hex sha256 over every file of a package folder: relative name, size and bytes, names sorted.
std::optional<std::string> package_sha(const std::string& directory);

} // namespace omnium::sport
