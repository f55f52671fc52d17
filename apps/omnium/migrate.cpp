#include "runtime/postgres/migrate.hpp"
#include "apps/omnium/programs.hpp"
#include "runtime/ops/config.hpp"
#include "runtime/postgres/cluster.hpp"
#include "runtime/postgres/rebase.hpp"

#include <fmt/core.h>
#include <memory>

namespace omnium::apps {

// omnium migrate [--rebase] [--config FILE] [--database.url URL | --data.dir DIR]: without a URL the embedded cluster
// is started, migrated and stopped again.
int migrate_main(const words& args) {
  ops::config_sources sources;
  sources.environment = ops::process_environment();
  auto split = ops::take_flags(args);
  bool rebase = false;
  for (std::size_t i = 0; i < split.rest.size(); ++i) {
    if (split.rest[i] == "--config" && i + 1 < split.rest.size()) sources.file = split.rest[++i];
    else if (split.rest[i] == "--rebase") rebase = true;
    else {
      fmt::print(stderr, "usage: omnium migrate [--rebase] [--config FILE] [--database.url URL] [--data.dir DIR]\n");
      return split.rest[i] == "--help" ? 0 : 2;
    }
  }
  sources.flags = split.flags;
  auto config = ops::load_config(sources);
  for (const auto* list : {&split.errors, &config.errors})
    for (const auto& error : *list) fmt::print(stderr, "omnium: {}\n", error);
  if (!split.errors.empty() || !config.errors.empty()) return 2;

  std::unique_ptr<pg::cluster> cluster;
  auto url = config.values.database.url;
  if (url.empty()) {
    cluster = std::make_unique<pg::cluster>(pg::cluster_options{.data_dir = config.values.data.dir});
    if (auto why = cluster->start(); !why.empty()) {
      fmt::print(stderr, "omnium: {}\n", why);
      return 1;
    }
    url = cluster->owner_url();
  }
  if (rebase)
    if (auto why = pg::servers_on(url); !why.empty()) {
      fmt::print(stderr, "omnium: --rebase needs the database for itself, and {}. Nothing was changed.\n", why);
      return 1;
    }
  auto result = pg::migrate(url);
  for (const auto& name : result.applied) fmt::print("applied {}\n", name);
  if (!result.error.empty()) {
    fmt::print(stderr, "omnium: {}\n", result.error);
    return 1;
  }
  if (rebase) {
    auto why = pg::rebase(url);
    fmt::print(why.empty() ? stdout : stderr, "{}\n", why.empty() ? "The outbox was rebased." : "omnium: " + why);
    if (!why.empty()) return 1;
  }
  if (result.applied.empty()) fmt::print("The schema is up to date.\n");
  return 0;
}

} // namespace omnium::apps
