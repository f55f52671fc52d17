-- The road in SQL: what must happen between "the rules said yes" and COMMIT, in one call.
--
-- road.commit writes the batches of one or many matches; road.commit_effects those of one subject whose commands also
-- change rows of other tables. Both are called in autocommit, so the call is the transaction and its answer is the COMMIT:
-- one round trip. Every subject stands for itself: all rows of a clean one are written, none of any other.
-- What is answered for each subject (`what`):
--   committed   written; last_seq is the batch's
--   stale       the fence found another last_seq; detail = the log rows since, a JSON array
--   seen        a key of the batch is already finished; detail = those command rows, a JSON array
--   busy        another session holds the row (only with p_wait false)
--   no_subject  no such row
--   rejected    an effect met a constraint; detail = the constraint's name (or the SQLSTATE): a person's mistake
--
-- Functions stay VOLATILE: each of their statements sees what was committed before it began. That is what makes "lock, then
-- look the keys up in the next statement" right; one statement that locks and reads other tables would show them as they
-- were before it waited.

CREATE SCHEMA IF NOT EXISTS road;
GRANT USAGE ON SCHEMA road TO omnium_app;

-- Log rows after a seq as a JSON array, in seq order.
CREATE OR REPLACE FUNCTION road.log_after(p_stream uuid, p_after bigint) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT '[' || coalesce(string_agg(json_build_object(
           'seq', t.seq, 'code', t.code, 'play', t.play, 'input', t.input, 'sender', t.sender, 'key', t.key,
           'at', to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'voids', t.voids, 'replaces', t.replaces, 'trace', t.trace)::text, ',' ORDER BY t.seq), '') || ']'
    FROM timeline_item t
   WHERE t.stream_id = p_stream AND t.seq > p_after
$$;

-- Finished commands among p_keys as a JSON array; null: none.
CREATE OR REPLACE FUNCTION road.seen(p_keys text[]) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT json_agg(json_build_object('key', c.command_id, 'hash', encode(c.payload_hash, 'hex'),
                                    'subject', c.subject_id, 'answer', c.answer))::text
    FROM command c
   WHERE c.command_id = ANY (p_keys)
$$;

-- Matches (m_…): id, competition, the fence, last_seq and last_play after the batch, status and scoreboard (null: as it is).
-- Commands (c_…): c_m = index of the match from 1; c_seq null: refused by a rule, so only its command row is written.
-- Snapshots (s_…): s_m likewise.
CREATE OR REPLACE FUNCTION road.commit(
  p_wait boolean,
  m_id uuid[], m_competition uuid[], m_expected bigint[], m_last bigint[], m_play bigint[], m_status text[], m_scoreboard text[],
  c_m int[], c_key text[], c_sender text[], c_hash bytea[], c_seq bigint[], c_answer text[], c_received timestamptz[],
  c_code text[], c_play boolean[], c_input text[], c_voids text[], c_replaces bigint[], c_trace text[], c_event text[],
  s_m int[], s_seq bigint[], s_release text[], s_hash text[], s_state text[])
RETURNS TABLE (i int, what text, last_seq bigint, detail text)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  v_id uuid[];
  v_seq bigint[];
  v_seen int[];
  v_ok int[];
