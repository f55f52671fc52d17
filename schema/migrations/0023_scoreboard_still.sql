-- The parts of scoreboards that seldom change (0022_scoreboard_parts.sql), each kept once, so that events can name them instead of
-- holding them: docs/decisions/2026-11-30-events-name-stills.md. Never changed and never deleted, like the log.
CREATE TABLE scoreboard_still (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fixture_id  uuid NOT NULL,
  text        text NOT NULL
);
GRANT SELECT, INSERT ON scoreboard_still TO omnium_app;

-- Of fixture_board.still: the seq since which it stands, and its row above; null: it has none.
ALTER TABLE fixture_board ADD COLUMN still_since bigint NOT NULL DEFAULT 0, ADD COLUMN still_id bigint;
