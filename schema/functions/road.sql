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

-- Whether the still part of a scoreboard is worth a row of its own, to be named by the events to come: it is long, and has stood for
-- some events. A list that grows with every event never has.
CREATE OR REPLACE FUNCTION road.still_is_due(p_still text, p_events bigint, p_id bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT p_id IS NULL AND p_events >= 8 AND octet_length(p_still) >= 128 $$;

CREATE OR REPLACE FUNCTION road.keep_stills(p_fixtures uuid[]) RETURNS void
LANGUAGE sql VOLATILE AS $$
  WITH k AS (INSERT INTO scoreboard_still (fixture_id, text)
             SELECT b.fixture_id, b.still FROM fixture_board b WHERE b.fixture_id = ANY (p_fixtures) RETURNING id, fixture_id)
  UPDATE fixture_board b SET still_id = k.id FROM k WHERE b.fixture_id = k.fixture_id AND b.fixture_id = ANY (p_fixtures)
$$;

-- An event as its row holds it: without its still part where that has an id.
CREATE OR REPLACE FUNCTION road.event_payload(p_event text, p_still_id bigint) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_still_id IS NULL THEN replace(p_event, E'\x1e', '')
              ELSE split_part(p_event, E'\x1e', 1) || E'\x1e' || split_part(p_event, E'\x1e', 3) END
$$;

-- Matches (m_…), ids ascending: id, competition, the fence, last_seq and last_play after the batch, status (null: as it is) and
-- scoreboard (null: as it is). Before and behind the part of it that seldom changes stands U+001E, or nowhere: then it is one part.
-- Commands (c_…): c_m = index of the match from 1; c_seq null: refused by a rule, so only its command row is written. c_event has
-- U+001E before and behind the same part of its scoreboard, or nowhere.
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
  n int := cardinality(m_id);
  v_id uuid[];       -- the rows locked
  v_seq bigint[];    -- and their last_seq
  v_keys text[];     -- the keys found finished
  v_ok boolean[];    -- by match: clean; null: none is
  v_seen boolean[];  -- by match: a key of it is finished
  v_part text[];         -- of the one match's scoreboard: front, still, back
  v_still_id bigint;     -- of the still part; null: it has none
  v_still_of uuid[];     -- of several matches: whose has one,
  v_still_ids bigint[];  -- and which
  v_due uuid[];          -- matches whose still part has stood long enough to be kept
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
  SELECT array_agg(c.command_id) INTO v_keys FROM command c WHERE c.command_id = ANY (c_key);

  -- The fence. As a rule every match is clean, and the arrays say so without a look at each (m_id is ascending).
  IF v_keys IS NULL AND v_id = m_id AND v_seq = m_expected THEN
    v_ok := array_fill(true, ARRAY[n]);
  ELSE
    v_seen := array_fill(false, ARRAY[n]);
    FOR k IN 1..cardinality(c_key) LOOP
      IF c_key[k] = ANY (v_keys) THEN v_seen[c_m[k]] := true; END IF;
    END LOOP;
    FOR k IN 1..n LOOP
      v_ok[k] := NOT v_seen[k] AND coalesce(v_seq[array_position(v_id, m_id[k])] = m_expected[k], false);
    END LOOP;
    IF NOT true = ANY (v_ok) THEN v_ok := NULL; END IF;
  END IF;

  -- The rows. One command goes by values; several by arrays side by side: unnest in the select list copies less than
  -- unnest in FROM, and tables are found by "= ANY (key)" or ON CONFLICT, never by a join whose order a plan could turn.
  -- Rows keep the arrays' order, so that a match's events have ascending ids.
  IF v_ok IS NOT NULL THEN
    IF cardinality(c_key) = 1 AND n = 1 THEN
      INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at)
      VALUES (c_key[1], c_sender[1], m_id[1], c_hash[1],
              CASE WHEN c_seq[1] IS NULL THEN 'refused' ELSE 'accepted' END, c_answer[1], c_seq[1], c_received[1]);
      IF c_seq[1] IS NOT NULL THEN
        INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, voids, replaces, trace)
        VALUES (m_id[1], c_seq[1], c_code[1], c_play[1], c_input[1], c_sender[1], c_key[1], c_received[1],
                c_voids[1]::bigint[], c_replaces[1], c_trace[1]);
        UPDATE fixture SET last_seq = m_last[1], last_play = m_play[1], status = coalesce(m_status[1], status)
         WHERE id = m_id[1];
      END IF;
      IF m_scoreboard[1] IS NOT NULL THEN
        -- Not ON CONFLICT, which writes a record for its lock: it has a row as a rule. Many in a call are faster with it.
        v_part := string_to_array(m_scoreboard[1], E'\x1e');
        v_part[2] := coalesce(v_part[2], '');
        v_part[3] := coalesce(v_part[3], '');
        UPDATE fixture_board
           SET still = v_part[2], seq = m_last[1], front = v_part[1], back = v_part[3],
               still_since = CASE WHEN still = v_part[2] THEN still_since ELSE m_last[1] END,
               still_id = CASE WHEN still = v_part[2] THEN still_id END
         WHERE fixture_id = m_id[1]
        RETURNING still_id, CASE WHEN road.still_is_due(still, seq - still_since, still_id) THEN ARRAY[fixture_id] END
             INTO v_still_id, v_due;
        IF NOT FOUND THEN
          INSERT INTO fixture_board (fixture_id, still, seq, front, back, still_since)
          VALUES (m_id[1], v_part[2], m_last[1], v_part[1], v_part[3], m_last[1]);
        END IF;
      END IF;
      IF c_seq[1] IS NOT NULL THEN
        -- The event names its still part where that is the scoreboard's, to the byte.
        IF split_part(c_event[1], E'\x1e', 2) <> v_part[2] THEN v_still_id := NULL; END IF;
        INSERT INTO domain_event_row (kind, fixture_id, competition_id, seq, payload, still_id)
        VALUES (c_code[1], m_id[1], m_competition[1], c_seq[1], road.event_payload(c_event[1], v_still_id), v_still_id);
      END IF;
    ELSE
      INSERT INTO command (command_id, sender, subject_id, payload_hash, outcome, answer, seq, received_at)
      SELECT c.key, c.sender, m_id[c.m], c.hash, CASE WHEN c.seq IS NULL THEN 'refused' ELSE 'accepted' END,
             c.answer, c.seq, c.received
        FROM (SELECT unnest(c_m) m, unnest(c_key) key, unnest(c_sender) sender, unnest(c_hash) hash,
                     unnest(c_answer) answer, unnest(c_seq) seq, unnest(c_received) received) c
       WHERE v_ok[c.m];

      INSERT INTO timeline_item (stream_id, seq, code, play, input, sender, key, at, voids, replaces, trace)
      SELECT m_id[c.m], c.seq, c.code, c.play, c.input, c.sender, c.key, c.received, c.voids::bigint[], c.replaces, c.trace
        FROM (SELECT unnest(c_m) m, unnest(c_seq) seq, unnest(c_code) code, unnest(c_play) play, unnest(c_input) input,
                     unnest(c_sender) sender, unnest(c_key) key, unnest(c_received) received, unnest(c_voids) voids,
                     unnest(c_replaces) replaces, unnest(c_trace) trace) c
       WHERE c.seq IS NOT NULL AND v_ok[c.m];

      UPDATE fixture
         SET last_seq = m_last[array_position(m_id, id)], last_play = m_play[array_position(m_id, id)],
             status = coalesce(m_status[array_position(m_id, id)], status)
       WHERE id = ANY (m_id) AND v_ok[array_position(m_id, id)] AND m_last[array_position(m_id, id)] > last_seq;

      WITH b AS (
        INSERT INTO fixture_board (fixture_id, still, seq, front, back, still_since)
        SELECT m.id, coalesce(m.part[2], ''), m.last, m.part[1], coalesce(m.part[3], ''), m.last
          FROM (SELECT unnest(m_id) id, unnest(m_last) last, string_to_array(unnest(m_scoreboard), E'\x1e') part, unnest(v_ok) ok) m
         WHERE m.ok AND m.part IS NOT NULL
            ON CONFLICT (fixture_id) DO UPDATE
           SET still = excluded.still, seq = excluded.seq, front = excluded.front, back = excluded.back,
               still_since = CASE WHEN fixture_board.still = excluded.still THEN fixture_board.still_since ELSE excluded.seq END,
               still_id = CASE WHEN fixture_board.still = excluded.still THEN fixture_board.still_id END
        RETURNING fixture_id, still_id, road.still_is_due(still, seq - still_since, still_id) AS due)
      SELECT array_agg(b.fixture_id) FILTER (WHERE b.still_id IS NOT NULL),
             array_agg(b.still_id) FILTER (WHERE b.still_id IS NOT NULL), array_agg(b.fixture_id) FILTER (WHERE b.due)
        INTO v_still_of, v_still_ids, v_due FROM b WHERE b.still_id IS NOT NULL OR b.due;

      -- OFFSET 0: what is compared is compared once.
      INSERT INTO domain_event_row (kind, fixture_id, competition_id, seq, payload, still_id)
      SELECT c.code, m_id[c.m], m_competition[c.m], c.seq, road.event_payload(c.event, c.still_id), c.still_id
        FROM (SELECT x.m, x.seq, x.code, x.event,
                     CASE WHEN v_still_of IS NOT NULL AND split_part(x.event, E'\x1e', 2) = split_part(m_scoreboard[x.m], E'\x1e', 2)
                          THEN v_still_ids[array_position(v_still_of, m_id[x.m])] END AS still_id
                FROM (SELECT unnest(c_m) m, unnest(c_seq) seq, unnest(c_code) code, unnest(c_event) event) x OFFSET 0) c
       WHERE c.seq IS NOT NULL AND v_ok[c.m];
    END IF;

    IF v_due IS NOT NULL THEN
      PERFORM road.keep_stills(v_due);
    END IF;

    IF cardinality(s_m) > 0 THEN
      INSERT INTO match_snapshot (fixture_id, seq, release, fold_hash, state)
      SELECT m_id[s.m], s.seq, s.release, s.hash, s.state
        FROM unnest(s_m, s_seq, s_release, s_hash, s_state) s(m, seq, release, hash, state)
       WHERE v_ok[s.m]
          ON CONFLICT (fixture_id) DO UPDATE
         SET seq = excluded.seq, release = excluded.release, fold_hash = excluded.fold_hash, state = excluded.state,
             saved_at = clock_timestamp();
    END IF;
  END IF;

  FOR k IN 1..n LOOP
    i := k;
    last_seq := coalesce(CASE WHEN v_ok[k] THEN m_last[k] ELSE v_seq[array_position(v_id, m_id[k])] END, 0);
    detail := NULL;
    IF v_ok[k] THEN
      what := 'committed';
    ELSIF v_seen[k] THEN
      what := 'seen';
      detail := road.seen(ARRAY(SELECT c.key FROM unnest(c_m, c_key) c(m, key) WHERE c.m = k));
    ELSIF m_id[k] = ANY (v_id) THEN
      what := 'stale';
      detail := road.log_after(m_id[k], m_expected[k]);
    ELSIF NOT p_wait AND EXISTS (SELECT FROM fixture WHERE id = m_id[k]) THEN
      what := 'busy';
    ELSE
      what := 'no_subject';
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

