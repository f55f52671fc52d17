#pragma once
// Is this build one with AddressSanitizer? Its times and its memory are the sanitizer's, not the product's: a test that
// bounds them does so in the other build alone.

namespace omnium::testing {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

} // namespace omnium::testing