BEGIN
  -- The lock, in id order (L1, L2). Its last_seq is that of the locked row, also after a wait.
  IF p_wait THEN
    SELECT array_agg(l.id), array_agg(l.last_seq) INTO v_id, v_seq
      FROM (SELECT f.id, f.last_seq FROM fixture f WHERE f.id = ANY (m_id) ORDER BY f.id FOR NO KEY UPDATE) l;
  ELSE
    SELECT array_agg(l.id), array_agg(l.last_seq) INTO v_id, v_seq
      FROM (SELECT f.id, f.last_seq FROM fixture f WHERE f.id = ANY (m_id) ORDER BY f.id FOR NO KEY UPDATE SKIP LOCKED) l;
  END IF;

  -- The key re-check, under the lock, in a statement of its own.
  SELECT array_agg(DISTINCT c_m[k.n]) INTO v_seen
    FROM unnest(c_key) WITH ORDINALITY k(key, n) JOIN command c ON c.command_id = k.key;

  -- The fence.
  SELECT array_agg(m.n::int) INTO v_ok
    FROM unnest(m_id, m_expected) WITH ORDINALITY m(id, expected, n)
    JOIN unnest(v_id, v_seq) l(id, seq) ON l.id = m.id AND l.seq = m.expected
   WHERE v_seen IS NULL OR m.n <> ALL (v_seen);

  IF v_ok IS NOT NULL THEN
    INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at)
    SELECT c.key, c.sender, m_id[c.m], c.hash, CASE WHEN c.seq IS NULL THEN 'refused' ELSE 'accepted' END, c.answer, c.seq, c.received
      FROM unnest(c_m, c_key, c_sender, c_hash, c_answer, c_seq, c_received) c(m, key, sender, hash, answer, seq, received)
     WHERE c.m = ANY (v_ok);

    INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, voids, replaces, trace)
    SELECT m_id[c.m], c.seq, c.code, c.play, c.input, c.sender, c.key, c.received, c.voids::bigint[], c.replaces, c.trace
      FROM unnest(c_m, c_seq, c_code, c_play, c_input, c_sender, c_key, c_received, c_voids, c_replaces, c_trace)
           c(m, seq, code, play, input, sender, key, received, voids, replaces, trace)
     WHERE c.seq IS NOT NULL AND c.m = ANY (v_ok);

    INSERT INTO domain_event (kind, fixture_id, competition_id, seq, payload)
    SELECT c.code, m_id[c.m], m_competition[c.m], c.seq, c.event
      FROM unnest(c_m, c_seq, c_code, c_event) WITH ORDINALITY c(m, seq, code, event, n)
     WHERE c.seq IS NOT NULL AND c.m = ANY (v_ok)
     ORDER BY c.n;

    UPDATE fixture f
       SET last_seq = m.last, last_play = m.play, status = coalesce(m.status, f.status)
      FROM unnest(m_id, m_last, m_play, m_status, m_expected) WITH ORDINALITY m(id, last, play, status, expected, n)
     WHERE f.id = m.id AND m.last > m.expected AND m.n = ANY (v_ok);

    INSERT INTO fixture_scoreboard AS s (fixture_id, seq, text)
    SELECT m.id, m.last, m.scoreboard
      FROM unnest(m_id, m_last, m_scoreboard) WITH ORDINALITY m(id, last, scoreboard, n)
     WHERE m.scoreboard IS NOT NULL AND m.n = ANY (v_ok)
        ON CONFLICT (fixture_id) DO UPDATE SET seq = excluded.seq, text = excluded.text;

    IF cardinality(s_m) > 0 THEN
      INSERT INTO match_snapshot (fixture_id, seq, release, fold_hash, state)
      SELECT m_id[s.m], s.seq, s.release, s.hash, s.state
        FROM unnest(s_m, s_seq, s_release, s_hash, s_state) s(m, seq, release, hash, state)
       WHERE s.m = ANY (v_ok)
          ON CONFLICT (fixture_id) DO UPDATE
         SET seq = excluded.seq, release = excluded.release, fold_hash = excluded.fold_hash, state = excluded.state, saved_at = clock_timestamp();
    END IF;

    IF cardinality(v_ok) = cardinality(m_id) THEN
      RETURN QUERY SELECT n, 'committed'::text, m_last[n], NULL::text FROM generate_subscripts(m_id, 1) n;
      RETURN;
    END IF;
  END IF;

  RETURN QUERY
  SELECT m.n::int,
         CASE WHEN m.n = ANY (v_ok) THEN 'committed'
              WHEN m.n = ANY (v_seen) THEN 'seen'
              WHEN l.id IS NOT NULL THEN 'stale'
              WHEN NOT p_wait AND EXISTS (SELECT FROM fixture f WHERE f.id = m.id) THEN 'busy'
              ELSE 'no_subject' END,
         coalesce(CASE WHEN m.n = ANY (v_ok) THEN m_last[m.n] ELSE l.seq END, 0),
         CASE WHEN m.n = ANY (v_ok) THEN NULL
              WHEN m.n = ANY (v_seen) THEN road.seen((SELECT array_agg(k.key) FROM unnest(c_key, c_m) k(key, m) WHERE k.m = m.n))
              WHEN l.id IS NOT NULL THEN road.log_after(m.id, m.expected) END
    FROM unnest(m_id, m_expected) WITH ORDINALITY m(id, expected, n)
    LEFT JOIN unnest(v_id, v_seq) l(id, seq) ON l.id = m.id;
END
$$;

