-- domain_event by months, so that a month that nobody needs any more is dropped whole, in milliseconds, instead of deleted
-- row by row. What falls into no month that was made ahead goes into domain_event_other, and is deleted in batches:
-- a janitor that did not run for months never stops a command.
ALTER TABLE domain_event RENAME TO domain_event_before;
ALTER TABLE domain_event_before RENAME CONSTRAINT domain_event_pkey TO domain_event_before_pkey;

CREATE TABLE domain_event (
  id              bigint GENERATED ALWAYS AS IDENTITY,
  xid             xid8 NOT NULL DEFAULT pg_current_xact_id(),
  kind            text NOT NULL,                   -- the command's code
  fixture_id      uuid,                            -- null: an event of the competition itself
  competition_id  uuid,
  seq             bigint NOT NULL,                 -- of the subject: the fixture, where there is one
  payload         text NOT NULL,                   -- JSON {"item", "scoreboard", "prev"}
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (xid, id, created_at)                -- readers go by (xid, id); the month must be part of the key
) PARTITION BY RANGE (created_at);
CREATE TABLE domain_event_other PARTITION OF domain_event DEFAULT;

INSERT INTO domain_event (id, xid, kind, fixture_id, competition_id, seq, payload, created_at) OVERRIDING SYSTEM VALUE
SELECT id, xid, kind, fixture_id, competition_id, seq, payload, created_at FROM domain_event_before;
SELECT setval(pg_get_serial_sequence('domain_event', 'id'), greatest((SELECT max(id) FROM domain_event), 1));
DROP TABLE domain_event_before;

GRANT SELECT, INSERT, DELETE ON domain_event TO omnium_app;
GRANT SELECT, DELETE ON domain_event_other TO omnium_app;
