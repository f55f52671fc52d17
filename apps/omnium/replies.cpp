#include "apps/omnium/replies.hpp"

#include "runtime/wire/http_reply.hpp"

#include <memory>
#include <utility>

namespace omnium::apps {

wire::read_reply ok(std::string body) {
  wire::read_reply out;
  out.body = std::move(body);
  return out;
}

wire::read_reply problem(int status, std::string_view detail) {
  auto whole = wire::problem(status, detail);
  return {whole.status, std::move(whole.content_type), {}, std::move(whole.body)};
}

wire::read_reply unavailable() { return problem(503, "The database is not available."); }

void reply_from(pg::executor& pool, database_work work, reply_fn done, database_error refused) {
  auto shared = std::make_shared<reply_fn>(std::move(done));
  bool taken = pool.submit([work = std::move(work), refused = std::move(refused), shared](pg::session& mine) {
    wire::read_reply out;
    auto error = mine.run([&](pg::session::door& door) { out = work(door); });
    if (error) {
      out = refused ? refused(error) : wire::read_reply{.status = 0};
      if (out.status == 0) out = unavailable();
    }
    (*shared)(std::move(out));
  });
  if (!taken) (*shared)(problem(503, "Too many reads wait; ask again a little later."));
}

} // namespace omnium::apps
