#include "runtime/wire/outgoing.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <stdexcept>

namespace omnium::wire {
namespace {

using kind = net_error::kind;

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  std::string out = text;
  curl_free(text);
  return out;
}

long whole_ms(std::chrono::milliseconds time) { return std::max<long>(1, static_cast<long>(time.count())); }

kind kind_of(CURLcode code, CURL* handle) {
  switch (code) {
  case CURLE_URL_MALFORMAT:
    return kind::bad_url;
  case CURLE_OPERATION_TIMEDOUT: {
    curl_off_t ready = 0;
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &ready);
    return ready == 0 ? kind::connect : kind::deadline;
  }
  case CURLE_GOT_NOTHING:
  case CURLE_RECV_ERROR:
  case CURLE_SEND_ERROR:
  case CURLE_PARTIAL_FILE:
    return kind::closed;
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_WEIRD_SERVER_REPLY:
  case CURLE_WRITE_ERROR:
  case CURLE_BAD_CONTENT_ENCODING:
    return kind::protocol;
  default:
    return kind::connect;
  }
}

} // namespace

std::string http_url::authority() const {
  auto name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (secret ? "443" : "80") ? name : name + ":" + port;
}

std::string http_url::origin() const { return (secret ? "https://" : "http://") + authority(); }

net_error parse_http_url(std::string_view text, http_url& out) {
  net_error bad{kind::bad_url, "not an http[s]://host[:port] address: " + std::string(text)};
  out.secret = text.starts_with("https://");
  if (!out.secret && !text.starts_with("http://")) return bad;
  std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), &curl_url_cleanup);
  if (curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER | CURLU_PATH_AS_IS) !=
      CURLUE_OK)
    return bad;
  out.host = part_of(url.get(), CURLUPART_HOST);
  if (out.host.starts_with('[')) out.host = out.host.substr(1, out.host.size() - 2);
  out.port = part_of(url.get(), CURLUPART_PORT);
  if (out.port.empty()) out.port = out.secret ? "443" : "80";
  out.prefix = part_of(url.get(), CURLUPART_PATH);
  while (out.prefix.ends_with('/')) out.prefix.pop_back();
  return {};
}

curl_handle::curl_handle() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  handle_.reset(curl_easy_init());
  if (!handle_) throw std::runtime_error("libcurl gives no handle");
  said_ = std::make_unique<char[]>(CURL_ERROR_SIZE);
}

void curl_handle::start_over(const tls_trust& trust, std::chrono::milliseconds connect,
                             std::chrono::milliseconds whole) {
  curl_easy_reset(handle_.get());
  said_[0] = '\0';
  set(CURLOPT_ERRORBUFFER, said_.get());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_CONNECTTIMEOUT_MS, whole_ms(std::min(connect, whole)));
  set(CURLOPT_TIMEOUT_MS, whole_ms(whole));
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(CURLOPT_SSL_VERIFYPEER, trust.verify ? 1L : 0L);
  set(CURLOPT_SSL_VERIFYHOST, trust.verify ? 2L : 0L);
  // libcurl looks beside this file into the machine's folder of certificates.
  const char* named = std::getenv("SSL_CERT_FILE");
  if (!trust.ca_file.empty()) set(CURLOPT_CAINFO, trust.ca_file.c_str());
  else if (named != nullptr && *named != '\0') set(CURLOPT_CAINFO, named);
}

net_error curl_handle::perform() { return error_of(curl_easy_perform(handle_.get())); }

net_error curl_handle::error_of(CURLcode code) const {
  if (code == CURLE_OK) return {};
  std::string said = said_[0] != '\0' ? said_.get() : curl_easy_strerror(code);
  // A signature that does not fit is another code of libcurl's than an issuer nobody knows.
  long verified = 0;
  curl_easy_getinfo(handle_.get(), CURLINFO_SSL_VERIFYRESULT, &verified);
  // What comes back in plain text looks to OpenSSL like a record of a version it does not know.
  if (code == CURLE_SSL_CONNECT_ERROR && said.find("wrong version number") != std::string::npos)
    said = "the server does not speak TLS there (an http:// address?): " + said;
  else if (code == CURLE_PEER_FAILED_VERIFICATION || (code == CURLE_SSL_CONNECT_ERROR && verified != 0))
    said = "the server's certificate is not trusted: " + said;
  if (code == CURLE_USE_SSL_FAILED) said = "the server offers no STARTTLS: " + said;
  return {kind_of(code, handle_.get()), said};
}

void curl_lines::add(const std::string& line) {
  auto* longer = curl_slist_append(list_.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  static_cast<void>(list_.release());
  list_.reset(longer);
}

} // namespace omnium::wire
