-- Who may come in. A token's text is never stored, only its sha256; the prefix is for people to tell tokens apart. A
-- token changes only by being revoked.
CREATE TABLE access_token (
  id               uuid PRIMARY KEY,
  name             text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),   -- the sender of its commands
  prefix           text NOT NULL,
  hash             bytea NOT NULL CONSTRAINT access_token_hash_key UNIQUE CHECK (octet_length(hash) = 32),
  role             text NOT NULL CHECK (role IN ('viewer', 'scorer', 'integrator', 'operator', 'admin')),
  competitions     uuid[] NOT NULL DEFAULT '{}',      -- with fixtures: what it is limited to; both empty: no limits
  fixtures         uuid[] NOT NULL DEFAULT '{}',
  may_name_sender  boolean NOT NULL DEFAULT false,    -- its commands may carry another sender than its name
  created_by       text NOT NULL,                     -- name of the token that made it; 'server' for a first one
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at       timestamptz,                       -- null: never
  revoked_at       timestamptz                        -- null: not revoked
);
-- Two tokens in use under one name could not be told apart in a log.
CREATE UNIQUE INDEX access_token_name ON access_token (name) WHERE revoked_at IS NULL;

GRANT SELECT, INSERT ON access_token TO omnium_app;
GRANT UPDATE (revoked_at) ON access_token TO omnium_app;
