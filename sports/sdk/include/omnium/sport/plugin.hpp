#pragma once
// The registration: from a sport class and its list of commands to the C ABI's table. One macro, in one source:
//
//   OMNIUM_SPORT(football, "football", "Football",
//                omnium::sdk::play<goal>("football.goal", "Goal", "g"),
//                omnium::sdk::counted<shot>("football.shot", "Shot"))
#include "omnium/sport/frozen.hpp"
#include "omnium/sport/match.hpp"
#include "omnium/sport_abi.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#ifndef OMNIUM_SPORT_VERSION
#define OMNIUM_SPORT_VERSION "0.0.0" // omnium_sport() in CMake gives the release's own
#endif

namespace omnium::sdk {

enum class when : std::uint8_t {
  playing,    // while the match is live and not suspended
  live,       // also while it is suspended (a rain-reduced target, a review)
  before_end, // also before the start (toss, line-up)
  any_time    // also after the end
};

struct command_shape {
  std::string_view code, label, key_hint;
  bool play = true;
  sdk::when when = sdk::when::playing;
};

template<class Input>
struct command_of {
  using input = Input;
  command_shape shape;
  constexpr command_of while_suspended() const { return allowed(when::live); }
  constexpr command_of before_end() const { return allowed(when::before_end); }
  constexpr command_of any_time() const { return allowed(when::any_time); }
  constexpr command_of allowed(sdk::when phase) const {
    auto made = *this;
    made.shape.when = phase;
    return made;
  }
};

// A play: carries the version check and becomes the last play. Counted: neither (a shot, a note).
template<class Input>
constexpr command_of<Input> play(std::string_view code, std::string_view label, std::string_view key_hint = "") {
  return {{code, label, key_hint, true, when::playing}};
}
template<class Input>
constexpr command_of<Input> counted(std::string_view code, std::string_view label, std::string_view key_hint = "") {
  return {{code, label, key_hint, false, when::playing}};
}
// The sport's own match.baseline: its input struct names the scoreboard fields that may be set.
template<class Input>
constexpr command_of<Input> baseline() {
  return {{"match.baseline", "Set the score after a loss", "", true, when::before_end}};
}
template<class... Commands>
constexpr std::tuple<Commands...> commands(Commands... all) {
  return {all...};
}

// --- what the library does for every sport, behind a table of functions ---------------------------------------------
// What one play of a session asks for.
struct turn {
  bool decide, evolve;
};
enum class heard : std::uint8_t { unreadable, answered };

struct command_entry {
  command_shape shape;
  member_list members; // of the input struct
  // Reads the input, asks decide, calls evolve. `umpire` is filled from the input before the rules see it.
  heard (*play)(void* sport, const value& input, event& what, const turn& how, reader& in, verdict& out);
};

struct sport_entry {
  std::string_view code, version, label;
  std::span<const command_entry> commands; // the shared ones (match.*) first
  member_list settings;
  void* (*make)();
  void (*free)(void* sport);
  bool (*open)(void* sport, const value* settings, const value* state, std::string& error);
  void (*write_state)(const void* sport, std::string& out);
  void (*write_scoreboard)(const void* sport, std::string& out);
  frozen_list frozen;             // parts of the state that are carried as text
  void* (*state_of)(void* sport); // the record they are in
};

int describe(const sport_entry& sport, const omnium_sport_host& host) noexcept;
void* open(const sport_entry& sport, const omnium_sport_host& host, omnium_bytes settings, omnium_bytes state) noexcept;
int play(void* session, const omnium_sport_host& host, const omnium_sport_event& what, std::uint32_t flags) noexcept;
int write_state(void* session, const omnium_sport_host& host) noexcept;
int write_scoreboard(void* session, const omnium_sport_host& host) noexcept;
void close(void* session) noexcept;

// "umpire" of every input and "match" of every state: the SDK's own members.
extern const member_entry umpire_member, life_member;
void write_head(const match_life& match, const headline& head, std::string& out);
verdict may_live(const match_life& match, status wanted, const match_end* end);

} // namespace omnium::sdk

#include "omnium/sport/bind.hpp"

#if defined(__GNUC__)
#define OMNIUM_SPORT_EXPORT __attribute__((visibility("default")))
#else
#define OMNIUM_SPORT_EXPORT
#endif

#define OMNIUM_SPORT(type, code, label, ...)                                                                           \
  namespace {                                                                                                          \
  constexpr auto omnium_commands = ::omnium::sdk::commands(__VA_ARGS__);                                               \
  constexpr auto omnium_table = ::omnium::sdk::command_table<type, omnium_commands>();                                 \
  constexpr ::omnium::sdk::sport_entry omnium_entry =                                                                  \
      ::omnium::sdk::entry_of<type>(code, OMNIUM_SPORT_VERSION, label, omnium_table);                                  \
  constexpr omnium_sport_api omnium_api = ::omnium::sdk::api_of<omnium_entry>();                                       \
  }                                                                                                                    \
  extern "C" OMNIUM_SPORT_EXPORT const omnium_sport_api* omnium_sport_entry(std::uint32_t) noexcept {                  \
    return &omnium_api;                                                                                                \
  }
