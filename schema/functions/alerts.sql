-- Alerts in SQL: signals are folded into alerts, alerts open and close with hold times, and messages are made of them.
-- Called by the alert service of one node, on the session that holds its advisory lock. Each function is one transaction,
-- so a service that is killed leaves nothing half done.

CREATE SCHEMA IF NOT EXISTS ops;
GRANT USAGE ON SCHEMA ops TO omnium_app;

-- Who holds the outbox's horizon: the oldest transaction with an id, of any session of any database, or prepared and
-- forgotten. As the owner, because the application may not see other roles' transactions; where the owner may not either
-- (a managed database: grant it pg_read_all_stats), null.
CREATE OR REPLACE FUNCTION ops.horizon_blocker(OUT age_s float8, OUT who text, OUT database text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT * FROM (
    SELECT extract(epoch FROM clock_timestamp() - a.xact_start)::float8,
           format('pid %s (%s, %s)', a.pid, coalesce(nullif(a.application_name, ''), 'no name'), coalesce(a.state, '-')),
           coalesce(a.datname, '-')::text
      FROM pg_stat_activity a
     WHERE a.backend_xid IS NOT NULL AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
    UNION ALL
    SELECT extract(epoch FROM clock_timestamp() - p.prepared)::float8, format('prepared transaction %s', p.gid), p.database::text
      FROM pg_prepared_xacts p) b(age, who, database)
   ORDER BY age DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION ops.horizon_blocker() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ops.horizon_blocker() TO omnium_app;

-- The rules this version knows. What an operator changed (hold times, repeat, enabled) is kept.
INSERT INTO alert_rule AS r (name, severity, hold_on_s, hold_off_s, repeat_s, sentence, runbook) VALUES
  ('worker-stuck',         'page', 0,   60,  900, 'A loop or a sport''s workers turn without getting work done, or no longer turn.', 'docs/runbooks/worker-stuck.md'),
  ('worker-breaker-open',  'page', 0,   120, 900, 'A sport''s workers keep dying; its commands are answered try_again.', 'docs/runbooks/worker-breaker-open.md'),
  ('outbox-lag',           'page', 10,  60,  900, 'An open transaction holds the outbox back: screens are behind.', 'docs/runbooks/outbox-lag.md'),
  ('lock-wait-p99',        'warn', 60,  120, 900, 'Commits wait long for a match''s row.', 'docs/runbooks/lock-wait-p99.md'),
  ('slow-commands',        'warn', 240, 120, 900, 'Commands are slow: p95 over 30 ms.', 'docs/runbooks/slow-commands.md'),
  ('database-unavailable', 'page', 0,   60,  900, 'The database takes no writes.', 'docs/runbooks/database-unavailable.md'),
  ('match-quarantined',    'page', 0,   120, 900, 'A match cannot be folded and takes no commands.', 'docs/runbooks/match-quarantined.md'),
  ('scoreboard-damaged',   'page', 0,   300, 900, 'A stored scoreboard is not what its log folds to.', 'docs/runbooks/scoreboard-damaged.md'),
  ('commands-failing',     'page', 30,  120, 900, 'Many commands are answered try_again.', 'docs/runbooks/commands-failing.md'),
  ('disk-low',             'page', 0,   300, 900, 'A disk is nearly full.', 'docs/runbooks/disk-low.md'),
  ('cursor-stalled',       'warn', 0,   7200, 900, 'A durable reader stands still; what it has not read is kept.', 'docs/runbooks/cursor-stalled.md'),
  ('alert-service-silent', 'page', 0,   120, 900, 'No node did the alert service''s work for a while.', 'docs/runbooks/alert-service-silent.md')
ON CONFLICT (name) DO UPDATE SET sentence = excluded.sentence, severity = excluded.severity, runbook = excluded.runbook;

INSERT INTO alert_route (name, kind, severity) VALUES
  ('log', 'log', 'warn'), ('webhook', 'webhook', 'warn'), ('slack', 'slack', 'warn'), ('mail', 'mail', 'page')
ON CONFLICT (name) DO NOTHING;

-- Adds signals nobody has folded yet to the alerts of their rule and key. Returns how many.
CREATE OR REPLACE FUNCTION ops.fold_signals(p_cluster text, p_limit int) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  c outbox_cursor;
  v_read bigint;
  v_last bigint;
BEGIN
  INSERT INTO outbox_cursor (name, follows, xid, id, cluster) VALUES ('alerts', 'alert_signal', pg_current_xact_id(), 0, p_cluster)
      ON CONFLICT (name) DO UPDATE SET moved_at = clock_timestamp(), xid = excluded.xid RETURNING * INTO c;
  IF c.cluster <> p_cluster THEN
    RAISE EXCEPTION 'the cursors are another cluster''s; run: omnium migrate --rebase';
  END IF;
  WITH news AS (
    UPDATE alert_signal s SET folded_at = clock_timestamp()
     WHERE s.id = ANY (ARRAY(SELECT n.id FROM alert_signal n WHERE n.folded_at IS NULL ORDER BY n.id LIMIT p_limit))
       AND s.folded_at IS NULL
    RETURNING s.*),
  grouped AS (
    SELECT n.rule, n.key, sum(n.count)::bigint AS count, (array_agg(n.detail ORDER BY n.at DESC, n.id DESC))[1] AS detail,
           min(n.at) AS first_at, max(n.at) AS last_at
      FROM news n LEFT JOIN alert_rule r ON r.name = n.rule
     WHERE coalesce(r.enabled, true) GROUP BY n.rule, n.key),
  folded AS (
    INSERT INTO alert AS a (rule, key, state, count, detail, first_at, last_at, folded_at)
    SELECT g.rule, g.key, 'pending', g.count, g.detail, g.first_at, g.last_at, clock_timestamp() FROM grouped g
        ON CONFLICT (rule, key) WHERE state <> 'closed' DO UPDATE
       SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at), folded_at = excluded.folded_at,
           detail = CASE WHEN excluded.last_at >= a.last_at THEN excluded.detail ELSE a.detail END)
  SELECT count(*), max(n.id) INTO v_read, v_last FROM news n;
  UPDATE outbox_cursor SET id = greatest(id, v_last) WHERE name = 'alerts' AND v_last IS NOT NULL;
  RETURN v_read;
