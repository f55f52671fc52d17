-- The seed's road, statement by statement (nine between BEGIN and COMMIT, eleven messages and the quick look at the key),
-- with the rows this product writes. Each client owns one match; one command a transaction.
\set seq :seq + 1
SELECT outcome, answer, payload_hash FROM command WHERE command_id = 'n-' || :run::text || '-' || :client_id::text || '-' || :seq::text;
BEGIN;
SELECT last_seq FROM fixture WHERE id = ('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid FOR NO KEY UPDATE \gset
SELECT outcome, answer, payload_hash FROM command WHERE command_id = 'n-' || :run::text || '-' || :client_id::text || '-' || :seq::text;
SELECT changed_seq FROM fixture_competitor WHERE id = ANY (ARRAY['00000000-0000-7000-8000-000000000000'::uuid]);
SAVEPOINT work;
INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, trace) VALUES (('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid, :last_seq::bigint + 1, 'football.shot', false, :input::text, 'bench', 'n-' || :run::text || '-' || :client_id::text || '-' || :seq::text, now(), repeat('a', 32));
INSERT INTO domain_event_row (kind, fixture_id, competition_id, seq, payload) VALUES ('football.shot', ('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid, '00000000-0000-7000-8000-ffffffffffff', :last_seq::bigint + 1, :event::text);
UPDATE fixture SET last_seq = :last_seq::bigint + 1 WHERE id = ('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid;
INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at) VALUES ('n-' || :run::text || '-' || :client_id::text || '-' || :seq::text, 'bench', ('00000000-0000-7000-' || lpad(:run::text, 4, '0') || '-' || lpad(:client_id::text, 12, '0'))::uuid, :hash::bytea, 'accepted', :answer::text, :last_seq::bigint + 1, now());
COMMIT;