-- One effect of a command of workflow games, in the transaction of its log row. Data: runtime/road/games.cpp.
CREATE OR REPLACE FUNCTION road.apply_effect(p_subject uuid, p_kind text, p_data jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF p_kind = 'create_participant' THEN
    INSERT INTO participant (id, competition_id, name, type)
    VALUES ((p_data->>'id')::uuid, p_subject, p_data->>'name', p_data->>'type');
  ELSIF p_kind = 'create_fixture' THEN
    INSERT INTO subject (id, kind) VALUES ((p_data->>'id')::uuid, 'fixture');
    INSERT INTO plugin_release (sport, version, code_sha)
    VALUES (p_data->>'sport', p_data->>'release', p_data->>'code_sha') ON CONFLICT DO NOTHING;
    INSERT INTO fixture (id, competition_id, sport, release, release_id, starts_at, settings)
    VALUES ((p_data->>'id')::uuid, p_subject, p_data->>'sport', p_data->>'release',
            (SELECT r.id FROM plugin_release r WHERE r.sport = p_data->>'sport' AND r.version = p_data->>'release'),
            (p_data->>'starts_at')::timestamptz, (p_data->'settings')::text);
    INSERT INTO fixture_competitor (id, fixture_id, side, participant_id, name, short, colour)
    SELECT (s.row->>'id')::uuid, (p_data->>'id')::uuid, s.side, (s.row->>'participant')::uuid, s.row->>'name', s.row->>'short', s.row->>'colour'
      FROM (VALUES ('home', p_data->'home'), ('away', p_data->'away')) s(side, row);
  ELSIF p_kind = 'edit_competitor' THEN
    UPDATE fixture_competitor c
       SET name = coalesce(p_data->>'name', c.name), short = coalesce(p_data->>'short', c.short),
           colour = coalesce(p_data->>'colour', c.colour), changed_seq = (p_data->>'changed_seq')::bigint
     WHERE c.id = (p_data->>'row')::uuid AND c.fixture_id = p_subject;
  ELSIF p_kind <> 'create_competition' THEN
    RAISE EXCEPTION 'unknown effect %', p_kind;
  END IF;
END
$$;

-- One subject (a competition, or a match whose commands edit rows): as road.commit, with effects. The inner block is undone
-- when the batch is not clean, so that a competition is never created without its log row.
CREATE OR REPLACE FUNCTION road.commit_effects(
  p_competition boolean, p_id uuid, p_parent uuid, p_expected bigint, p_last bigint, p_play bigint,
  c_key text[], c_sender text[], c_hash bytea[], c_seq bigint[], c_answer text[], c_received timestamptz[],
  c_code text[], c_play boolean[], c_input text[], c_trace text[], c_event text[],
  e_kind text[], e_data text[])
RETURNS TABLE (i int, what text, last_seq bigint, detail text)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_variable
DECLARE
  v_seq bigint;
  v_what text;
  v_detail text;
  v_constraint text;
  v_state text;
BEGIN
  BEGIN
    IF e_kind[1] = 'create_competition' THEN
      INSERT INTO subject (id, kind) VALUES (p_id, 'competition') ON CONFLICT DO NOTHING;
      INSERT INTO competition AS c (id, name, sport, settings)
      SELECT p_id, d->>'name', d->>'sport', (d->'settings')::text
        FROM (SELECT e_data[1]::jsonb d) x
       WHERE EXISTS (SELECT FROM subject s WHERE s.id = p_id AND s.kind = 'competition')
          ON CONFLICT DO NOTHING;
    END IF;
    IF p_competition THEN
      SELECT c.last_seq INTO v_seq FROM competition c WHERE c.id = p_id FOR NO KEY UPDATE;
    ELSE
      SELECT f.last_seq INTO v_seq FROM fixture f WHERE f.id = p_id FOR NO KEY UPDATE;
    END IF;
    v_detail := road.seen(c_key);
    v_what := CASE WHEN v_seq IS NULL THEN 'no_subject' WHEN v_detail IS NOT NULL THEN 'seen' WHEN v_seq <> p_expected THEN 'stale' ELSE 'committed' END;
    IF v_what <> 'committed' THEN
      RAISE EXCEPTION USING ERRCODE = 'OM001';
    END IF;
    PERFORM road.apply_effect(p_id, e.kind, e.data::jsonb) FROM unnest(e_kind, e_data) WITH ORDINALITY e(kind, data, n);
    INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at)
    SELECT c.key, c.sender, p_id, c.hash, CASE WHEN c.seq IS NULL THEN 'refused' ELSE 'accepted' END, c.answer, c.seq, c.received
      FROM unnest(c_key, c_sender, c_hash, c_answer, c_seq, c_received) c(key, sender, hash, answer, seq, received);
    INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, trace)
    SELECT p_id, c.seq, c.code, c.play, c.input, c.sender, c.key, c.received, c.trace
      FROM unnest(c_seq, c_code, c_play, c_input, c_sender, c_key, c_received, c_trace) c(seq, code, play, input, sender, key, received, trace)
     WHERE c.seq IS NOT NULL;
    INSERT INTO domain_event (kind, fixture_id, competition_id, seq, payload)
    SELECT c.code, CASE WHEN p_competition THEN NULL ELSE p_id END, CASE WHEN p_competition THEN p_id ELSE p_parent END, c.seq, c.event
      FROM unnest(c_seq, c_code, c_event) c(seq, code, event)
     WHERE c.seq IS NOT NULL
     ORDER BY c.seq;
    IF p_competition THEN
      UPDATE competition c SET last_seq = p_last, last_play = p_play WHERE c.id = p_id AND p_last > p_expected;
    ELSE
      UPDATE fixture f SET last_seq = p_last, last_play = p_play WHERE f.id = p_id AND p_last > p_expected;
      UPDATE fixture_scoreboard s SET seq = p_last WHERE s.fixture_id = p_id;
    END IF;
    v_seq := p_last;
    v_detail := NULL;
  EXCEPTION
    WHEN SQLSTATE 'OM001' THEN
      NULL;   -- v_what says which it was
    WHEN integrity_constraint_violation OR datetime_field_overflow OR invalid_datetime_format THEN
      GET STACKED DIAGNOSTICS v_constraint = CONSTRAINT_NAME, v_state = RETURNED_SQLSTATE;
      IF v_constraint = 'command_pkey' THEN
        v_what := 'seen';   -- the same key on another subject, committed while we were at it
        v_detail := road.seen(c_key);
      ELSE
        v_what := 'rejected';
        v_detail := coalesce(nullif(v_constraint, ''), v_state);
      END IF;
  END;
  IF v_what = 'stale' THEN
    v_detail := road.log_after(p_id, p_expected);
  END IF;
  RETURN QUERY SELECT 1, v_what, coalesce(v_seq, 0), v_detail;
