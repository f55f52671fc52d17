#include "runtime/core/hashing.hpp"
#include "tests/catch.hpp"

using namespace omnium;

TEST_CASE("hashes are those of the standard's examples", "[hashing]") {
  // FIPS 180-4 examples.
  REQUIRE(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  REQUIRE(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  REQUIRE(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST_CASE("a hash of pieces is the hash of the whole", "[hashing]") {
  OMNIUM_PROPERTY("pieces", [](const std::vector<std::string>& pieces) {
    sha256_stream stream;
    std::string whole;
    for (const auto& piece : pieces) {
      stream.update(piece);
      whole += piece;
    }
    RC_ASSERT(stream.finish() == sha256(whole));
  });
}
