-- Caches of what the log says: both can be deleted and are rebuilt.

-- The newest folded state of a match, opaque to SQL. Used only if release and fold hash fit the match's pin.
CREATE TABLE match_snapshot (
  fixture_id  uuid PRIMARY KEY,
  seq         bigint NOT NULL,                     -- the log row it stands at
  release     text NOT NULL,                       -- sport@version
  fold_hash   text NOT NULL,                       -- code_sha of the release that folded it
  state       text NOT NULL,
  saved_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The small public scoreboard, written once per batch and never on the locked fixture row.
CREATE TABLE fixture_scoreboard (
  fixture_id  uuid PRIMARY KEY,
  seq         bigint NOT NULL,
  text        text NOT NULL                        -- JSON object, as the sport made it
) WITH (fillfactor = 50);
