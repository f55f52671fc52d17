-- The seed's two trips: one statement that locks the match and reads key and row versions, one call that writes and commits.
-- A pipeline is one trip. Each client owns one match and knows its seq.
\set seq :seq + 1
\startpipeline
BEGIN;
SELECT f.last_seq, c.answer, c.payload_hash, s.text FROM fixture f LEFT JOIN command c ON c.command_id = 't-' || :run::text || '-' || :client_id::text || '-' || :seq::text LEFT JOIN fixture_scoreboard s ON s.fixture_id = f.id WHERE f.id = ('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid FOR NO KEY UPDATE OF f;
\endpipeline
\startpipeline
SELECT compare.write(('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid, :seq::bigint, 't-' || :run::text || '-' || :client_id::text || '-' || :seq::text, :hash::bytea, :answer::text, :input::text, :event::text, :scoreboard::text);
COMMIT;
\endpipeline
