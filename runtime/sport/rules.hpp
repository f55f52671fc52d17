#pragma once
// The rule book of this node: which sports, releases and commands exist, from the packages on disk and the defaults
// that operators set. Any thread.
#include "runtime/road/subject_ports.hpp"
#include "runtime/sport/releases.hpp"

#include <map>
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
  // `what` must outlive the rules and never change.
  explicit rules(const catalogue& what);
  void set_defaults(std::vector<release_default> defaults);

  std::optional<road::release_facts> find(std::string_view sport, std::string_view version) const override;
  std::optional<road::release_facts> default_release(std::string_view sport, const uuid& competition) const override;
  std::optional<bool> is_play(std::string_view sport, std::string_view version, std::string_view code) const override;

private:
  struct known {
    road::release_facts facts;
    std::map<std::string, bool, std::less<>> plays; // code -> is a play
  };
  std::map<std::string, std::map<std::string, known, std::less<>>, std::less<>> sports_;
  mutable std::mutex guard_; // of the defaults only; the rest never changes
  std::vector<release_default> defaults_;
};

// Versions in their order: 2.10.0 after 2.9.1.
bool version_less(std::string_view a, std::string_view b);

// GET /sports: [{"sport","label","default","releases":[{"version","code_sha","commands":[…],"settings"}]}].
std::string sports_json(const catalogue& what, const rules& book);
// GET /workflows: the games workflow and one for each sport.
std::string workflows_json(const catalogue& what, const rules& book);

} // namespace omnium::sport
