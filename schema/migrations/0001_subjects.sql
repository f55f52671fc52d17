-- What a command can change: competitions and fixtures (the two kinds of subject), and the rows that belong to them.
-- Names of the seed documents are kept. Columns that SQL never looks into are text, not jsonb.

-- One id is one subject: clients make the ids, and log, keys and live topics are found by id alone. Both kinds are
-- entered here first, so the same id can never name a competition and a fixture.
CREATE TABLE subject (
  id    uuid PRIMARY KEY,
  kind  text NOT NULL CHECK (kind IN ('competition', 'fixture'))
);

CREATE TABLE competition (
  id          uuid PRIMARY KEY,
  name        text NOT NULL,
  sport       text,                                -- null: of several sports
  settings    text NOT NULL DEFAULT '{}',          -- JSON object
  last_seq    bigint NOT NULL DEFAULT 0,           -- newest row of its log; the fence
  last_play   bigint NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE TABLE participant (
  id              uuid PRIMARY KEY,
  competition_id  uuid NOT NULL CONSTRAINT participant_competition_fkey REFERENCES competition,
  name            text NOT NULL,
  type            text NOT NULL CONSTRAINT participant_type_check CHECK (type IN ('team', 'person')),
  created_at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX participant_competition ON participant (competition_id, id);

CREATE TABLE plugin_release (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sport         text NOT NULL,
  version       text NOT NULL,
  code_sha      text NOT NULL,                     -- hex sha256 over the whole package, shared helpers included (P3)
  description   text NOT NULL DEFAULT '{}',        -- the plugin's own JSON
  installed_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT plugin_release_version_key UNIQUE (sport, version)
);

-- The release new matches of a sport are pinned to. One row per sport with no competition, and at most one per sport
-- and competition; the narrower one wins. NULLS NOT DISTINCT makes "no competition" a value like any other: with the
-- standard's NULLs a second default for a whole sport could be entered beside the first, and neither would be it.
CREATE TABLE release_default (
  sport           text NOT NULL,
  competition_id  uuid CONSTRAINT release_default_competition_fkey REFERENCES competition,
  release_id      uuid NOT NULL CONSTRAINT release_default_release_fkey REFERENCES plugin_release,
  set_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT release_default_key UNIQUE NULLS NOT DISTINCT (sport, competition_id)
);

-- The match row. It is locked and updated by every batch, so it is narrow, half filled (updates stay on the page, HOT),
-- and no column that a ball changes is indexed. The pin (release) is set at creation and kept (P6, P7).
CREATE TABLE fixture (
  id              uuid PRIMARY KEY,
  competition_id  uuid NOT NULL CONSTRAINT fixture_competition_fkey REFERENCES competition,
  sport           text NOT NULL,
  release         text NOT NULL,                   -- version of the sport's rules
  release_id      uuid CONSTRAINT fixture_release_fkey REFERENCES plugin_release,   -- null: not installed here (yet)
  status          text NOT NULL DEFAULT 'scheduled',
  last_seq        bigint NOT NULL DEFAULT 0,       -- newest row of its log; the fence, and the version screens hold
  last_play       bigint NOT NULL DEFAULT 0,       -- newest play: what a ball's version check is against
  starts_at       timestamptz,
  settings        text NOT NULL DEFAULT '{}',      -- JSON object for the sport
  created_at      timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
-- Lists go newest start first, those without a start last.
CREATE INDEX fixture_start ON fixture (coalesce(starts_at, '-infinity'::timestamptz) DESC, id DESC);
CREATE INDEX fixture_competition_start
  ON fixture (competition_id, coalesce(starts_at, '-infinity'::timestamptz) DESC, id DESC);

CREATE TABLE fixture_competitor (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  fixture_id      uuid NOT NULL CONSTRAINT fixture_competitor_fixture_fkey REFERENCES fixture,
  side            text NOT NULL CHECK (side IN ('home', 'away')),
  participant_id  uuid CONSTRAINT fixture_competitor_participant_fkey REFERENCES participant,
  name            text NOT NULL,
  short           text,
  colour          text,
  changed_seq     bigint NOT NULL DEFAULT 0,       -- log number of its last change: what an edit's version check is against
  CONSTRAINT fixture_competitor_side_key UNIQUE (fixture_id, side)
);
