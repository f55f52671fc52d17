-- An event that names the part of its scoreboard that stands still instead of holding it. Whoever reads domain_event gets each event
-- whole: it is a view now, in which the text stands where it was named. A migration of its own: a command takes the locks of
-- events and scoreboards in either order, and a transaction with both would meet it.
ALTER TABLE domain_event RENAME TO domain_event_row;
ALTER TABLE domain_event_row ADD COLUMN still_id bigint; -- null: payload is whole; else that scoreboard_still at U+001E in it

-- One whose still is missing has no payload, which the reader reports: it would take an owner's hand.
CREATE VIEW domain_event AS
SELECT e.id, e.xid, e.kind, e.fixture_id, e.competition_id, e.seq,
       CASE WHEN e.still_id IS NULL THEN e.payload
            ELSE replace(e.payload, E'\x1e', (SELECT s.text FROM scoreboard_still s WHERE s.id = e.still_id))
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
