// What a screen is told of the metrics.
#include "runtime/ops/figures.hpp"
#include "runtime/ops/metrics.hpp"
#include "tests/catch.hpp"

#include <simdjson.h>

using namespace omnium;

namespace {

const std::string page =
    "# HELP a_total Things.\n# TYPE a_total counter\na_total{kind=\"x\"} 3\na_total{kind=\"y\"} 4.5\n"
    "b_seconds_bucket{le=\"0.1\"} 50\nb_seconds_bucket{le=\"0.2\"} 90\nb_seconds_bucket{le=\"+Inf\"} 100\n"
    "b_seconds_sum 9\nb_seconds_count 100\nc NaN\nd_seconds_bucket{le=\"+Inf\"} 0\n";

double at(const std::string& json, const std::string& pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element found;
  double out = -1;
  REQUIRE(!parser.parse(json).at_pointer(pointer).get(found));
  REQUIRE(!found.get(out));
  return out;
}

} // namespace

TEST_CASE("samples become one object, without buckets and without what is no number") {
  CHECK(ops::figures_of(page) ==
        R"({"a_total{kind=\"x\"}":3,"a_total{kind=\"y\"}":4.5,"b_seconds_sum":9,"b_seconds_count":100})");
  CHECK(ops::figures_of("") == "{}");
}

TEST_CASE("quantiles are interpolated inside a bucket, and none is later than the last bound") {
  auto got = ops::quantiles_of(page);
  CHECK(at(got, "/b_seconds/p50") == 0.1);
  CHECK(at(got, "/b_seconds/p95") == 0.2); // beyond every bound: the last one
  CHECK(got.find("d_seconds") == std::string::npos);
  // Labels are added up: 100 and 100 observations, three quarters of all under 0.1.
  auto two = ops::quantiles_of("e_bucket{k=\"a\",le=\"0.1\"} 100\ne_bucket{k=\"a\",le=\"+Inf\"} 100\n"
                               "e_bucket{k=\"b\",le=\"0.1\"} 50\ne_bucket{k=\"b\",le=\"+Inf\"} 100\n");
  CHECK(std::abs(at(two, "/e/p50") - 0.1 * 100 / 150) < 1e-9);
}

TEST_CASE("the node's own exposition is read") {
  ops::metrics metrics;
  metrics.command_seconds.seconds(std::chrono::milliseconds(3));
  auto text = metrics.registry.expose();
  CHECK(at(ops::quantiles_of(text), "/omnium_command_seconds/p50") > 0);
  CHECK(at(ops::figures_of(text), "/omnium_command_seconds_count") == 1);
}
