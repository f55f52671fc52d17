// The main of every test program. A run in which no test case ran is a failure: a filter with a typing error must not
// look like success (Catch2 v3 does so by itself).
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  Catch::Session session;
#ifdef CATCH_VERSION_MAJOR
#if CATCH_VERSION_MAJOR == 2
  session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
#endif
  return session.run(argc, argv);
}
