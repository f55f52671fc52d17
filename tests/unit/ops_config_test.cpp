#include "runtime/ops/config.hpp"
#include "tests/catch.hpp"

#include <cctype>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace omnium::ops;

namespace {

struct temporary_file {
  std::string path;
  explicit temporary_file(const std::string& text) {
    char name[] = "/tmp/omnium_config_XXXXXX";
    int fd = ::mkstemp(name);
    path = name;
    std::ofstream(path) << text;
    ::close(fd);
  }
  ~temporary_file() { std::remove(path.c_str()); }
};

loaded_config from_file(const std::string& text) {
  temporary_file file(text);
  return load_config({.file = file.path, .environment = {}, .flags = {}});
}

const effective& shown(const loaded_config& config, const std::string& name) {
  for (const auto& entry : config.shown) {
    if (entry.name == name) return entry;
  }
  throw std::logic_error("no option " + name);
}

} // namespace

TEST_CASE("without any source every option has its default and says so") {
  auto config = load_config({});
  CHECK(config.errors.empty());
  CHECK(config.values.http.port == 8400);
  CHECK(config.values.database.command_connections == 6);
  CHECK(config.values.live.compression == false);
  CHECK(config.shown.size() == option_list().size());
  for (const auto& entry : config.shown) CHECK(entry.source == "default");
}

TEST_CASE("a flag wins over the environment, the environment over the file") {
  temporary_file file("[http]\nport = 1001\nlisten = \"127.0.0.2\"\nconnections_max = 5\n");
  auto config = load_config({.file = file.path,
                             .environment = {{"OMNIUM_HTTP_PORT", "1002"}, {"OMNIUM_HTTP_CONNECTIONS_MAX", "6"}},
                             .flags = {{"http.port", "1003"}}});
  REQUIRE(config.errors.empty());
  CHECK(config.values.http.port == 1003);
  CHECK(shown(config, "http.port").source == "flag");
  CHECK(config.values.http.connections_max == 6);
  CHECK(shown(config, "http.connections_max").source == "environment");
  CHECK(config.values.http.listen == "127.0.0.2");
  CHECK(shown(config, "http.listen").source == "file");
}

TEST_CASE("unknown keys, sections, variables of a known section and flags are refused by name") {
  auto contains = [](const loaded_config& config, const std::string& part) {
    for (const auto& error : config.errors) {
      if (error.find(part) != std::string::npos) return true;
    }
    return false;
  };
  CHECK(contains(from_file("[http]\nprot = 1\n"), "http.prot"));
  CHECK(contains(from_file("[htpp]\nport = 1\n"), "htpp"));
  CHECK(contains(from_file("port = 1\n"), "port"));
  CHECK(
      contains(load_config({.file = {}, .environment = {{"OMNIUM_HTTP_PROT", "1"}}, .flags = {}}), "OMNIUM_HTTP_PROT"));
  CHECK(contains(load_config({.file = {}, .environment = {}, .flags = {{"http.prot", "1"}}}), "http.prot"));
  CHECK(load_config({.file = {}, .environment = {{"OMNIUM_TOKEN", "x"}, {"PATH", "y"}}, .flags = {}}).errors.empty());
}

TEST_CASE("a value of the wrong type or outside its bounds is refused with a sentence") {
  CHECK(from_file("[http]\nport = \"8400\"\n").errors.size() == 1);
  CHECK(from_file("[http]\nport = 65536\n").errors.size() == 1);
  CHECK(from_file("[http]\nport = -1\n").errors.size() == 1);
  CHECK(from_file("[http]\nallowed_origins = \"x\"\n").errors.size() == 1);
  CHECK(from_file("[http]\nallowed_origins = [1]\n").errors.size() == 1);
  CHECK(from_file("[live]\ncompression = \"yes\"\n").errors.size() == 1);
  CHECK(from_file("[log]\nlevel = \"loud\"\n").errors.size() == 1);
  CHECK(from_file("[http\n").errors.size() == 1);
  CHECK(load_config({.file = "/nonexistent/omnium.toml", .environment = {}, .flags = {}}).errors.size() == 1);
  CHECK(load_config({.file = {}, .environment = {{"OMNIUM_HTTP_PORT", "80x"}}, .flags = {}}).errors.size() == 1);
}

