// The packages on disk: what makes a package's hash, and what of a folder of packages is taken up. Source: P3.
#include "runtime/sport/releases.hpp"
#include "runtime/sport/rules.hpp"
#include "runtime/sport/worker.hpp"
#include "tests/catch.hpp"
#include "tests/support/database.hpp"

#include <filesystem>
#include <fstream>

using namespace omnium;
namespace fs = std::filesystem;

namespace {

const std::string petanque = OMNIUM_BINARY_DIR "/examples/petanque/1.0.0";
const std::string worker = OMNIUM_BINARY_DIR "/bin/omnium-sport-worker";

void write(const fs::path& to, const std::string& text) {
  fs::create_directories(to.parent_path());
  std::ofstream(to, std::ios::binary) << text;
}

struct disk {
  testing::temp_folder scratch;
  fs::path root{scratch.path()};

  fs::path package(const std::string& version = "1.0.0", const std::string& sport = "petanque") const {
    auto to = root / sport / version;
    fs::create_directories(to.parent_path());
    fs::copy(petanque, to, fs::copy_options::recursive);
    return to;
  }
  std::string sha(const fs::path& folder) const { return sport::package_sha(folder.string()).value_or("none"); }
  sport::catalogue read() const { return sport::read_catalogue(root.string(), worker); }
};

} // namespace

TEST_CASE("a package's hash is over every file of it: name, size and bytes") {
  disk d;
  write(d.root / "one/plugin.so", "code");
  write(d.root / "one/lib/helper.so", "shared");
  const auto first = d.sha(d.root / "one");
  REQUIRE(first.size() == 64);
  fs::copy(d.root / "one", d.root / "copy", fs::copy_options::recursive);
  CHECK(d.sha(d.root / "copy") == first); // where it lies does not matter
  write(d.root / "copy/lib/helper.so", "Shared");
  CHECK(d.sha(d.root / "copy") != first); // a shared helper changes it for every sport that carries it (P3)
  write(d.root / "copy/lib/helper.so", "shared");
  CHECK(d.sha(d.root / "copy") == first);
  write(d.root / "copy/more.txt", "");
  CHECK(d.sha(d.root / "copy") != first); // an empty file counts
  fs::remove(d.root / "copy/more.txt");
  fs::rename(d.root / "copy/lib/helper.so", d.root / "copy/lib/helpes.so");
  CHECK(d.sha(d.root / "copy") != first); // a name counts
}

TEST_CASE("bytes moved from one file of a package to the next make another hash") {
  disk d;
  write(d.root / "one/a", "xy");
  write(d.root / "one/b", "z");
  write(d.root / "two/a", "x");
  write(d.root / "two/b", "yz");
  CHECK(d.sha(d.root / "one") != d.sha(d.root / "two"));
}

TEST_CASE("a package with something that is neither file nor folder, or none at all, has no hash") {
  disk d;
  write(d.root / "one/plugin.so", "code");
  fs::create_symlink("/etc/hostname", d.root / "one/link");
  CHECK(d.sha(d.root / "one") == "none");
  CHECK(d.sha(d.root / "nowhere") == "none");
}

TEST_CASE("a good package is described by its own plugin, with the commands that every sport shares") {
  disk d;
  const auto folder = d.package();
  const auto read = d.read();
  REQUIRE(read.faults.empty());
  const auto* found = read.find("petanque", "1.0.0");
  REQUIRE(found != nullptr);
  CHECK(found->code_sha == d.sha(folder));
  CHECK(found->plugin_file == (folder / "plugin.so").string());
  CHECK(!found->label.empty());
  auto has = [&](const std::string& code, bool play) {
    for (const auto& c : found->commands)
      if (c.code == code) return c.play == play && c.schema.find("\"object\"") != std::string::npos;
    return false;
  };
  CHECK(has("petanque.end", true));
  CHECK(has("match.start", true));
  CHECK(has("match.note", false));
  for (const char* correction : {"match.void", "match.amend", "match.insert", "match.cancel_range"})
    CHECK(has(correction, true));
  CHECK(read.find("petanque", "1.0.1") == nullptr);
}

