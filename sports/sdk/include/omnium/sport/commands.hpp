#pragma once
// How a sport's commands, its own and the shared ones, are called through the library's table of them. Included by
// plugin.hpp; nothing here is for authors.
#include "omnium/sport/lifecycle.hpp"

namespace omnium::sdk {

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

} // namespace omnium::sdk
