#pragma once
// Lists kept as the text of a JSON array: the cards of players who are not in the middle, the lines of closed innings.
// Finding, taking out and adding one card touches the text alone; nothing else is read.
#include "sports/cricket/state.hpp"

#include <algorithm>

namespace omnium::cricket {

// Where the object whose first member is `"key":"name"` lies in the list; size 0: it is not there.
struct text_range {
  std::size_t begin = 0, size = 0;
};
text_range find_object(const std::string& list, std::string_view key, std::string_view name);
void remove_object(std::string& list, text_range where);
void add_object(std::string& list, std::string_view object);

template<class Card>
inline constexpr std::string_view card_key = std::get<0>(Card::fields).name;

template<class T>
std::vector<T> read_list(const std::string& list) {
  std::vector<T> out;
  sdk::document document;
  sdk::reader in(sdk::reader::trust::stored, "/state");
  if (document.parse(list)) sdk::codec<std::vector<T>>::read(document.root(), out, {}, in);
  return out;
}

template<class Card>
std::optional<Card> find_card(const std::string& list, std::string_view name) {
  const auto where = find_object(list, card_key<Card>, name);
  if (where.size == 0) return {};
  auto found = read_list<Card>('[' + list.substr(where.begin, where.size) + ']');
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

template<class Card>
std::optional<Card> take_card(std::string& list, std::string_view name) {
  auto card = find_card<Card>(list, name);
  if (card) remove_object(list, find_object(list, card_key<Card>, name));
  return card;
}

template<class Card>
void put_card(std::string& list, const Card& card) {
  add_object(list, sdk::to_json(card));
}

// All cards with the ones in the middle, in their order, as the text of a list.
template<class Card>
std::string all_cards(const std::string& list, const std::vector<Card>& in_the_middle) {
  auto all = read_list<Card>(list);
  all.insert(all.end(), in_the_middle.begin(), in_the_middle.end());
  std::sort(all.begin(), all.end(), [](const Card& a, const Card& b) { return a.number < b.number; });
  return sdk::to_json(all);
}

} // namespace omnium::cricket
