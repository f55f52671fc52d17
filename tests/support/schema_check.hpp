#pragma once
// Does a JSON text fit a definition of one of our schema files?
#include "runtime/core/simdjson_compat.hpp"

#include <simdjson.h>
#include <string>
#include <string_view>

namespace omnium::testing {

namespace dom = simdjson::dom;

// The part of JSON Schema that our files use. A keyword it does not know is a fault, so that none is passed over.
class schema {
public:
  explicit schema(const std::string& text) : text_(text), root_(parser_.parse(text_)) {}

  // Empty, or where and why `json` does not fit the definition.
  std::string check(const std::string& definition, const std::string& json) {
    dom::parser parser;
    simdjson::padded_string padded(json);
    dom::element value;
    if (parser.parse(padded).get(value) != simdjson::SUCCESS) return "no JSON: " + json;
    return fits(value, root_["definitions"][definition].value(), "");
  }

private:
  using element = dom::element;

  static bool is_type(element value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_int64() || value.is_uint64();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }

  static bool same(element a, element b) { return simdjson::minify(a) == simdjson::minify(b); }

  std::string fits(element value, element rule, const std::string& at) {
    if (!rule.is_object()) return {};
    for (auto [keyword, given] : dom::object(rule)) {
      auto fault = keyword_fits(value, keyword, given, rule, at);
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string keyword_fits(element value, std::string_view keyword, element given, element rule,
                           const std::string& at) {
    auto fault = [&](const std::string& why) { return at + ": " + why + " " + simdjson::minify(value); };
    if (keyword == "description" || keyword == "required" || keyword == "additionalProperties")
      return {}; // with properties
    if (keyword == "$ref") {
      auto name = std::string(std::string_view(given)).substr(std::string_view("#/definitions/").size());
      return fits(value, root_["definitions"][name].value(), at);
    }
    if (keyword == "const") return same(value, given) ? "" : fault("is not the constant");
    if (keyword == "enum")
      return any_of(given, [&](element one) { return same(value, one); }) ? "" : fault("is none of the set");
    if (keyword == "anyOf")
      return any_of(given, [&](element one) { return fits(value, one, at).empty(); }) ? "" : fault("fits no form");
    if (keyword == "type") {
      bool good = given.is_string() ? is_type(value, std::string_view(given))
                                    : any_of(given, [&](element one) { return is_type(value, std::string_view(one)); });
      return good && (!value.is_object() || members_fit(value, rule, at).empty()) ? ""
             : good                                                               ? members_fit(value, rule, at)
                                                                                  : fault("has the wrong type");
    }
    if (keyword == "properties") return {}; // looked at with type
    if (keyword == "items") {
      for (auto one : dom::array(value)) {
        if (auto why = fits(one, given, at + "[]"); !why.empty()) return why;
      }
      return {};
    }
    if (keyword == "minLength")
      return std::string_view(value).size() >= std::uint64_t(given) ? "" : fault("is too short");
    if (keyword == "maxLength")
      return std::string_view(value).size() <= std::uint64_t(given) ? "" : fault("is too long");
    return at + ": unknown keyword " + std::string(keyword);
  }

  template<class Use>
  static bool any_of(element list, Use use) {
    for (auto one : dom::array(list)) {
      if (use(one)) return true;
    }
    return false;
  }

  std::string members_fit(element value, element rule, const std::string& at) {
    element needed, known, more;
    if (rule["required"].get(needed) == simdjson::SUCCESS) {
      for (auto name : dom::array(needed)) {
        element there;
        if (value[std::string_view(name)].get(there) != simdjson::SUCCESS)
          return at + ": no " + std::string(std::string_view(name));
      }
    }
    bool has_known = rule["properties"].get(known) == simdjson::SUCCESS;
    bool has_more = rule["additionalProperties"].get(more) == simdjson::SUCCESS;
    for (auto [name, member] : dom::object(value)) {
      auto place = at + "/" + std::string(name);
      element inner;
      if (has_known && known[name].get(inner) == simdjson::SUCCESS) {
        if (auto why = fits(member, inner, place); !why.empty()) return why;
      } else if (has_more && more.is_bool() && !bool(more)) {
        return place + ": is not known";
      } else if (has_more && more.is_object()) {
        if (auto why = fits(member, more, place); !why.empty()) return why;
      }
    }
    return {};
  }

  simdjson::padded_string text_;
  dom::parser parser_;
  element root_;
};

} // namespace omnium::testing