-- The subject of the operators' commands (runtime/road/release_commands.hpp): a competition that no list shows.
CREATE OR REPLACE FUNCTION road.operations() RETURNS uuid
LANGUAGE sql IMMUTABLE AS $$ SELECT '00000000-0000-4000-8000-0000006f7073'::uuid $$;

-- The row of a release, made by its first use. The same version with another package is another release: refused (P3).
CREATE OR REPLACE FUNCTION road.enrol_release(p_sport text, p_version text, p_sha text) RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_id uuid;
  v_sha text;
BEGIN
  INSERT INTO plugin_release (sport, version, code_sha) VALUES (p_sport, p_version, p_sha) ON CONFLICT DO NOTHING;
  SELECT r.id, r.code_sha INTO v_id, v_sha FROM plugin_release r WHERE r.sport = p_sport AND r.version = p_version;
  IF v_sha <> p_sha THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'plugin_release_code_sha';
  END IF;
  RETURN v_id;
END
$$;

-- The default release of a sport in a competition: the competition's own, else the sport's (P6); null: none was set.
CREATE OR REPLACE FUNCTION road.default_release(p_sport text, p_competition uuid) RETURNS uuid
LANGUAGE sql STABLE AS $$
  SELECT d.release_id FROM release_default d
   WHERE d.sport = p_sport AND (d.competition_id = p_competition OR d.competition_id IS NULL)
   ORDER BY d.competition_id NULLS LAST LIMIT 1
