// The C ABI's functions, once for every sport. No exception leaves them.
#include "omnium/sport/plugin.hpp"

#include <algorithm>
#include <exception>

namespace omnium::sdk {
namespace {

// Buffers kept between calls: opening a session and playing a ball then allocate little.
struct scratch {
  document settings, state, input;
  std::string out, head;
};
scratch& buffers() {
  static thread_local scratch kept;
  return kept;
}

struct session {
  const sport_entry* sport;
  void* instance;
  ~session() { sport->free(instance); }
};

std::string_view text(omnium_bytes bytes) { return {bytes.data, bytes.size}; }

int say(const omnium_sport_host& host, std::string_view sentence, int result) {
  host.write(host.context, sentence.data(), sentence.size());
  return result;
}

// Runs `work`, which returns one of the ABI's results; what it throws becomes an error in words.
template<class Work>
int guarded(const omnium_sport_host& host, Work work) noexcept {
  try {
    return work();
  } catch (const std::exception& e) {
    return say(host, e.what(), OMNIUM_SPORT_ERROR);
  } catch (...) {
    return say(host, "the sport threw something that is no std::exception", OMNIUM_SPORT_ERROR);
  }
}

void append_member(std::string& out, std::string_view name, std::string_view content) {
  out += out.size() == 1 ? "" : ",";
  append_string(out, name);
  out += ':';
  append_string(out, content);
}

int say_refusal(const omnium_sport_host& host, const verdict& no) {
  auto& out = buffers().out;
  out = "{";
  append_member(out, "code", no.code());
  append_member(out, "message", no.message());
  if (!no.at().empty()) append_member(out, "at", no.at());
  if (!no.law().empty()) append_member(out, "law", no.law());
  out += '}';
  return say(host, out, OMNIUM_SPORT_REFUSED);
}

int say_bad_input(const omnium_sport_host& host, std::string_view at, std::string_view message) {
  auto& out = buffers().out;
  out = "{";
  append_member(out, "code", "bad_input");
  append_member(out, "message", message);
  append_member(out, "at", at);
  out += '}';
  return say(host, out, OMNIUM_SPORT_REFUSED);
}

int say_accepted(const omnium_sport_host& host, const verdict& yes) {
  if (yes.voids().empty()) return OMNIUM_SPORT_ACCEPTED;
  auto& out = buffers().out;
  out = R"({"voids":)";
  codec<std::vector<std::int64_t>>::write(yes.voids(), out);
  out += '}';
  return say(host, out, OMNIUM_SPORT_ACCEPTED);
}

const command_entry* find(const sport_entry& sport, std::string_view code) {
  const auto found = std::find_if(sport.commands.begin(), sport.commands.end(),
                                  [&](const command_entry& one) { return one.shape.code == code; });
  return found == sport.commands.end() ? nullptr : &*found;
}

verdict unknown(const sport_entry& sport, std::string_view code) {
  if (code == "match.baseline") return refuse("baseline_not_supported", std::string(sport.label) + " has no baseline.");
  return refuse("unknown_command", std::string(sport.label) + " has no command " + std::string(code) + ".");
}

int play_event(session& at, const omnium_sport_host& host, const omnium_sport_event& what, std::uint32_t flags) {
  const turn how{(flags & OMNIUM_SPORT_DECIDE) != 0, (flags & OMNIUM_SPORT_EVOLVE) != 0};
  event made{what.seq, text(what.code), text(what.at), {}, (flags & OMNIUM_SPORT_AGAIN) != 0};
  const auto* command = find(*at.sport, made.code);
  if (command == nullptr) {
    const auto no = unknown(*at.sport, made.code);
    return how.decide ? say_refusal(host, no) : say(host, no.message(), OMNIUM_SPORT_ERROR);
  }
  // What is only evolved was accepted before: its constraints held under the release that decided it.
  reader in(how.decide ? reader::trust::input : reader::trust::stored, "/input");
  auto& input = buffers().input;
  verdict out = accept();
  auto answer = heard::unreadable;
  if (!input.parse(text(what.input))) in.fail("The input cannot be read: " + input.error());
  else answer = command->play(at.instance, input.root(), made, how, in, out);
  if (answer == heard::unreadable && how.decide) return say_bad_input(host, in.at(), in.message());
  if (answer == heard::unreadable) return say(host, in.at() + ": " + in.message(), OMNIUM_SPORT_ERROR);
  return out ? say_accepted(host, out) : say_refusal(host, out);
}

void schema(std::string& out, member_list members, const member_entry* more) {
  out += '{';
  schema_of_record(members, out, more);
  out += '}';
}

void describe_command(std::string& out, const command_entry& one) {
  append_string(out += R"({"code":)", one.shape.code);
  append_string(out += R"(,"label":)", one.shape.label);
  if (!one.shape.key_hint.empty()) append_string(out += R"(,"key":)", one.shape.key_hint);
  out += one.shape.play ? R"(,"play":true,"schema":)" : R"(,"play":false,"schema":)";
  schema(out, one.members, &umpire_member);
  out += '}';
}

// Parses where there is text. False: `error` is a sentence.
bool parsed(document& into, omnium_bytes from, std::string_view what, const value*& root, std::string& error) {
  root = nullptr;
  if (from.size == 0) return true;
  if (!into.parse(text(from))) return error = "the " + std::string(what) + " cannot be read: " + into.error(), false;
  root = &into.root();
  return true;
}

} // namespace

int describe(const sport_entry& sport, const omnium_sport_host& host) noexcept {
  return guarded(host, [&] {
    std::string out = "{";
    append_member(out, "sport", sport.code);
    append_member(out, "version", sport.version);
    append_member(out, "label", sport.label);
    schema(out += R"(,"settings":)", sport.settings, nullptr);
    out += R"(,"commands":[)";
    for (const auto& one : sport.commands) describe_command(out, one), out += ',';
    out.back() = ']';
    out += '}';
    return say(host, out, OMNIUM_SPORT_OK);
  });
}

void* open(const sport_entry& sport, const omnium_sport_host& host, omnium_bytes settings,
           omnium_bytes state) noexcept {
  void* opened = nullptr;
  guarded(host, [&] {
    std::string error;
    const value *settings_root = nullptr, *state_root = nullptr;
    auto made = std::make_unique<session>(&sport, sport.make());
    if (!sport.frozen.empty() && state.size > 0) {
      auto& head = buffers().head;
      if (!cut_frozen(text(state), sport.state_of(made->instance), sport.frozen, head))
        return say(host, "the state cannot be read: its frozen parts are not as they were written", OMNIUM_SPORT_ERROR);
      state = {head.data(), head.size()};
    }
    if (!parsed(buffers().settings, settings, "settings", settings_root, error) ||
        !parsed(buffers().state, state, "state", state_root, error) ||
        !sport.open(made->instance, settings_root, state_root, error))
      return say(host, error, OMNIUM_SPORT_ERROR);
    opened = made.release();
    return int{OMNIUM_SPORT_OK};
  });
  return opened;
}

int play(void* at, const omnium_sport_host& host, const omnium_sport_event& what, std::uint32_t flags) noexcept {
  return guarded(host, [&] { return play_event(*static_cast<session*>(at), host, what, flags); });
}

int write_state(void* at, const omnium_sport_host& host) noexcept {
  return guarded(host, [&] {
    const auto& self = *static_cast<session*>(at);
    auto& out = buffers().out;
    out.clear();
    self.sport->write_state(self.instance, out);
    return say(host, out, OMNIUM_SPORT_OK);
  });
}

int write_scoreboard(void* at, const omnium_sport_host& host) noexcept {
  return guarded(host, [&] {
    const auto& self = *static_cast<session*>(at);
    auto& out = buffers().out;
    out.clear();
    self.sport->write_scoreboard(self.instance, out);
    return say(host, out, OMNIUM_SPORT_OK);
  });
}

void close(void* at) noexcept { delete static_cast<session*>(at); }

} // namespace omnium::sdk