TEST_CASE("a broken package is named with its fault and stops no other") {
  disk d;
  d.package();
  write(d.root / "bowls/1.0.0/plugin.so", "no shared object");
  fs::create_directories(d.root / "darts/1.0.0");
  d.package("2.0.0");           // says that it is 1.0.0
  d.package("1.0.0", "petank"); // says that it is petanque
  const auto read = d.read();
  CHECK(read.releases.size() == 1);
  REQUIRE(read.faults.size() == 4);
  CHECK_THAT(read.faults[0].sentence(), Catch::StartsWith("bowls 1.0.0: "));
  CHECK(read.faults[1].sentence() == "darts 1.0.0: there is no plugin.so in it");
  CHECK(read.faults[2].sentence() == "petank 1.0.0: it says that it is petanque 1.0.0");
  CHECK(read.faults[3].sentence() == "petanque 2.0.0: it says that it is petanque 1.0.0");
}

TEST_CASE("folders that are no sport or no version are passed over") {
  disk d;
  d.package();
  for (const char* other : {"petanque/CMakeFiles", "petanque/1.0", "petanque/1.0.0-beta", "petanque/1..0", "CMakeFiles",
                            "9pin/1.0.0", "sdk"})
    fs::create_directories(d.root / other);
  write(d.root / "file", "x");
  const auto read = d.read();
  CHECK(read.releases.size() == 1);
  CHECK(read.faults.empty());
  CHECK(sport::read_catalogue((d.root / "nowhere").string(), worker).releases.empty());
}

TEST_CASE("a package that comes while the server runs is read, and what was read before stays as it was") {
  disk d;
  const auto folder = d.package();
  const auto first = d.read();
  const auto listing = sport::folder_listing(d.root.string());
  CHECK(sport::folder_listing(d.root.string()) == listing);
  d.package("2.0.0"); // says that it is 1.0.0
  CHECK(sport::folder_listing(d.root.string()) != listing);
  const auto second = sport::read_catalogue(d.root.string(), worker, first);
  REQUIRE(second.find("petanque", "1.0.0") != nullptr);
  CHECK(second.find("petanque", "1.0.0")->code_sha == first.find("petanque", "1.0.0")->code_sha);
  CHECK(second.fault_of("petanque", "1.0.0") == nullptr);
  CHECK(second.fault_of("petanque", "2.0.0") != nullptr);
  // The same version with other files: the one that was read goes on, and the fault says what to do.
  write(folder / "helper.txt", "new");
  const auto third = sport::read_catalogue(d.root.string(), worker, second);
  REQUIRE(third.find("petanque", "1.0.0") != nullptr);
  CHECK(third.find("petanque", "1.0.0")->code_sha == first.find("petanque", "1.0.0")->code_sha);
  REQUIRE(third.fault_of("petanque", "1.0.0") != nullptr);
  CHECK(third.fault_of("petanque", "1.0.0")->why.find("a version of its own") != std::string::npos);
  fs::remove_all(folder);
  const auto fourth = sport::read_catalogue(d.root.string(), worker, third);
  REQUIRE(fourth.fault_of("petanque", "1.0.0") != nullptr);
  CHECK(fourth.fault_of("petanque", "1.0.0")->why == "its package is gone from this node's disk");
  d.package();
  CHECK(sport::read_catalogue(d.root.string(), worker, fourth).fault_of("petanque", "1.0.0") == nullptr);
}

TEST_CASE("rules take up a release while they are asked, and tell what is wrong with one") {
  disk d;
  d.package();
  const auto first = d.read();
  sport::rules book{sport::catalogue{}};
  CHECK_FALSE(book.find("petanque", "1.0.0"));
  CHECK(book.trouble("petanque", "1.0.0").empty());
  book.take(first);
  CHECK(book.find("petanque", "1.0.0")->code_sha == first.releases.front().code_sha);
  CHECK(book.is_play("petanque", "1.0.0", "petanque.end") == true);
  CHECK(book.default_release("petanque", {})->version == "1.0.0");
  auto broken = first;
  broken.faults.push_back({"petanque", "1.0.0", "its files changed"});
  book.take(broken);
  CHECK(book.trouble("petanque", "1.0.0") == "its files changed");
  CHECK(book.find("petanque", "1.0.0")); // its matches go on
}

TEST_CASE("a worker does not start on another package than the one its matches are folded with") {
  disk d;
  const auto folder = d.package();
  sport::worker_options options;
  options.worker_program = worker;
  options.plugin_file = (folder / "plugin.so").string();
  options.sport = "petanque";
  options.version = "1.0.0";
  options.code_sha = d.sha(folder);
  CHECK(sport::describe(options).ok);
  write(folder / "helper.txt", "new");
  const auto changed = sport::describe(options);
  CHECK_FALSE(changed.ok);
  CHECK(changed.error.find("is no longer the one that its matches are folded with") != std::string::npos);
}
