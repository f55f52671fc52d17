#pragma once
// Catch2 v2 (Debian 12) and v3 (Debian 13) under one name, with RapidCheck's properties as assertions.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
namespace Catch {
using Catch::Approx;
}
#else
#define CATCH_CONFIG_ENABLE_ALL_STRINGMAKERS
#include <catch2/catch.hpp>
#endif

#include <rapidcheck.h>

// Runs a RapidCheck property and fails the test case with its counterexample and seed when it does not hold.
#define OMNIUM_PROPERTY(...) REQUIRE(::rc::check(__VA_ARGS__))
