// Golden matches of every sport in the tree: sports/<sport>/golden/<version>/*.json. A release's results never change.
#include "tests/catch.hpp"

#include "omnium/sport_golden.hpp"
#include "runtime/core/hashing.hpp"

#include <filesystem>
#include <fstream>
#include <map>

namespace {

namespace fs = std::filesystem;
using namespace omnium;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct golden_folder {
  fs::path folder;      // …/golden
  std::string packages; // where the sport's releases are built
};

std::vector<golden_folder> golden_folders() {
  const fs::path sports = OMNIUM_SOURCE_DIR "/sports";
  std::vector<golden_folder> out;
  for (const auto& sport : fs::directory_iterator(sports))
    if (fs::exists(sport.path() / "golden"))
      out.push_back({sport.path() / "golden", OMNIUM_BINARY_DIR "/sports/" + sport.path().filename().string()});
  if (fs::exists(sports / "sdk/example/golden"))
    out.push_back({sports / "sdk/example/golden", OMNIUM_BINARY_DIR "/examples/petanque"});
  return out;
}

// sha256sum's format: the sum, two spaces, the name.
std::map<std::string, std::string> sums_of(const fs::path& folder) {
  std::map<std::string, std::string> out;
  std::ifstream in(folder / "SHA256SUMS");
  for (std::string sum, name; in >> sum >> name;) out[name] = sum;
  return out;
}

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& one : fs::recursive_directory_iterator(folder))
    if (one.path().extension() == ".json") out.push_back(one.path().lexically_relative(folder).generic_string());
  return out;
}

} // namespace

TEST_CASE("every golden match shows after every play what it showed when it was recorded") {
  for (const auto& [folder, packages] : golden_folders()) {
    for (const auto& file : files_of(folder)) {
      const auto release = fs::path(file).parent_path().string();
      CAPTURE(folder.string(), file);
      CHECK(sdk::test::golden_fault(packages + "/" + release, read(folder / file)) == "");
    }
  }
}

TEST_CASE("a golden of a release never changes: other results are another version of the sport") {
  for (const auto& [folder, packages] : golden_folders()) {
    auto sums = sums_of(folder);
    for (const auto& file : files_of(folder)) {
      CAPTURE(folder.string(), file,
              "raise the sport's version and record the match for it; list new files in SHA256SUMS");
      CHECK(sums[file] == hex(sha256(read(folder / file))));
    }
    for (const auto& [file, sum] : sums) {
      CAPTURE(folder.string(), file);
      CHECK(fs::exists(folder / file));
    }
  }
}

TEST_CASE("a golden that was changed, or a sport that was, is found") {
  const std::string package = OMNIUM_BINARY_DIR "/examples/petanque/1.0.0";
  sdk::test::match m(package);
  m.play("match.start");
  m.play("petanque.end", R"({"winner":"home","points":2})");
  const auto golden = sdk::test::golden_of(package, "1.0.0", {}, m.log());
  REQUIRE(sdk::test::golden_fault(package, golden) == "");
  auto changed = golden;
  changed.replace(changed.find(R"("home":2)"), 8, R"("home":3)");
  REQUIRE_THAT(sdk::test::golden_fault(package, changed), Catch::Contains("play 2 (petanque.end) shows"));
  changed = golden;
  changed.replace(changed.find(R"("points":2)"), 10, R"("points":7)");
  REQUIRE_THAT(sdk::test::golden_fault(package, changed), Catch::Contains("is refused: bad_input"));
  REQUIRE(sdk::test::golden_fault(package, R"({"plays":[]})") == "the golden has no plays");
}
