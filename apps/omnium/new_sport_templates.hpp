#pragma once
// The files that `omnium new-sport` writes, as text: @name@ and @label@ stand for the sport's own,
// @include@ for #include (so that no include of these texts is taken for one of this file).
#include <span>
#include <string_view>

namespace omnium::apps {

struct sport_template {
  std::string_view path, text;
};
std::span<const sport_template> sport_templates();

} // namespace omnium::apps
