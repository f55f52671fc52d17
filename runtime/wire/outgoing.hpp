#pragma once
// What every client of ours shares that goes out over the network: addresses, whom to believe under TLS, errors as
// values, and a libcurl handle set up so. Names, deadlines, TLS, HTTP and SMTP are libcurl's. Owned by one thread.
#include <chrono>
#include <cstdint>
#include <curl/curl.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace omnium::wire {

struct net_error {
  enum class kind : std::uint8_t {
    none,
    bad_url,  // the address is not http[s]://host[:port]; nothing was sent
    connect,  // no connection; nothing was sent
    deadline, // the deadline passed; the request may have been carried out
    closed,   // the peer closed or reset; the request may have been carried out
    protocol, // the peer sent what is not HTTP, or more than the bound
  } what = kind::none;
  std::string message; // one sentence for a person
  explicit operator bool() const { return what != kind::none; }
};

// http[s]://host:port/prefix taken apart. IPv6 hosts stand without their brackets.
struct http_url {
  std::string host, port, prefix;
  bool secret = false;           // https
  std::string authority() const; // for the Host header
  std::string origin() const;    // scheme://authority
};
net_error parse_http_url(std::string_view text, http_url& out);

// Whom to believe under TLS.
struct tls_trust {
  bool verify = true;  // the peer's certificate must be of its host, and lead to one that is trusted
  std::string ca_file; // certificates (PEM) to trust beside this machine's (or SSL_CERT_FILE's); empty: those alone
};

// One libcurl handle. What it connects to goes through no proxy, takes no signals and is told apart by `trust` alone.
class curl_handle {
public:
  curl_handle();
  // Forgets all settings but these; connections are kept.
  void start_over(const tls_trust& trust, std::chrono::milliseconds connect, std::chrono::milliseconds whole);
  template<class T>
  void set(CURLoption option, T value) {
    curl_easy_setopt(handle_.get(), option, value);
  }
  net_error perform();
  // An error of one of libcurl's calls on this handle.
  net_error error_of(CURLcode code) const;
  CURL* get() const { return handle_.get(); }

private:
  struct cleanup {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  std::unique_ptr<CURL, cleanup> handle_;
  std::unique_ptr<char[]> said_; // the last error in libcurl's words; stays where it is when the handle is moved
};

// A list for libcurl: header lines, recipients.
class curl_lines {
public:
  void add(const std::string& line);
  curl_slist* get() const { return list_.get(); }

private:
  struct cleanup {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  std::unique_ptr<curl_slist, cleanup> list_;
};

} // namespace omnium::wire
