#include "runtime/access/directory.hpp"

namespace omnium::access {

// A token never changes but by its end (revoked, expired): the same hashes are the same tokens.
bool directory::replace(std::vector<known_token> all) {
  auto next = std::make_shared<table>();
  next->reserve(all.size());
  std::lock_guard hold(guard_);
  bool same = all.size() == table_->size();
  for (auto& one : all) {
    auto old = table_->find(one.hash);
    same = same && old != table_->end();
    next->emplace(one.hash, old != table_->end() ? old->second : std::make_shared<const token>(std::move(one.what)));
  }
  if (same) return false;
  table_ = std::move(next);
  ++generation_;
  return true;
}

token_ptr directory::find(const sha256_digest& hash) const {
  std::shared_ptr<const table> held;
  {
    std::lock_guard hold(guard_);
    held = table_;
  }
  auto it = held->find(hash);
  return it == held->end() ? nullptr : it->second;
}

std::size_t directory::size() const {
  std::lock_guard hold(guard_);
  return table_->size();
}

} // namespace omnium::access
