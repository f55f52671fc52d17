-- The second trip of the seed's two-trip road: all writes of one command.
CREATE SCHEMA IF NOT EXISTS compare;
CREATE OR REPLACE FUNCTION compare.write(p_id uuid, p_seq bigint, p_key text, p_hash bytea, p_answer text, p_input text, p_event text, p_scoreboard text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, trace)
  VALUES (p_id, p_seq, 'football.shot', false, p_input, 'bench', p_key, now(), repeat('a', 32));
  INSERT INTO domain_event_row (kind, fixture_id, competition_id, seq, payload)
  VALUES ('football.shot', p_id, '00000000-0000-7000-8000-ffffffffffff', p_seq, p_event);
  UPDATE fixture SET last_seq = p_seq WHERE id = p_id;
  INSERT INTO fixture_board (fixture_id, seq, front) VALUES (p_id, p_seq, p_scoreboard)
      ON CONFLICT (fixture_id) DO UPDATE SET seq = excluded.seq, front = excluded.front;
  INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at)
  VALUES (p_key, 'bench', p_id, p_hash, 'accepted', p_answer, p_seq, now());
END
$$;
