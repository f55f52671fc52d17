-- Who waits for whom, and the way out. Run as the owner (SECURITY DEFINER), because the application's role sees little of
-- sessions that are not its own, and may end nobody's.

-- The longest wait first, 100 at most: a JSON list.
CREATE OR REPLACE FUNCTION ops.locks() RETURNS json
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(json_agg(w ORDER BY w.waiting_s DESC), '[]') FROM (
    SELECT a.pid AS waiting_pid, a.application_name AS waiting, round(extract(epoch FROM clock_timestamp() - a.query_start)::numeric, 3) AS waiting_s,
           b.pid AS blocking_pid, b.application_name AS blocking, b.state AS blocking_state,
           round(extract(epoch FROM clock_timestamp() - b.xact_start)::numeric, 3) AS blocking_open_s
      FROM pg_stat_activity a CROSS JOIN LATERAL unnest(pg_blocking_pids(a.pid)) p(pid) JOIN pg_stat_activity b ON b.pid = p.pid
     WHERE a.wait_event_type = 'Lock' LIMIT 100) w
$$;

-- Ends a session that somebody waits for.
-- outcome: ended; goes_on (told to, and still there after two seconds); not_blocking (nobody of this database waits for it
-- now, so nothing was done); not_permitted (the owner is no superuser, and the session is of a role it is no member of).
-- session: in words, for the log.
CREATE OR REPLACE FUNCTION ops.end_session(p_pid int, OUT outcome text, OUT session text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT format('%s of user %s in database %s, %s, in a transaction for %s s, %s waiting for it',
                coalesce(nullif(b.application_name, ''), b.backend_type), coalesce(b.usename, '-'), coalesce(b.datname, '-'),
                coalesce(b.state, '-'), coalesce(round(extract(epoch FROM clock_timestamp() - b.xact_start))::text, '-'), w.count)
    INTO session
    FROM pg_stat_activity b,
         LATERAL (SELECT count(*) FROM pg_stat_activity a
                   WHERE a.datname = current_database() AND a.wait_event_type = 'Lock' AND p_pid = ANY (pg_blocking_pids(a.pid))) w
   WHERE b.pid = p_pid AND w.count > 0;
  IF session IS NULL THEN
    outcome := 'not_blocking';
    RETURN;
  END IF;
  outcome := CASE WHEN pg_terminate_backend(p_pid, 2000) THEN 'ended' ELSE 'goes_on' END;
EXCEPTION WHEN insufficient_privilege THEN
  outcome := 'not_permitted';
END
$$;

REVOKE ALL ON FUNCTION ops.locks(), ops.end_session(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ops.locks(), ops.end_session(int) TO omnium_app;
