// The main of every test program. A run in which no test case ran is a failure: a filter with a typing error must not
// look like success (Catch2 v3 does so by itself).
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdlib>

int main(int argc, char** argv) {
  // RapidCheck's own default is 100 cases a property. A counterexample's seed goes back in through the same variable.
  ::setenv("RC_PARAMS", "max_success=400", /*overwrite=*/0);
  Catch::Session session;
#ifdef CATCH_VERSION_MAJOR
#if CATCH_VERSION_MAJOR == 2
  session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
#endif
  return session.run(argc, argv);
}
