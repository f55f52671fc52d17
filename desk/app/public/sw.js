// Keeps the desk's own files on the device, so that a reload without a network still shows the page, and what waits in
// its outbox. Only the page and its built files: never an answer of the server's.
const store = "omnium-desk";
const isPage = (request) => request.mode === "navigate";
const isBuilt = (url) => url.origin === location.origin && (url.pathname.includes("/assets/") || url.pathname.endsWith("/icon.svg"));
const page = new URL("./", location.href).href; // one page for every address: a token in an address is never kept

async function keepPage(reply) {
  const cache = await caches.open(store);
  const html = await reply.clone().text();
  await cache.put(page, reply);
  const wanted = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => new URL(found[1], page).href);
  await Promise.all(wanted.map(async (url) => (await cache.match(url)) ?? cache.add(url)));
  const kept = new Set(wanted);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (/\.(js|css)$/.test(pathname) && !kept.has(request.url)) await cache.delete(request); // of an earlier build
  }
}

async function freshPage(request) {
  try {
    const reply = await fetch(request);
    if (reply.ok) await keepPage(reply.clone()).catch(() => undefined);
    return reply;
  } catch (error) {
    const kept = await (await caches.open(store)).match(page);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function builtFile(request) {
  const cache = await caches.open(store);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(request, reply.clone());
  return reply;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fetch(page).then((reply) => reply.ok && keepPage(reply)).catch(() => undefined));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (isPage(event.request) && url.pathname === new URL(page).pathname) event.respondWith(freshPage(event.request));
  else if (isBuilt(url)) event.respondWith(builtFile(event.request));
});
