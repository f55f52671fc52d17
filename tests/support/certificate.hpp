#pragma once
// An authority of the test's own making, and certificates it signs, as files in a folder that goes with it.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string>

namespace omnium::testing {

class authority {
public:
  authority() {
    char name[] = "/tmp/omnium_ca_XXXXXX";
    folder_ = ::mkdtemp(name);
    pair_ = EVP_EC_gen("P-256");
    certificate_ = make("omnium test authority", pair_, "CA:TRUE", NID_basic_constraints);
    write("ca.pem", certificate_);
  }
  ~authority() {
    X509_free(certificate_);
    EVP_PKEY_free(pair_);
    std::filesystem::remove_all(folder_);
  }
  authority(const authority&) = delete;
  authority& operator=(const authority&) = delete;

  std::string file() const { return path("ca.pem"); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // <name>.pem and <name>.key: a certificate for `host`, as openssl writes alternative names ("IP:127.0.0.1",
  // "DNS:a.b").
  void issue(const std::string& name, const std::string& host) const {
    auto* pair = EVP_EC_gen("P-256");
    auto* made = make(name, pair, host, NID_subject_alt_name);
    write(name + ".pem", made);
    auto* out = std::fopen(path(name + ".key").c_str(), "w");
    PEM_write_PrivateKey(out, pair, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(out);
    X509_free(made);
    EVP_PKEY_free(pair);
  }

private:
  X509* make(const std::string& name, EVP_PKEY* pair, const std::string& value, int extension) const {
    auto* made = X509_new();
    X509_set_version(made, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made), std::rand());
    X509_gmtime_adj(X509_getm_notBefore(made), -60);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
    X509_set_pubkey(made, pair);
    auto* subject = X509_get_subject_name(made);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
                               -1, 0);
    X509_set_issuer_name(made, certificate_ == nullptr ? subject : X509_get_subject_name(certificate_));
    auto* more = X509V3_EXT_conf_nid(nullptr, nullptr, extension, value.c_str());
    X509_add_ext(made, more, -1);
    X509_EXTENSION_free(more);
    X509_sign(made, pair_, EVP_sha256());
    return made;
  }
  void write(const std::string& name, X509* what) const {
    auto* out = std::fopen(path(name).c_str(), "w");
    PEM_write_X509(out, what);
    std::fclose(out);
  }

  std::filesystem::path folder_;
  EVP_PKEY* pair_ = nullptr;
  X509* certificate_ = nullptr;
};

} // namespace omnium::testing
