#include "sports/corpus/cricsheet.hpp"

namespace omnium::corpus::cricsheet {

std::string crease::entry(const std::string& player) const {
  if (in_.count(player) != 0) return {};
  if (out_.count(player) != 0) return player + " bats again after being out in the file.";
  const auto found = retired_.find(player);
  if (found == retired_.end()) return {};
  if (!found->second.hurt) return player + " resumed after retiring not out; the file does not tell of a consent.";
  return found->second.may_resume ? std::string{} : player + " resumed before a wicket fell in the file.";
}

std::string crease::departure(const std::string& batter, const std::string& non_striker) const {
  for (const auto* name : {&batter, &non_striker})
    if (auto why = entry(*name); !why.empty()) return why;
  for (const auto& name : in_)
    if (name != batter && name != non_striker) return name + " left the wicket; the file does not say why.";
  return {};
}

void crease::bat(const std::string& batter, const std::string& non_striker) {
  const bool changed = in_.count(batter) == 0 || in_.count(non_striker) == 0;
  in_ = {batter, non_striker};
  for (const auto* name : {&batter, &non_striker}) out_.erase(*name), retired_.erase(*name);
  if (changed)
    for (auto& [name, one] : retired_) one.may_resume = false;
}

void crease::vacate(const std::string& player) {
  in_.erase(player);
  for (auto& [name, one] : retired_) one.may_resume = true;
}

void crease::out(const std::string& player) {
  vacate(player);
  retired_.erase(player);
  out_.insert(player);
}

void crease::retire(const std::string& player, bool hurt) {
  vacate(player);
  retired_[player] = {hurt, false};
}

} // namespace omnium::corpus::cricsheet
