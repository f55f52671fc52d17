-- The command road's own tables: the log, the note to readers, and every finished command with its answer.

-- The log: one row for each accepted command, numbered per subject without holes, never updated or deleted (the
-- application's role cannot). Its key is the second fence behind last_seq. No foreign key: the writer holds the
-- subject's row already, and the check would cost an eighth of the road.
CREATE TABLE timeline_item (
  stream_id  uuid NOT NULL,                        -- the fixture or competition
  seq        bigint NOT NULL,
  code       text NOT NULL,
  play       boolean NOT NULL,
  input      text NOT NULL,                        -- canonical JSON object
  sender     text NOT NULL,
  key        text NOT NULL,
  at         timestamptz NOT NULL,                 -- when the command was received: the time of the event
  voids      bigint[],                             -- seqs this row makes void; null: none
  replaces   bigint,                               -- seq this row amends
  trace      text NOT NULL,
  PRIMARY KEY (stream_id, seq)
);

-- The outbox. Readers follow (xid, id) below the oldest transaction still running, so a late commit is never skipped
-- (L9); the primary key serves exactly that reader.
CREATE TABLE domain_event (
  id              bigint GENERATED ALWAYS AS IDENTITY,
  xid             xid8 NOT NULL DEFAULT pg_current_xact_id(),
  kind            text NOT NULL,                   -- the command's code
  fixture_id      uuid,                            -- null: an event of the competition itself
  competition_id  uuid,
  seq             bigint NOT NULL,                 -- of the subject: the fixture, where there is one
  payload         text NOT NULL,                   -- JSON {"item", "scoreboard", "prev"}
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (xid, id)
);

-- Every command that was finished, with the exact answer: a retry gets the same bytes (so text, not jsonb, which reorders
-- members). The sender's key is the primary key: the last guard against a second run (C2, L3). Kept 30 days (L13).
CREATE TABLE command (
  command_id    text COLLATE "C" PRIMARY KEY,
  sender        text NOT NULL,
  subject_id    uuid NOT NULL,
  payload_hash  bytea NOT NULL CHECK (octet_length(payload_hash) = 32),
  outcome       text NOT NULL CHECK (outcome IN ('accepted', 'refused')),
  answer        text NOT NULL,
  seq           bigint,                            -- the log row it made; null: refused
  received_at   timestamptz NOT NULL,
  finished_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX command_received ON command USING brin (received_at);

-- Commands that failed with an error, not by a rule's no. Written in a transaction of its own, because the failed one
-- was rolled back.
CREATE TABLE command_failure (
  command_id  text COLLATE "C" PRIMARY KEY,
  attempts    int NOT NULL,
  last_error  text NOT NULL,
  last_at     timestamptz NOT NULL
);
