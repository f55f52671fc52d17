#pragma once
// A Prometheus exposition as JSON, for screens that draw it. Pure functions.
#include <string>

namespace omnium::ops {

// One object of sample to value, the labels in its name, without the histograms' buckets.
std::string figures_of(const std::string& exposition);

// Of each histogram that has counted anything: {"name":{"p50","p95","p99"}}, since the start of the process, over all
// its labels, interpolated inside a bucket as Prometheus does.
std::string quantiles_of(const std::string& exposition);

} // namespace omnium::ops
