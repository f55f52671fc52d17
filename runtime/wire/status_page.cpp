#include "runtime/wire/static_files.hpp"

namespace omnium::wire {

std::string_view status_page() {
  return R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Omnium</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow: auto; padding: .75rem; border: 1px solid #8888; border-radius: .4rem; }
  table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #8884 }
</style>
<h1>Omnium</h1>
<p>The server is up. No desk is installed here (<code>http.static_dir</code> is empty).</p>
<h2>Ready?</h2>
<pre id="ready">asking…</pre>
<h2>Matches</h2>
<table><thead><tr><th>sport<th>status<th>version<th>id</tr></thead><tbody id="fixtures"></tbody></table>
<p><a href="/sports">sports</a> · <a href="/competitions">competitions</a> · <a href="/fixtures">fixtures</a> ·
   <a href="/readyz">readyz</a> · <a href="/metrics">metrics</a></p>
<script>
  const cell = (row, text) => row.insertCell().textContent = text ?? '';
  fetch('/readyz').then(async r => ready.textContent = r.status + ' ' + await r.text()).catch(e => ready.textContent = e);
  fetch('/fixtures?limit=50').then(r => r.json()).then(list => {
    for (const f of list.fixtures ?? list.items ?? []) {
      const row = fixtures.insertRow();
      cell(row, f.sport); cell(row, f.status); cell(row, f.version);
      const link = document.createElement('a');
      link.href = '/fixtures/' + encodeURIComponent(f.id); link.textContent = f.id;
      row.insertCell().append(link);
    }
  }).catch(() => {});
</script>
</html>
)html";
}

} // namespace omnium::wire