END
$$;

-- A rule with its hold times; one nobody declared opens at once and warns.
CREATE OR REPLACE FUNCTION ops.rule_of(p_name text) RETURNS alert_rule
LANGUAGE plpgsql STABLE AS $$
DECLARE
  r alert_rule;
BEGIN
  SELECT * INTO r FROM alert_rule WHERE name = p_name;
  IF NOT FOUND THEN
    r := ROW(p_name, 'A rule this version does not know.', 'warn', 0, 120, 900, '', true);
  END IF;
  RETURN r;
END
$$;

-- What an alert says, as JSON.
CREATE OR REPLACE FUNCTION ops.alert_json(a alert) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', (a).id, 'rule', (a).rule, 'key', (a).key, 'state', (a).state, 'severity', r.severity,
           'count', (a).count, 'sentence', r.sentence, 'detail', (a).detail, 'runbook', r.runbook,
           'first_at', (a).first_at, 'last_at', (a).last_at, 'opened_at', (a).opened_at, 'closed_at', (a).closed_at,
           'acknowledged_by', (a).acknowledged_by)
    FROM ops.rule_of((a).rule) r
$$;

-- Opens what went on long enough, closes what is quiet, and makes at most one message for each rule and key in the rule's
-- repeat time, on each of p_routes (those this node has an address for). Returns the messages made.
CREATE OR REPLACE FUNCTION ops.turn_alerts(p_routes text[]) RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_made bigint := 0;
  v_what text;
  a alert;
  r alert_rule;
