-- A scoreboard in three parts, so that a ball writes what it changed. Postgres' log of an update on the same page leaves out
-- what the old and the new row have in common at their beginning and at their end: what seldom changes (the closed innings,
-- the finished sets: the middle of the text) stands first, then what every ball changes. The text is front || still || back.
-- Readers find it where it was: fixture_scoreboard is the three parts as one text.
ALTER TABLE fixture_scoreboard RENAME TO fixture_scoreboard_before;

-- The small public scoreboard, written once per batch and never on the locked fixture row. Half of a page is left free for
-- the row's next versions: on another page the whole of it would be written.
CREATE TABLE fixture_board (
  fixture_id  uuid PRIMARY KEY,
  still       text NOT NULL DEFAULT '',
  seq         bigint NOT NULL,
  front       text NOT NULL,
  back        text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- Rows get their parts with their match's next command.
INSERT INTO fixture_board (fixture_id, seq, front) SELECT fixture_id, seq, text FROM fixture_scoreboard_before;
DROP TABLE fixture_scoreboard_before;

CREATE VIEW fixture_scoreboard AS
SELECT fixture_id, seq, front || still || back AS text   -- JSON object, as the sport made it
  FROM fixture_board;

GRANT SELECT, INSERT, UPDATE ON fixture_board TO omnium_app;
GRANT SELECT ON fixture_scoreboard TO omnium_app;
