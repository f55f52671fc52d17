-- The months of domain_event. Run as the owner (SECURITY DEFINER), called by the janitor, who may not change tables; each
-- call is one short transaction that gives up after 200 ms of waiting for a lock, so that no command waits longer for it.

CREATE SCHEMA IF NOT EXISTS ops;
GRANT USAGE ON SCHEMA ops TO omnium_app;

-- Makes the month of p_ahead months from now, if it is not there. True: it was made. The table is made apart and attached:
-- that lets commands go on, where making it as a partition would not.
CREATE OR REPLACE FUNCTION ops.make_month(p_ahead int) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  v_from timestamp := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => p_ahead);
  v_name text := 'domain_event_' || to_char(v_from, 'YYYY_MM');
BEGIN
  IF to_regclass(v_name) IS NOT NULL THEN RETURN false; END IF;
  -- Rows of that month in the other one would refuse it; they are deleted from there when they are old.
  IF EXISTS (SELECT FROM domain_event_other WHERE created_at >= v_from AT TIME ZONE 'UTC'
                AND created_at < (v_from + interval '1 month') AT TIME ZONE 'UTC') THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE domain_event_row INCLUDING DEFAULTS INCLUDING INDEXES)', v_name);
  EXECUTE format('ALTER TABLE domain_event_row ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name,
                 to_char(v_from, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(v_from + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
  RETURN true;
END
$$;

-- Drops the oldest month whose newest event is older than p_days. dropped: its name, or null: there is none. held_by: the
-- durable reader that has not read all of it; then it is kept.
CREATE OR REPLACE FUNCTION ops.drop_month(p_days int, OUT dropped text, OUT held_by text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  v_name text;
  v_behind boolean;
BEGIN
  IF p_days < 1 THEN RAISE EXCEPTION 'nothing younger than a day is dropped'; END IF;
  SELECT c.relname INTO v_name
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = 'domain_event_row'::regclass AND c.relname ~ '^domain_event_\d{4}_\d\d$'
     AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= now() AT TIME ZONE 'UTC' - make_interval(days => p_days)
   ORDER BY c.relname LIMIT 1;
  IF v_name IS NULL THEN RETURN; END IF;
  SELECT o.name INTO held_by FROM outbox_cursor o WHERE o.follows = 'domain_event' ORDER BY o.xid, o.id LIMIT 1;
  IF held_by IS NOT NULL THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I e, outbox_cursor o WHERE o.name = $1 AND (e.xid, e.id) > (o.xid, o.id))', v_name)
       INTO v_behind USING held_by;
    IF v_behind THEN RETURN; END IF;
    held_by := NULL;
  END IF;
  EXECUTE format('DROP TABLE %I', v_name);
  dropped := v_name;
END
$$;

REVOKE ALL ON FUNCTION ops.make_month(int), ops.drop_month(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ops.make_month(int), ops.drop_month(int) TO omnium_app;

SELECT ops.make_month(n) FROM generate_series(0, 2) n;
