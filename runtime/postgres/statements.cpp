#include "runtime/postgres/statements.hpp"

namespace omnium::pg::statements {

const statement commit{"commit", R"(
  SELECT i, what, last_seq, detail FROM road.commit($1::boolean,
    $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
    $9::int[], $10::text[], $11::text[], $12::bytea[], $13::bigint[], $14::text[], $15::timestamptz[],
    $16::text[], $17::boolean[], $18::text[], $19::text[], $20::bigint[], $21::text[], $22::text[],
    $23::int[], $24::bigint[], $25::text[], $26::text[], $27::text[]))"};

const statement commit_effects{"commit_effects", R"(
  SELECT i, what, last_seq, detail FROM road.commit_effects($1::boolean, $2::uuid, $3::uuid, $4::bigint, $5::bigint, $6::bigint,
    $7::text[], $8::text[], $9::bytea[], $10::bigint[], $11::text[], $12::timestamptz[],
    $13::text[], $14::boolean[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[]))"};

const statement load{"load", "SELECT * FROM road.load($1::boolean, $2::uuid, $3::boolean)"};

const statement find_keys{"find_keys", "SELECT road.find_keys($1::boolean, $2::uuid, $3::boolean, $4::text[])"};

const statement note_failure{"note_failure", R"(
  INSERT INTO command_failure AS f (command_id, attempts, last_error, last_at) VALUES ($1, 1, $2, now())
      ON CONFLICT (command_id) DO UPDATE SET attempts = f.attempts + 1, last_error = excluded.last_error, last_at = excluded.last_at)"};

// An older snapshot never replaces a newer one: another node may have been faster.
const statement save_snapshot{"save_snapshot", R"(
  INSERT INTO match_snapshot AS s (fixture_id, seq, release, fold_hash, state) VALUES ($1::uuid, $2, $3, $4, $5)
      ON CONFLICT (fixture_id) DO UPDATE SET seq = excluded.seq, release = excluded.release, fold_hash = excluded.fold_hash,
         state = excluded.state, saved_at = clock_timestamp()
   WHERE s.seq <= excluded.seq)"};

const statement release_defaults{"release_defaults", R"(
  SELECT d.sport, r.version, d.competition_id FROM release_default d JOIN plugin_release r ON r.id = d.release_id)"};

const statement fixture_seq{"fixture_seq", "SELECT last_seq FROM fixture WHERE id = $1::uuid"};

// Readiness: a primary that takes writes, up to their COMMIT. A read-only server refuses it (25006), a full disk too.
const statement write_check{"write_check", R"(
  INSERT INTO process_beat AS b (node, part, beats, progress, waiting, state, since, beat_at)
  VALUES ('every node', 'readyz', 1, 0, 0, 'ok', now(), now())
      ON CONFLICT (node, part) DO UPDATE SET beats = b.beats + 1, beat_at = now())"};

} // namespace omnium::pg::statements
