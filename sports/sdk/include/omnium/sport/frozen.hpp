#pragma once
// Parts of a state that the rules have done with: finished innings and sets, the cards of players who are out. They
// stay in the state's JSON as they were written, behind everything else, and are not parsed when the state is read:
// they cost a copy, however long the match. A state names them beside its fields; each is a string that holds JSON
// text.
//
//   struct state {
//     std::string sets = "[]";
//     static constexpr auto frozen = sdk::frozen(sdk::part("sets", &state::sets));
//     static constexpr auto fields = …
//   };
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace omnium::sdk {

template<class Record>
struct frozen_part {
  std::string_view name; // as the member is called in the JSON
  std::string Record::*text;
};
template<class Record>
constexpr frozen_part<Record> part(std::string_view name, std::string Record::*text) {
  return {name, text};
}
template<class Record, class... More>
constexpr std::array<frozen_part<Record>, 1 + sizeof...(More)> frozen(frozen_part<Record> first, More... more) {
  return {first, more...};
}

// The same without the type, for the library.
struct frozen_entry {
  std::string_view name;
  std::string& (*text)(void* record);
  const std::string& (*read)(const void* record);
};
using frozen_list = std::span<const frozen_entry>;

template<class Record, std::size_t I>
inline constexpr frozen_entry frozen_row{
    Record::frozen[I].name,
    [](void* record) -> std::string& { return static_cast<Record*>(record)->*Record::frozen[I].text; },
    [](const void* record) -> const std::string& {
      return static_cast<const Record*>(record)->*Record::frozen[I].text;
    }};

template<class Record, std::size_t... I>
constexpr auto frozen_table(std::index_sequence<I...>) {
  return std::array<frozen_entry, sizeof...(I)>{frozen_row<Record, I>...};
}
template<class Record>
inline constexpr auto frozen_rows = frozen_table<Record>(std::make_index_sequence<Record::frozen.size()>{});

template<class Record>
constexpr frozen_list frozen_of() {
  if constexpr (requires { Record::frozen.size(); }) return frozen_rows<Record>;
  else return {};
}

// Appends `,"sets":[…],…,"frozen":[bytes of each]` to an object that is begun.
void write_frozen(const void* record, frozen_list parts, std::string& out);
// Takes the parts out of a state's text into the record; `head` becomes the text without them. False: the text does not
// end in parts as write_frozen writes them.
bool cut_frozen(std::string_view state, void* record, frozen_list parts, std::string& head);

} // namespace omnium::sdk
