#pragma once
// How a sport class is opened, read and written through the library's tables, and the C interface of one. Included by
// plugin.hpp; nothing here is for authors.
#include "omnium/sport/commands.hpp"

namespace omnium::sdk {

// Every setting has a default, so none is required.
template<class Settings>
inline constexpr auto settings_members = [] {
  auto table = member_table_of<Settings>;
  for (auto& one : table) one.required = false;
  return table;
}();

template<class Sport>
struct sport_binding {
  using state_type = typename Sport::state_type;
  using settings_type = typename Sport::settings_type;
  using board_type = std::remove_cvref_t<decltype(std::declval<const Sport&>().scoreboard())>;
  static_assert(std::is_base_of_v<headline, board_type>, "scoreboard() returns a struct derived from sdk::headline");

  static void* make() { return new Sport(); }
  static void free(void* sport) { delete static_cast<Sport*>(sport); }
  static void* state_of(void* sport) { return &static_cast<Sport*>(sport)->state; }

  static bool open(void* sport, const value* settings, const value* stored, std::string& error) {
    auto& self = *static_cast<Sport*>(sport);
    reader in(reader::trust::input, "/settings");
    if (settings && !read_record(*settings, &self.settings, settings_members<settings_type>, in)) {
      error = in.at() + ": " + in.message();
      return false;
    }
    if (auto sentence = self.check_settings()) return error = std::move(*sentence), false;
    return stored ? read_state(self, *stored, error) : (self.on_open(), true);
  }

  // {"match":{…},the sport's members…}
  static bool read_state(Sport& self, const value& stored, std::string& error) {
    reader in(reader::trust::stored, "/state");
    const sdk_member more{life_member, &self.match};
    if (read_record(stored, &self.state, members_of<state_type>(), in, &more)) return true;
    error = in.at() + ": " + in.message();
    return false;
  }
  static void write_state(const void* sport, std::string& out) {
    const auto& self = *static_cast<const Sport*>(sport);
    out += R"({"match":)";
    codec<match_life>::write(self.match, out);
    write_record(&self.state, members_of<state_type>(), out, true);
    write_frozen(&self.state, frozen_of<state_type>(), out);
    out += '}';
  }
  static void write_scoreboard(const void* sport, std::string& out) {
    const auto& self = *static_cast<const Sport*>(sport);
    const board_type board = self.scoreboard();
    write_head(self.match, board, out);
    write_record(&board, members_of<board_type>(), out, true);
    out += '}';
  }
};

template<class Sport, std::size_t N>
constexpr sport_entry entry_of(std::string_view code, std::string_view version, std::string_view label,
                               const std::array<command_entry, N>& commands) {
  using bound = sport_binding<Sport>;
  return {code,
          version,
          label,
          commands,
          settings_members<typename Sport::settings_type>,
          &bound::make,
          &bound::free,
          &bound::open,
          &bound::write_state,
          &bound::write_scoreboard,
          frozen_of<typename Sport::state_type>(),
          &bound::state_of};
}

template<const sport_entry& Entry>
constexpr omnium_sport_api api_of() {
  omnium_sport_api api{};
  api.struct_size = sizeof api;
  api.abi = OMNIUM_SPORT_ABI;
  api.describe = [](const omnium_sport_host* host) { return describe(Entry, *host); };
  api.open = [](const omnium_sport_host* host, omnium_bytes settings, omnium_bytes state) {
    return open(Entry, *host, settings, state);
  };
  api.play = [](void* session, const omnium_sport_host* host, const omnium_sport_event* what, std::uint32_t flags) {
    return play(session, *host, *what, flags);
  };
  api.state = [](void* session, const omnium_sport_host* host) { return write_state(session, *host); };
  api.scoreboard = [](void* session, const omnium_sport_host* host) { return write_scoreboard(session, *host); };
  api.close = [](void* session) { close(session); };
  return api;
}

} // namespace omnium::sdk
