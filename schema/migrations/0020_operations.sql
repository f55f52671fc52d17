-- What looks after a running system: how far its readers are, what was raised, who was told, and how large it grows.

-- Where each durable reader stands, in (xid, id) order of the table it follows. `cluster` is the system identifier those
-- transaction ids belong to: in a dump restored elsewhere they mean nothing, and the server says so before it starts.
-- What a cursor has not read is not deleted. The alert service's own row follows no order (alert_signal says why): xid and id
-- are those of its last turn, and moved_at says when anybody last did its work.
CREATE TABLE outbox_cursor (
  name      text PRIMARY KEY,
  follows   text NOT NULL CHECK (follows IN ('domain_event', 'alert_signal')),
  xid       xid8 NOT NULL,
  id        bigint NOT NULL,
  cluster   text NOT NULL,
  moved_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Bytes of each table, with its indexes and TOAST, and of the whole database ('*'), once a day.
CREATE TABLE db_size_daily (
  day    date NOT NULL,
  name   text NOT NULL,
  bytes  bigint NOT NULL,
  rows   bigint,                                   -- as the planner estimates them; null: of the whole database
  PRIMARY KEY (day, name)
);

-- Every loop of every node, as it last showed itself.
CREATE TABLE process_beat (
  node      text NOT NULL,
  part      text NOT NULL,
  beats     bigint NOT NULL,                       -- turns of its loop
  progress  bigint NOT NULL,                       -- work done
  waiting   bigint NOT NULL,                       -- work that waits
  state     text NOT NULL CHECK (state IN ('ok', 'silent', 'stuck', 'trouble')),
  reason    text,
  since     timestamptz NOT NULL,                  -- of the state
  beat_at   timestamptz NOT NULL,
  PRIMARY KEY (node, part)
) WITH (fillfactor = 50);

-- What somebody noticed. Only ever inserted by those who raise, so raising waits for nobody. A signal is folded when it is
-- seen unmarked, not when a cursor passes it: one that commits late is found like any other, and an old transaction, which
-- holds every reader of the outbox back, does not hold back the alert about it.
CREATE TABLE alert_signal (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rule       text NOT NULL,
  key        text NOT NULL,                        -- what it is about: a match, a sport, a node; '' : the whole
  count      bigint NOT NULL CHECK (count > 0),    -- times noticed
  detail     text NOT NULL,                        -- a sentence with what a person needs; no names, no inputs
  node       text NOT NULL,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  folded_at  timestamptz                           -- null: not yet in an alert
);
CREATE INDEX alert_signal_news ON alert_signal (id) WHERE folded_at IS NULL;

-- When a rule's signals become an alert. The thresholds of what is a signal are the node's; these are the same for all
-- nodes and can be changed while they run.
CREATE TABLE alert_rule (
  name        text PRIMARY KEY,
  sentence    text NOT NULL,                       -- what it means
  severity    text NOT NULL CHECK (severity IN ('page', 'warn')),
  hold_on_s   int NOT NULL CHECK (hold_on_s >= 0), -- signals must go on for so long before it opens
  hold_off_s  int NOT NULL CHECK (hold_off_s > 0), -- without a signal for so long it closes
  repeat_s    int NOT NULL CHECK (repeat_s > 0),   -- at most one message in this time
  runbook     text NOT NULL,
  enabled     boolean NOT NULL DEFAULT true
);

-- Which alerts go which way. Addresses and secrets are the nodes' configuration, so that no dump holds them.
CREATE TABLE alert_route (
  name      text PRIMARY KEY,
  kind      text NOT NULL CHECK (kind IN ('log', 'webhook', 'slack', 'mail')),
  severity  text NOT NULL CHECK (severity IN ('page', 'warn')),   -- 'warn': all of them; 'page': the grave ones
  enabled   boolean NOT NULL DEFAULT true
);

CREATE TABLE alert (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rule           text NOT NULL,
  key            text NOT NULL,
  state          text NOT NULL CHECK (state IN ('pending', 'open', 'closed')),
  count          bigint NOT NULL,
  detail         text NOT NULL,                    -- of the newest signal
  first_at       timestamptz NOT NULL,
  last_at        timestamptz NOT NULL,             -- newest signal
  folded_at      timestamptz NOT NULL,             -- when the newest was read: one that committed late counts from here
  opened_at      timestamptz,
  closed_at      timestamptz,
  acknowledged_by  text,
  acknowledged_at  timestamptz,
  told           text CHECK (told IN ('opened', 'again', 'closed')),   -- the newest message
  told_at        timestamptz,
  told_count     bigint NOT NULL DEFAULT 0         -- count said in it
);
CREATE UNIQUE INDEX alert_one_open ON alert (rule, key) WHERE state <> 'closed';
CREATE INDEX alert_closed ON alert (closed_at) WHERE state = 'closed';
CREATE INDEX alert_told ON alert (rule, key, told_at);

CREATE TABLE alert_event (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id  bigint NOT NULL REFERENCES alert ON DELETE CASCADE,
  what      text NOT NULL CHECK (what IN ('opened', 'acknowledged', 'silenced', 'closed', 'sent', 'send_failed', 'given_up')),
  who       text,
  detail    text,
  at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX alert_event_alert ON alert_event (alert_id, id);

-- Nobody is told of these until then.
CREATE TABLE alert_silence (
  rule    text NOT NULL,
  key     text NOT NULL,                           -- '*': every key of the rule
  until   timestamptz NOT NULL,
  who     text NOT NULL,
  PRIMARY KEY (rule, key)
);

-- One message on one route. Its id goes with it, so that a receiver can tell a repetition from a second message.
CREATE TABLE alert_send (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id   bigint NOT NULL REFERENCES alert ON DELETE CASCADE,
  route      text NOT NULL,
  what       text NOT NULL CHECK (what IN ('opened', 'again', 'closed')),
  body       text NOT NULL,                        -- JSON object
  made_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts   int NOT NULL DEFAULT 0,
  due_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  sent_at    timestamptz,
  given_up_at  timestamptz,
  last_error text
);
CREATE INDEX alert_send_due ON alert_send (due_at) WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX alert_send_alert ON alert_send (alert_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON
  outbox_cursor, db_size_daily, process_beat, alert, alert_event, alert_silence, alert_send TO omnium_app;
GRANT SELECT, INSERT, UPDATE (folded_at), DELETE ON alert_signal TO omnium_app;
GRANT SELECT ON alert_rule, alert_route TO omnium_app;
