-- An event that names the part of its scoreboard that seldom changes (0022_scoreboard_parts.sql) instead of writing it again. A
-- watcher gets each event whole: domain_event is a view now, in which the text stands where it was named, so readers see what
-- they saw, those of a node of the version before included. The decision: docs/decisions/2026-11-30-events-name-stills.md.
ALTER TABLE domain_event RENAME TO domain_event_row;
ALTER TABLE domain_event_row ADD COLUMN still bigint; -- null: payload is whole; else the scoreboard_still at U+001E in it

-- Never changed and never deleted, like the log: some hundred bytes for each closed innings or finished set.
CREATE TABLE scoreboard_still (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fixture_id  uuid NOT NULL,
  text        text NOT NULL
);

-- Of fixture_board.still: the seq since which it stands, and its scoreboard_still; null: it has none.
ALTER TABLE fixture_board ADD COLUMN since bigint NOT NULL DEFAULT 0, ADD COLUMN kept bigint;

-- One whose still is missing has no payload, which the reader reports: it would take an owner's hand.
CREATE VIEW domain_event AS
SELECT e.id, e.xid, e.kind, e.fixture_id, e.competition_id, e.seq,
       CASE WHEN e.still IS NULL THEN e.payload
            ELSE replace(e.payload, E'\x1e', (SELECT s.text FROM scoreboard_still s WHERE s.id = e.still AND s.fixture_id = e.fixture_id))
       END AS payload,
       e.created_at
  FROM domain_event_row e;

-- Who inserts into domain_event inserts a whole one, as before.
ALTER VIEW domain_event ALTER COLUMN xid SET DEFAULT pg_current_xact_id(), ALTER COLUMN created_at SET DEFAULT now();
CREATE FUNCTION domain_event_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO domain_event_row (xid, kind, fixture_id, competition_id, seq, payload, created_at)
  VALUES (NEW.xid, NEW.kind, NEW.fixture_id, NEW.competition_id, NEW.seq, NEW.payload, NEW.created_at) RETURNING id INTO NEW.id;
  RETURN NEW;
END
$$;
CREATE TRIGGER domain_event_insert INSTEAD OF INSERT ON domain_event FOR EACH ROW EXECUTE FUNCTION domain_event_insert();

GRANT SELECT, INSERT, DELETE ON domain_event TO omnium_app;
GRANT SELECT, INSERT ON scoreboard_still TO omnium_app;