BEGIN
  WITH opened AS (
    UPDATE alert SET state = 'open', opened_at = clock_timestamp()
     WHERE state = 'pending' AND last_at - first_at >= make_interval(secs => (ops.rule_of(rule)).hold_on_s) RETURNING *)
  INSERT INTO alert_event (alert_id, what, detail) SELECT id, 'opened', detail FROM opened;

  DELETE FROM alert WHERE state = 'pending' AND folded_at < clock_timestamp() - make_interval(secs => (ops.rule_of(rule)).hold_off_s);
  WITH closed AS (
    UPDATE alert SET state = 'closed', closed_at = clock_timestamp()
     WHERE state = 'open' AND folded_at < clock_timestamp() - make_interval(secs => (ops.rule_of(rule)).hold_off_s) RETURNING *)
  INSERT INTO alert_event (alert_id, what) SELECT id, 'closed' FROM closed;

  FOR a IN
    SELECT * FROM alert t
     WHERE (t.state = 'open' AND (t.told IS NULL OR (t.count > t.told_count AND t.acknowledged_at IS NULL)))
        OR (t.state = 'closed' AND t.told IN ('opened', 'again') AND t.closed_at > clock_timestamp() - interval '1 day')
     ORDER BY t.id
  LOOP
    r := ops.rule_of(a.rule);
    CONTINUE WHEN EXISTS (SELECT FROM alert o WHERE o.rule = a.rule AND o.key = a.key
                             AND o.told_at > clock_timestamp() - make_interval(secs => r.repeat_s));
    CONTINUE WHEN EXISTS (SELECT FROM alert_silence s WHERE s.rule = a.rule AND s.key IN (a.key, '*') AND s.until > clock_timestamp());
    -- Of a match and rule that is on again, only that is told.
    CONTINUE WHEN a.state = 'closed' AND EXISTS (SELECT FROM alert o WHERE o.rule = a.rule AND o.key = a.key AND o.state <> 'closed');
    v_what := CASE WHEN a.state = 'closed' THEN 'closed' WHEN a.told IS NULL THEN 'opened' ELSE 'again' END;
    INSERT INTO alert_send (alert_id, route, what, body)
    SELECT a.id, w.name, v_what, json_build_object('what', v_what, 'alert', ops.alert_json(a))::text
      FROM alert_route w WHERE w.name = ANY (p_routes) AND w.enabled AND (w.severity = 'warn' OR r.severity = 'page');
    UPDATE alert SET told = v_what, told_at = clock_timestamp(), told_count = a.count WHERE id = a.id;
    v_made := v_made + 1;
  END LOOP;
  RETURN v_made;
END
$$;

-- The messages of a route that are due, each taken by one caller: the next try is put off before the first is made, so
-- that a sender that dies on the way is followed by another later, and two never send the same at once.
CREATE OR REPLACE FUNCTION ops.take_sends(p_route text, p_limit int, p_min_s float8, p_max_s float8)
RETURNS TABLE (id bigint, body text, what text, attempts int)
LANGUAGE sql VOLATILE AS $$
  UPDATE alert_send s
     SET attempts = s.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => least(p_max_s, p_min_s * 2.0 ^ least(s.attempts, 30)))
   WHERE s.id = ANY (ARRAY(SELECT d.id FROM alert_send d
                            WHERE d.route = p_route AND d.sent_at IS NULL AND d.given_up_at IS NULL AND d.due_at <= clock_timestamp()
                            ORDER BY d.id LIMIT p_limit FOR UPDATE SKIP LOCKED))
  RETURNING s.id, s.body, s.what, s.attempts
$$;

-- What became of a try; an empty error: it was delivered.
CREATE OR REPLACE FUNCTION ops.sent(p_id bigint, p_error text, p_give_up_s float8) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  s alert_send;
BEGIN
  UPDATE alert_send t
     SET sent_at = CASE WHEN p_error = '' THEN clock_timestamp() END, last_error = nullif(p_error, ''),
         given_up_at = CASE WHEN p_error <> '' AND t.made_at < clock_timestamp() - make_interval(secs => p_give_up_s)
                            THEN clock_timestamp() END
   WHERE t.id = p_id RETURNING * INTO s;
  IF s.sent_at IS NOT NULL OR s.given_up_at IS NOT NULL OR s.attempts = 1 THEN
    INSERT INTO alert_event (alert_id, what, who, detail)
    SELECT s.alert_id, CASE WHEN s.sent_at IS NOT NULL THEN 'sent' WHEN s.given_up_at IS NOT NULL THEN 'given_up' ELSE 'send_failed' END,
           s.route, nullif(p_error, '') WHERE s.id IS NOT NULL;
  END IF;
END
$$;

-- A person's word. False: there is no such open alert.
CREATE OR REPLACE FUNCTION ops.acknowledge(p_alert bigint, p_who text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE alert SET acknowledged_by = p_who, acknowledged_at = clock_timestamp() WHERE id = p_alert AND state = 'open';
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO alert_event (alert_id, what, who) VALUES (p_alert, 'acknowledged', p_who);
  RETURN true;
END
$$;

CREATE OR REPLACE FUNCTION ops.silence(p_rule text, p_key text, p_minutes int, p_who text) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO alert_silence (rule, key, until, who)
  VALUES (p_rule, p_key, clock_timestamp() + make_interval(mins => p_minutes), p_who)
      ON CONFLICT (rule, key) DO UPDATE SET until = excluded.until, who = excluded.who;
  INSERT INTO alert_event (alert_id, what, who, detail)
  SELECT a.id, 'silenced', p_who, p_minutes || ' min' FROM alert a
   WHERE a.rule = p_rule AND p_key IN (a.key, '*') AND a.state <> 'closed'
$$;