$$;

-- ops.install_release, ops.set_default_release, results.set_release. Data: runtime/road/release_commands.cpp.
CREATE OR REPLACE FUNCTION road.apply_release_effect(p_subject uuid, p_kind text, p_data jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_release uuid;
BEGIN
  IF p_kind = 'install_release' THEN
    INSERT INTO plugin_release AS r (sport, version, code_sha, approved_by)
    VALUES (p_data->>'sport', p_data->>'release', p_data->>'code_sha', p_data->>'approved_by')
        ON CONFLICT ON CONSTRAINT plugin_release_version_key DO UPDATE
       SET code_sha = excluded.code_sha, approved_by = excluded.approved_by, installed_at = now()
     WHERE r.code_sha = excluded.code_sha OR (p_data->>'replace')::boolean
    RETURNING r.id INTO v_release;
    IF v_release IS NULL THEN
      RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'plugin_release_code_sha';
    END IF;
  ELSIF p_kind = 'set_default_release' AND p_data->>'release' IS NULL THEN
    DELETE FROM release_default d
     WHERE d.sport = p_data->>'sport' AND d.competition_id IS NOT DISTINCT FROM (p_data->>'competition')::uuid;
  ELSIF p_kind = 'set_default_release' THEN
    SELECT r.id INTO v_release FROM plugin_release r
     WHERE r.sport = p_data->>'sport' AND r.version = p_data->>'release' AND r.approved_by IS NOT NULL;
    IF v_release IS NULL THEN
      RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'plugin_release_not_installed';
    END IF;
    INSERT INTO release_default (sport, competition_id, release_id)
    VALUES (p_data->>'sport', (p_data->>'competition')::uuid, v_release)
        ON CONFLICT ON CONSTRAINT release_default_key DO UPDATE SET release_id = excluded.release_id, set_at = now();
  ELSE
    UPDATE fixture f
       SET release = p_data->>'release', status = coalesce(nullif(p_data->>'status', ''), f.status),
           release_id = road.enrol_release(p_data->>'sport', p_data->>'release', p_data->>'code_sha')
     WHERE f.id = p_subject;
    -- Its seq is set with the log row's. The snapshot is another release's: the next load folds the log from nothing.
    INSERT INTO fixture_board (fixture_id, seq, front)
    SELECT p_subject, 0, p_data->>'scoreboard' WHERE p_data->>'scoreboard' <> ''
        ON CONFLICT (fixture_id) DO UPDATE SET still = '', front = excluded.front, back = '', still_id = NULL;
    DELETE FROM match_snapshot s WHERE s.fixture_id = p_subject;
  END IF;
END
$$;

-- One effect of a command of workflow games, in the transaction of its log row. Data: runtime/road/games.cpp.
CREATE OR REPLACE FUNCTION road.apply_effect(p_subject uuid, p_kind text, p_data jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_release uuid;
BEGIN
  IF p_kind = 'create_participant' THEN
    INSERT INTO participant (id, competition_id, name, type)
    VALUES ((p_data->>'id')::uuid, p_subject, p_data->>'name', p_data->>'type');
  ELSIF p_kind = 'create_fixture' THEN
    INSERT INTO subject (id, kind) VALUES ((p_data->>'id')::uuid, 'fixture');
    IF NOT coalesce((p_data->>'pinned')::boolean, false) THEN   -- no release was named: the default of this moment
      v_release := road.default_release(p_data->>'sport', p_subject);
    END IF;
    v_release := coalesce(v_release, road.enrol_release(p_data->>'sport', p_data->>'release', p_data->>'code_sha'));
    INSERT INTO fixture (id, competition_id, sport, release, release_id, starts_at, settings)
    SELECT (p_data->>'id')::uuid, p_subject, r.sport, r.version, r.id, (p_data->>'starts_at')::timestamptz,
           (p_data->'settings')::text
      FROM plugin_release r WHERE r.id = v_release;
    -- How it looks before its first command, where the release that opened it is the one it is pinned to.
    INSERT INTO fixture_board (fixture_id, seq, front)
    SELECT (p_data->>'id')::uuid, 0, p_data->>'scoreboard'
      FROM plugin_release r WHERE r.id = v_release AND r.version = p_data->>'release' AND p_data ? 'scoreboard';
    INSERT INTO fixture_competitor (id, fixture_id, side, participant_id, name, short, colour)
    SELECT (s.row->>'id')::uuid, (p_data->>'id')::uuid, s.side, (s.row->>'participant')::uuid, s.row->>'name', s.row->>'short', s.row->>'colour'
      FROM (VALUES ('home', p_data->'home'), ('away', p_data->'away')) s(side, row);
  ELSIF p_kind = 'edit_competitor' THEN
    UPDATE fixture_competitor c
       SET name = coalesce(p_data->>'name', c.name), short = coalesce(p_data->>'short', c.short),
           colour = coalesce(p_data->>'colour', c.colour), changed_seq = (p_data->>'changed_seq')::bigint
     WHERE c.id = (p_data->>'row')::uuid AND c.fixture_id = p_subject;
  ELSIF p_kind IN ('install_release', 'set_default_release', 'set_release') THEN
    PERFORM road.apply_release_effect(p_subject, p_kind, p_data);
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
      IF EXISTS (SELECT FROM subject s WHERE s.id = p_id AND s.kind <> 'competition') THEN
        RAISE EXCEPTION USING ERRCODE = 'unique_violation', CONSTRAINT = 'subject_pkey';
      END IF;
    END IF;
    IF p_competition AND p_id = road.operations() THEN
      INSERT INTO subject (id, kind) VALUES (p_id, 'competition') ON CONFLICT DO NOTHING;
      INSERT INTO competition (id, name) VALUES (p_id, 'Operations') ON CONFLICT DO NOTHING;
    END IF;
    IF p_competition THEN
      SELECT c.last_seq INTO v_seq FROM competition c WHERE c.id = p_id FOR NO KEY UPDATE;
    ELSE
      SELECT f.last_seq INTO v_seq FROM fixture f WHERE f.id = p_id FOR NO KEY UPDATE;
    END IF;
    v_detail := road.seen(c_key);
    -- A refusal to make a competition has no row to stand under; its command row is kept all the same (C5).
    IF v_seq IS NULL AND p_competition AND p_expected = 0 AND cardinality(array_remove(c_seq, NULL)) = 0 THEN
      v_seq := 0;
    END IF;
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
    INSERT INTO domain_event_row (kind, fixture_id, competition_id, seq, payload)
    SELECT c.code, CASE WHEN p_competition THEN NULL ELSE p_id END, CASE WHEN p_competition THEN p_id ELSE p_parent END, c.seq, c.event
      FROM unnest(c_seq, c_code, c_event) c(seq, code, event)
     WHERE c.seq IS NOT NULL
     ORDER BY c.seq;
    IF p_competition THEN
      UPDATE competition c SET last_seq = p_last, last_play = p_play WHERE c.id = p_id AND p_last > p_expected;
    ELSE
      UPDATE fixture f SET last_seq = p_last, last_play = p_play WHERE f.id = p_id AND p_last > p_expected;
      UPDATE fixture_board s SET seq = p_last WHERE s.fixture_id = p_id;
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
    IF NOT FOUND THEN
      -- It may be in the making, with no row to lock yet: entering its id, and taking that back, waits for its maker.
      BEGIN
        INSERT INTO subject (id, kind) VALUES (p_id, 'competition');
        RAISE EXCEPTION USING ERRCODE = 'unique_violation';
      EXCEPTION WHEN unique_violation THEN NULL;
      END;
    END IF;
  ELSIF p_lock THEN
    PERFORM 1 FROM fixture f WHERE f.id = p_id FOR NO KEY UPDATE;
  END IF;
  RETURN road.seen(p_keys);
END
$$;