TEST_CASE("a server open to other machines needs sign-in, and TLS or a proxy that ends it") {
  auto errors = [](std::vector<std::pair<std::string, std::string>> flags) {
    return load_config({.file = {}, .environment = {}, .flags = std::move(flags)}).errors.size();
  };
  for (auto address : {"127.0.0.1", "127.8.0.1", "::1"}) {
    CHECK(errors({{"http.listen", address}}) == 0);
    CHECK(errors({{"http.listen", address}, {"auth.required", "false"}}) == 0);
  }
  for (auto address : {"0.0.0.0", "::", "192.168.1.7", "128.0.0.1", "localhost", "fe80::1"}) {
    INFO(address);
    CHECK(errors({{"http.listen", address}}) == 1);
    CHECK(errors({{"http.listen", address}, {"http.behind_proxy", "true"}}) == 0);
    CHECK(errors({{"http.listen", address}, {"http.behind_proxy", "true"}, {"auth.required", "false"}}) == 1);
    CHECK(errors({{"http.listen", address}, {"http.tls_certificate", "a"}, {"http.tls_key", "b"}}) == 0);
  }
  CHECK(errors({{"http.tls_certificate", "a"}}) == 1);
  CHECK(errors({{"http.tls_key", "b"}}) == 1);
}

TEST_CASE("a setting that leads nowhere is refused with a sentence that names it") {
  using list = std::vector<std::pair<std::string, std::string>>;
  auto errors = [](const list& given) {
    config_sources sources;
    for (const auto& [name, value] : given) {
      std::string variable = "OMNIUM_";
      for (char c : name) variable += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      sources.environment[variable] = value;
    }
    return load_config(sources).errors;
  };
  auto names = [&](const list& given, const std::string& option) {
    auto all = errors(given);
    return all.size() == 1 && all[0].starts_with(option);
  };
  for (auto option : {"alerts.webhook_url", "alerts.slack_url"}) {
    for (auto bad : {"ftp://x", "http://", "x", "http://h:0/", "http://h:x/p", "http://u:p@h/", "http://a b/"}) {
      INFO(option << " " << bad);
      CHECK(names({{option, bad}}, option));
    }
    for (auto good : {"http://h", "https://hook.test:1/in?token=abc", "http://[::1]:8080/x", "http://127.0.0.1:9/"}) {
      INFO(option << " " << good);
      CHECK(errors({{option, good}}).empty());
    }
  }
  const list mail = {{"alerts.mail_from", "omnium@club.test"}, {"alerts.mail_to", "a@b.test, c@d.test"}};
  auto with = [](list all, const std::string& name, const std::string& value) {
    all.emplace_back(name, value);
    return all;
  };
  CHECK(errors(with(mail, "alerts.mail_server", "relay.test:25")).empty());
  CHECK(errors(with(mail, "alerts.mail_server", "[::1]:25")).empty());
  for (auto bad : {"x", "x:", "x:0", "x:70000", ":25", "smtp://x:25", "::1:25"})
    CHECK(names(with(mail, "alerts.mail_server", bad), "alerts.mail_server"));
  CHECK(errors({{"alerts.mail_server", "relay:25"}}).size() == 2); // from and to
  CHECK(names({{"alerts.mail_server", "relay:25"}, mail[0]}, "alerts.mail_to"));
  CHECK(names({{"alerts.mail_server", "relay:25"}, mail[1]}, "alerts.mail_from"));
  for (auto bad :
       {"foo", "*", "https://", "https://a/", "https://a/b", "HTTPS://a", "https://A.test", "//a", "https://a:x"})
    CHECK(names({{"http.allowed_origins", bad}}, "http.allowed_origins"));
  for (auto good : {"https://a.test", "http://127.0.0.1:5173", "capacitor://localhost", "http://[::1]:80"})
    CHECK(errors({{"http.allowed_origins", good}}).empty());
}

TEST_CASE("files and folders that are not there are told before the start, each with its option") {
  auto faults = [](auto set) {
    settings values = load_config({}).values;
    set(values);
    return faults_on_this_machine(values);
  };
  auto names = [](const std::vector<std::string>& all, const std::string& option) {
    return all.size() == 1 && all[0].starts_with(option + ":") && all[0].ends_with(".");
  };
  temporary_file plain("no certificate"), certificate("-----BEGIN CERTIFICATE-----\nx\n");
  CHECK(faults([](auto&) {}).empty());
  CHECK(names(faults([](auto& s) { s.http.static_dir = "/omnium-is-not-there"; }), "http.static_dir"));
  CHECK(names(faults([&](auto& s) { s.http.static_dir = plain.path; }), "http.static_dir"));
  CHECK(names(faults([](auto& s) { s.sports.dir = "/omnium-is-not-there"; }), "sports.dir"));
  CHECK(names(faults([](auto& s) { s.alerts.tls_ca = "/omnium-is-not-there"; }), "alerts.tls_ca"));
  CHECK(names(faults([](auto& s) { s.alerts.tls_ca = "/tmp"; }), "alerts.tls_ca"));
  CHECK(names(faults([&](auto& s) { s.alerts.tls_ca = plain.path; }), "alerts.tls_ca"));
  CHECK(faults([&](auto& s) { s.alerts.tls_ca = certificate.path; }).empty());
  auto log = faults([](auto& s) { s.log.file = "/omnium-is-not-there/x"; });
  REQUIRE(log.size() == 1);
  CHECK(log[0].starts_with("log.file cannot be written: "));
  CHECK(faults([&](auto& s) {
          s.http.static_dir = "/tmp";
          s.sports.dir = "/tmp";
          s.log.file = plain.path;
        }).empty());
}

