// Static files: nothing outside the folder, types, tags, compression. Source: contract section 3, known trap X8.
#include "runtime/wire/http_route.hpp"
#include "runtime/wire/static_files.hpp"
#include "tests/catch.hpp"
#include "tests/unit/wire_support.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace omnium::wire;
using namespace omnium::wire::testing;
namespace fs = std::filesystem;

namespace {

struct site { // a folder with a secret beside it
  fs::path base;
  site() {
    char name[] = "/tmp/omnium_site_XXXXXX";
    base = ::mkdtemp(name);
    fs::create_directories(base / "www/assets");
    fs::create_directories(base / "www-other");
    put("www/index.html", "<p>" + std::string(3000, 'x'));
    put("www/assets/app-1a2b.js", "let a;");
    put("www/.hidden", "secret");
    put("secret.txt", "secret");
    put("www-other/secret.txt", "secret");
    fs::create_symlink(base / "secret.txt", base / "www/link.txt");
    fs::create_symlink("index.html", base / "www/good-link.html");
  }
  ~site() { fs::remove_all(base); }
  void put(const std::string& name, const std::string& text) { std::ofstream(base / name) << text; }
  std::string folder() const { return (base / "www").string(); }
};

} // namespace

TEST_CASE("files are served with type, tag and cache rules") {
  site here;
  static_files files(here.folder());
  auto index = files.get("/", "", "");
  CHECK(index.status == 200);
  CHECK(index.content_type == "text/html; charset=utf-8");
  CHECK(index.cache_control == "no-cache");
  CHECK(index.content().starts_with("<p>"));
  CHECK(files.get("/index.html", "", "").etag == index.etag);
  CHECK(files.get("/good-link.html", "", "").etag == index.etag);
  auto script = files.get("/assets/app-1a2b.js", "", "");
  CHECK(script.content_type == "text/javascript; charset=utf-8");
  CHECK(script.cache_control.find("immutable") != std::string::npos);
  CHECK(files.get("/", index.etag, "").status == 304);
  CHECK(files.get("/", "W/" + index.etag + ", \"x\"", "").status == 304);
  CHECK(files.get("/", "\"x\"", "").status == 200);
}

TEST_CASE("a text worth it is sent compressed to who takes it, under a tag of its own") {
  site here;
  static_files files(here.folder());
  auto plain = files.get("/", "", ""), zipped = files.get("/", "", "br, gzip");
  CHECK(zipped.content().size() < plain.content().size());
  CHECK(zipped.extra.find("Content-Encoding: gzip") != std::string::npos);
  CHECK(plain.extra.find("Vary: Accept-Encoding") != std::string::npos);
  CHECK(zipped.etag != plain.etag);
}

TEST_CASE("a changed file is seen at once") {
  site here;
  static_files files(here.folder());
  auto before = files.get("/", "", "").etag;
  here.put("index.html", "x");
  here.put("www/index.html", "other");
  CHECK(files.get("/", "", "").content() == "other");
  CHECK(files.get("/", "", "").etag != before);
}

TEST_CASE("no path leads out of the folder, and hidden files are not there") {
  site here;
  running_server s({.static_dir = here.folder()});
  for (auto target : {"/../secret.txt",
                      "/assets/../../secret.txt",
                      "/%2e%2e/secret.txt",
                      "/..%2fsecret.txt",
                      "/%2e%2e%2fsecret.txt",
                      "/..\\secret.txt",
                      "/..%5csecret.txt",
                      "/link.txt",
                      "/.hidden",
                      "/%2ehidden",
                      "/assets/./app-1a2b.js",
                      "//etc/passwd",
                      "/./index.html",
                      "/../www-other/secret.txt",
                      "/etc/passwd",
                      "/index.html/",
                      "/assets",
                      "/index.html%20",
                      "/assets/..",
                      "/..",
                      "/.",
                      "http://x/../secret.txt"}) {
    INFO(target);
    raw_socket a(s.server);
    a.send("GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    auto text = a.rest();
    CHECK((text.starts_with("HTTP/1.1 404 ") || text.starts_with("HTTP/1.1 400 ")));
    CHECK(text.find("secret\n") == std::string::npos);
    CHECK(text.find("root:") == std::string::npos);
  }
  raw_socket a(s.server);
  a.send("GET /%69ndex.html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  CHECK(a.rest().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a folder that does not exist yet is served once it does") {
  site here;
  static_files files((here.base / "later").string());
  CHECK(files.get("/", "", "").status == 404);
  fs::create_directories(here.base / "later");
  here.put("later/index.html", "now");
  CHECK(files.get("/", "", "").content() == "now");
}

TEST_CASE("a target is taken apart as the contract says") {
  auto kind = [](std::string_view target) { return find_route(target, default_read_roots).kind; };
  CHECK(kind("/workflows/w/subjects/fixture/r/commands") == route_kind::command);
  CHECK(kind("/workflows/w/subjects/fixture/r/commands:preview") == route_kind::preview);
  CHECK(kind("/workflows/w/subjects/fixture/r/commands/") == route_kind::read);
  CHECK(kind("/workflows/w/subjects/fixture/commands") == route_kind::read);
  CHECK(kind("/workflows") == route_kind::read);
  CHECK(kind("/fixtures?x") == route_kind::read);
  CHECK(kind("/fixturesx") == route_kind::file);
  CHECK(kind("/livez") == route_kind::livez);
  CHECK(kind("/livez/x") == route_kind::file);
  CHECK(kind("/live") == route_kind::live);
  CHECK(kind("/metrics") == route_kind::metrics);
  CHECK(kind("/") == route_kind::file);
  CHECK(kind("?a=b") == route_kind::file);
  CHECK(kind("") == route_kind::bad);
  CHECK(kind("*") == route_kind::bad);
  auto r = find_route("/workflo%77s/a%20b/subjects/fix%74ure/%41/c%6fmmands?q=%7a", default_read_roots);
  CHECK(r.kind == route_kind::command);
  CHECK(r.workflow == "a b");
  CHECK(r.subject_kind == "fixture");
  CHECK(r.ref == "A");
  CHECK(r.query == "q=%7a");
  CHECK(kind("/%66ixtures") == route_kind::read);
  CHECK(kind("/%6civez") == route_kind::livez);
  for (auto bad : {"/fixtures/a%2Ftimeline", "/%2ffixtures", "/fixtures?q=%zz", "/fixtures?q=foot%6", "/%zz", "/a%0"})
    CHECK(kind(bad) == route_kind::bad);
}

TEST_CASE("percent decoding refuses what is cut, no hex, or a control character, for any text") {
  std::string out;
  OMNIUM_PROPERTY("decoding an encoded text gives it back", [](const std::string& text) {
    std::string encoded, decoded;
    bool control = false;
    for (unsigned char c : text) {
      control = control || c < 0x20 || c == 0x7F;
      encoded += '%';
      encoded += "0123456789ABCDEF"[c >> 4];
      encoded += "0123456789abcdef"[c & 15];
    }
    bool good = percent_decode(encoded, decoded);
    RC_ASSERT(good == !control);
    if (good) RC_ASSERT(decoded == text);
  });
  for (auto bad : {"%", "%4", "%4g", "a%", "%%41", "%-1"}) CHECK_FALSE(percent_decode(bad, out));
}
