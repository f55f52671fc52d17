#pragma once
// The rule book of this node: which sports, releases and commands exist, from the packages on disk and the defaults
// that operators set. Any thread.
#include "runtime/road/subject_ports.hpp"
#include "runtime/sport/releases.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace omnium::sport {

// A row of release_default: the default release of a sport, everywhere or in one competition (the narrower wins).
struct release_default {
  std::string sport, version;
  std::optional<uuid> competition;
};

class rules final : public road::rule_book {
public:
  explicit rules(const catalogue& what) { take(what); }
  // What lies on the disk now. Takes nothing away that was there: read_catalogue() keeps it.
  void take(const catalogue& what);
  void set_defaults(std::vector<release_default> defaults);

  std::optional<road::release_facts> find(std::string_view sport, std::string_view version) const override;
  std::string trouble(std::string_view sport, std::string_view version) const override;
  std::optional<road::release_facts> default_release(std::string_view sport, const uuid& competition) const override;
  std::vector<std::string> setting_names(std::string_view sport, std::string_view version) const override;
  std::optional<bool> is_play(std::string_view sport, std::string_view version, std::string_view code) const override;

private:
  struct known {
    road::release_facts facts;
    std::map<std::string, bool, std::less<>> plays; // code -> is a play
    std::vector<std::string> settings;              // their names
  };
  struct table {
    std::map<std::string, std::map<std::string, known, std::less<>>, std::less<>> sports;
    std::vector<package_fault> faults;
  };
  const known* look_up(std::string_view sport, std::string_view version) const;

  // Every ball asks: a table is read without a lock, and kept for who may still be reading it. One more is made when
  // a package comes, which is seldom.
  std::atomic<const table*> now_{nullptr};
  mutable std::mutex guard_; // of what follows
  std::vector<std::unique_ptr<const table>> tables_;
  std::vector<release_default> defaults_;
};

// Versions in their order: 2.10.0 after 2.9.1.
bool version_less(std::string_view a, std::string_view b);

// GET /sports: [{"sport","label","default","releases":[{"version","code_sha","commands":[…],"settings"}]}].
std::string sports_json(const catalogue& what, const rules& book);
// GET /workflows: the games workflow and one for each sport.
std::string workflows_json(const catalogue& what, const rules& book);

} // namespace omnium::sport
