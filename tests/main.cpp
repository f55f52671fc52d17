// The main of every test program. A run in which no test case ran is a failure: a filter with a typing error must not
// look like success (Catch2 v3 does so by itself). The number of cases passed and failed is left in the file that
// OMNIUM_TEST_TALLY names, for scripts/test to add up.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using listener_base = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
using listener_base = Catch::TestEventListenerBase;
#endif

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

struct tally_listener : listener_base {
  using listener_base::listener_base;

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const char* path = std::getenv("OMNIUM_TEST_TALLY");
    if (path == nullptr) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path{path}.parent_path(), ignored);
    std::ofstream{path} << stats.totals.testCases.passed << ' ' << stats.totals.testCases.failed << '\n';
  }
};
CATCH_REGISTER_LISTENER(tally_listener)

} // namespace

int main(int argc, char** argv) {
  // RapidCheck's own default is 100 cases a property. A counterexample's seed goes back in through the same variable.
  ::setenv("RC_PARAMS", "max_success=400", /*overwrite=*/0);
  Catch::Session session;
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR == 2
  session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
  return session.run(argc, argv);
}
