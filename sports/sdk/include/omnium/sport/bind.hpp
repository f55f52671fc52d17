#pragma once
// How a sport class is called through the library's tables. Included by plugin.hpp; nothing here is for authors.
#include "omnium/sport/plugin.hpp"

namespace omnium::sdk {

template<class Sport>
struct lifecycle { // the shared commands: the SDK keeps the life, the sport's hooks have a say
  static verdict decide(const Sport& s, const match_start&, const event& e) {
    if (auto no = may_live(s.match, status::live, nullptr); !no) return no;
    return s.may_start(e);
  }
  static void evolve(Sport& s, const match_start&, const event& e) {
    s.match.status = status::live;
    s.on_start(e);
  }
  static verdict decide(const Sport& s, const match_end& in, const event& e) {
    if (auto no = may_live(s.match, status::ended, &in); !no) return no;
    return s.may_end(in, e);
  }
  static void evolve(Sport& s, const match_end& in, const event& e) {
    s.match.status = status::ended;
    s.match.suspended.reset();
    s.match.ended = in;
    s.on_end(in, e);
  }
  static verdict decide(const Sport& s, const match_suspend& in, const event& e) {
    if (!s.match.live()) return default_not_live(s.match);
    if (s.match.suspended) return refuse("already_suspended", "Play is stopped already.");
    return s.may_suspend(in, e);
  }
  static void evolve(Sport& s, const match_suspend& in, const event&) { s.match.suspended = in.reason; }
  static verdict decide(const Sport& s, const match_resume& in, const event& e) {
    if (!s.match.live()) return default_not_live(s.match);
    if (!s.match.suspended) return refuse("not_suspended", "Play is not stopped.");
    return s.may_resume(in, e);
  }
  static void evolve(Sport& s, const match_resume&, const event&) { s.match.suspended.reset(); }
  static verdict decide(const Sport&, const match_note&, const event&) { return accept(); }
  static void evolve(Sport&, const match_note&, const event&) {}
};

template<class Input>
inline constexpr bool shared_input =
    std::is_same_v<Input, match_start> || std::is_same_v<Input, match_end> || std::is_same_v<Input, match_suspend> ||
    std::is_same_v<Input, match_resume> || std::is_same_v<Input, match_note>;

template<class Sport, class Input, when When, bool Baseline>
struct command_binding {
  static verdict decide(const Sport& s, const Input& in, const event& e) {
    if constexpr (shared_input<Input>) {
      return lifecycle<Sport>::decide(s, in, e);
    } else {
      const bool live = s.match.live();
      const bool early = s.match.status == status::scheduled;
      const bool fits = When == when::any_time || (When == when::before_end && (live || early)) ||
                        (When == when::live && live) || (live && !s.match.suspended);
      if (!fits) return s.not_live(e);
      return s.decide(in, e);
    }
  }
  static void evolve(Sport& s, const Input& in, const event& e) {
    if constexpr (shared_input<Input>) {
      lifecycle<Sport>::evolve(s, in, e);
    } else {
      if constexpr (Baseline) s.match.status = status::live;
      s.evolve(in, e);
    }
  }
  static heard play(void* sport, const value& input, event& what, const turn& how, reader& in, verdict& out) {
    auto& self = *static_cast<Sport*>(sport);
    Input made{};
    std::string umpire;
    const sdk_member more{umpire_member, &umpire};
    if (!read_record(input, &made, members_of<Input>(), in, &more)) return heard::unreadable;
    what.umpire = umpire;
    out = how.decide ? decide(self, made, what) : accept();
    if (how.evolve && out) evolve(self, made, what);
    what.umpire = {};
    return heard::answered;
  }
};

inline constexpr auto shared_commands =
    std::tuple(command_of<match_start>{{"match.start", "Start the match", "", true, when::any_time}},
               command_of<match_end>{{"match.end", "End the match", "", true, when::any_time}},
               command_of<match_suspend>{{"match.suspend", "Stop play", "", true, when::any_time}},
               command_of<match_resume>{{"match.resume", "Resume play", "", true, when::any_time}},
               command_of<match_note>{{"match.note", "Note", "", false, when::any_time}});

template<class Sport, const auto& Commands, std::size_t I>
inline constexpr command_entry command_row = [] {
  constexpr auto& one = std::get<I>(Commands);
  using input = typename std::remove_cvref_t<decltype(one)>::input;
  return command_entry{one.shape, members_of<input>(),
                       &command_binding<Sport, input, one.shape.when, one.shape.code == "match.baseline">::play};
}();

template<class Sport, const auto& Commands, std::size_t... S, std::size_t... I>
constexpr auto command_rows(std::index_sequence<S...>, std::index_sequence<I...>) {
  return std::array<command_entry, sizeof...(S) + sizeof...(I)>{command_row<Sport, shared_commands, S>...,
                                                                command_row<Sport, Commands, I>...};
}

template<class Sport, const auto& Commands>
constexpr auto command_table() {
  constexpr auto size = [](const auto& all) { return std::tuple_size_v<std::remove_cvref_t<decltype(all)>>; };
  return command_rows<Sport, Commands>(std::make_index_sequence<size(shared_commands)>{},
                                       std::make_index_sequence<size(Commands)>{});
}

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
