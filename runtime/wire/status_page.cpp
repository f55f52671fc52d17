#include "runtime/wire/static_files.hpp"

namespace omnium::wire {

// Plain, without a script: what needs a token is not asked for here.
std::string_view status_page() {
  return R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Omnium</title>
<h1>Omnium</h1>
<p>The server is up. No desk is installed here (<code>http.static_dir</code> is empty).</p>
<p><a href="/livez">livez</a> · <a href="/readyz">readyz</a> · <a href="/metrics">metrics</a></p>
<p>Everything else needs a token: <code>omnium ctl --help</code> says how to ask from here.</p>
</html>
)html";
}

} // namespace omnium::wire
