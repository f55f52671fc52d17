#pragma once
// Configuration: every option declared once (option_list), read from defaults, a TOML file, the environment and flags,
// later ones winning. Unknown keys are refused. Source: issue 5 item 2, contract section 1.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace omnium::ops {

struct settings {
  struct {
    std::string listen;
    std::int64_t port = 0;
    std::vector<std::string> allowed_origins;
    std::string static_dir;
    std::int64_t connections_max = 0;
    std::int64_t header_deadline_ms = 0, body_deadline_ms = 0, idle_timeout_ms = 0;
    bool behind_proxy = false;
    std::string tls_certificate, tls_key;
  } http;
  struct {
    bool required = false;
  } auth;
  struct {
    std::int64_t requests_per_s = 0, requests_burst = 0, bytes_per_s = 0;
    std::int64_t connections_per_address = 0, live_sockets_per_token = 0;
  } limits;
  struct {
    std::int64_t beat_ms = 0;
    std::int64_t poll_ms = 0;
    bool compression = false;
  } live;
  struct {
    std::string dir;
  } data;
  struct {
    std::string url;
    std::int64_t command_connections = 0, read_connections = 0, load_connections = 0;
  } database;
  struct {
    std::string dir;
    std::int64_t workers = 0;
    std::int64_t ball_wall_clock_ms = 0;
  } sports;
  struct {
    std::int64_t threads = 0;
  } actors;
  struct {
    std::int64_t days = 0;
    std::int64_t pass_minutes = 0;
  } retention;
  struct {
    std::int64_t pass_s = 0;
    std::int64_t pause_ms = 0;
  } verifier;
  struct {
    std::string webhook_url, webhook_secret, slack_url, mail_server, mail_from, mail_to, mail_user, mail_password,
        mail_tls, tls_ca;
  } alerts;
  struct {
    std::string level;
    std::string file;
  } log;
};

using option_slot = std::variant<std::string*, std::int64_t*, bool*, std::vector<std::string>*>;

enum class when_changed : std::uint8_t { reload, restart }; // what a new value needs: SIGHUP, or a new process
enum class secrecy : std::uint8_t { open, url, secret };    // url: a password inside it is masked

struct option {
  std::string_view name;                // section.key
  std::string_view sentence;            // what it does
  std::string_view unit;                // empty for texts and counts
  std::string_view fallback;            // default, as the environment would say it
  std::int64_t low = 0, high = 0;       // bounds of a number, both included
  std::vector<std::string_view> one_of; // closed set of a text; empty: any
  when_changed needs = when_changed::restart;
  secrecy shown = secrecy::open;
  option_slot (*slot)(settings&);
};
const std::vector<option>& option_list();

// One setting as text, quoted as the TOML file would, secrets masked; and where it came from.
struct effective {
  std::string name, value, source; // source: default, file, environment, flag
};

struct loaded_config {
  settings values;
  std::vector<effective> shown;
  std::vector<std::string> errors; // sentences; not empty: nothing may be started
};

// Where values are looked for. `flags` are `--section.key value`, `--section.key=value`, or with a dash for the dot.
struct config_sources {
  std::optional<std::string> file;                        // path; unreadable is an error
  std::map<std::string, std::string> environment;         // all of it; OMNIUM_<SECTION>_<KEY> are taken
  std::vector<std::pair<std::string, std::string>> flags; // name without the dashes
};

loaded_config load_config(const config_sources& sources);

// What is wrong with values that are each good by themselves; sentences. Part of load_config's errors.
std::vector<std::string> contradictions(const settings& values);
// Files and folders that the settings name and that are not there, or cannot be used; sentences. Makes nothing.
std::vector<std::string> faults_on_this_machine(const settings& values);

// Splits command-line words into flags that name an option, and the rest. A known option without a value is an error.
struct split_flags {
  std::vector<std::pair<std::string, std::string>> flags;
  std::vector<std::string> rest;
  std::vector<std::string> errors;
};
split_flags take_flags(const std::vector<std::string>& words);
std::map<std::string, std::string> process_environment();

std::string print_config(const loaded_config& config); // --print-config: one `name = value  # source` a line
// A commented TOML file with every option at its default: what configs/omnium.toml is.
std::string reference_config();
// postgresql://u:p@h/d and password=p forms with the password shown as ***.
std::string masked_url(std::string_view url);

} // namespace omnium::ops