TEST_CASE("a list is an array in the file and comma-separated elsewhere") {
  std::vector<std::string> expected = {"http://a:1", "https://b"};
  CHECK(from_file("[http]\nallowed_origins = [\"http://a:1\", \"https://b\"]\n").values.http.allowed_origins ==
        expected);
  auto config =
      load_config({.file = {}, .environment = {{"OMNIUM_HTTP_ALLOWED_ORIGINS", "http://a:1, https://b"}}, .flags = {}});
  CHECK(config.values.http.allowed_origins == expected);
}

TEST_CASE("a password is never printed, and never taken from the command line") {
  auto config =
      load_config({.file = {}, .environment = {{"OMNIUM_DATABASE_URL", "postgresql://u:hush@h:5432/d"}}, .flags = {}});
  CHECK(config.values.database.url == "postgresql://u:hush@h:5432/d");
  auto text = print_config(config);
  CHECK(text.find("hush") == std::string::npos);
  CHECK(text.find("database.url = \"postgresql://u:***@h:5432/d\"  # environment") != std::string::npos);
  CHECK(load_config({.file = {}, .environment = {}, .flags = {{"database.url", "postgresql://u:hush@h/d"}}})
            .errors.size() == 1);
  CHECK(load_config({.file = {}, .environment = {}, .flags = {{"database.url", "postgresql://u@h/d"}}}).errors.empty());
}

TEST_CASE("a password is found in every form a connection text can have") {
  CHECK(masked_url("postgresql://u:p%40q@h/d") == "postgresql://u:***@h/d");
  CHECK(masked_url("postgresql://u@h/d?password=p&x=1") == "postgresql://u@h/d?password=***&x=1");
  CHECK(masked_url("host=h password=p dbname=d") == "host=h password=*** dbname=d");
  CHECK(masked_url("host=h password = p dbname=d") == "host=h password = *** dbname=d");
  CHECK(masked_url("host=h password  ='p q'") == "host=h password  =***");
  CHECK(masked_url("host=h password") == "host=h password");
  CHECK(masked_url("passwords=1 password=") == "passwords=1 password=***");
  CHECK(masked_url("host=h password='p q' dbname=d") == "host=h password=*** dbname=d");
  CHECK(masked_url("postgresql:///d?host=/tmp/x:y@z") == "postgresql:///d?host=/tmp/x:y@z");
  CHECK(masked_url("https://hook.test/in?token=abc&x=1") == "https://hook.test/in?***");
  CHECK(masked_url("") == "");
}

TEST_CASE("flags are taken out of the words, with either spelling, and the rest is left in order") {
  auto split =
      take_flags({"serve", "--http.port=1", "--http-allowed-origins", "a", "--print-config", "x", "--http.port"});
  CHECK(split.flags ==
        std::vector<std::pair<std::string, std::string>>{{"http.port", "1"}, {"http-allowed-origins", "a"}});
  CHECK(split.rest == std::vector<std::string>{"serve", "--print-config", "x"});
  CHECK(split.errors.size() == 1);
}

TEST_CASE("the shipped omnium.toml documents every option at its default and loads without a change") {
  std::string path = std::string(OMNIUM_SOURCE_DIR) + "/configs/omnium.toml";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == reference_config());
  auto config = load_config({.file = path, .environment = {}, .flags = {}}), plain = load_config({});
  REQUIRE(config.errors.empty());
  for (std::size_t i = 0; i < plain.shown.size(); ++i) {
    CHECK(config.shown[i].value == plain.shown[i].value);
    CHECK(config.shown[i].source == "file");
  }
}

TEST_CASE("every option is declared with a sentence, one name, and bounds around its default") {
  std::set<std::string_view> names;
  for (const auto& which : option_list()) {
    INFO(which.name);
    CHECK(names.insert(which.name).second);
    CHECK(which.sentence.ends_with("."));
    settings values;
    if (std::holds_alternative<std::int64_t*>(which.slot(values))) CHECK(which.low < which.high);
  }
}