END
$$;

-- What an actor needs to stand, as one statement sees it: head, the newest snapshot (unless p_whole) and the log after it.
CREATE OR REPLACE FUNCTION road.load(p_competition boolean, p_id uuid, p_whole boolean)
RETURNS TABLE (competition uuid, last_seq bigint, last_play bigint, status text, sport text, release text, code_sha text, settings text,
               rows text, snap_seq bigint, snap_release text, snap_hash text, snap_state text, log text)
LANGUAGE sql STABLE AS $$
  SELECT f.competition_id, f.last_seq, f.last_play, f.status, f.sport, f.release, r.code_sha, f.settings,
         (SELECT json_agg(json_build_object('id', c.id, 'side', c.side, 'changed_seq', c.changed_seq,
                          'json', json_build_object('row', c.id, 'side', c.side, 'name', c.name, 'short', c.short, 'colour', c.colour,
                                                    'participant', c.participant_id, 'changed_seq', c.changed_seq)::text) ORDER BY c.id)::text
            FROM fixture_competitor c WHERE c.fixture_id = f.id),
         s.seq, s.release, s.fold_hash, s.state, road.log_after(f.id, coalesce(s.seq, 0))
    FROM fixture f
    LEFT JOIN plugin_release r ON r.id = f.release_id
    LEFT JOIN match_snapshot s ON s.fixture_id = f.id AND NOT p_whole AND s.seq <= f.last_seq
   WHERE NOT p_competition AND f.id = p_id
  UNION ALL
  SELECT c.id, c.last_seq, c.last_play, '', '', '', '', c.settings, NULL, NULL, NULL, NULL, NULL,
         CASE WHEN p_whole THEN road.log_after(c.id, 0) ELSE '[]' END
    FROM competition c
   WHERE p_competition AND c.id = p_id
$$;

-- Keys looked up while the subject's row is locked: a transaction that may still commit them is waited for first.
CREATE OR REPLACE FUNCTION road.find_keys(p_competition boolean, p_id uuid, p_lock boolean, p_keys text[]) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF p_lock AND p_competition THEN
    PERFORM 1 FROM competition c WHERE c.id = p_id FOR NO KEY UPDATE;
  ELSIF p_lock THEN
    PERFORM 1 FROM fixture f WHERE f.id = p_id FOR NO KEY UPDATE;
  END IF;
  RETURN road.seen(p_keys);
END
$$;
