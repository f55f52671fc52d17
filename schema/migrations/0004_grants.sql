-- What the application may do. The role omnium_app exists by now (the migrator makes it). The log is append-only for it:
-- no UPDATE, DELETE or TRUNCATE on timeline_item. Answers and notes can be deleted, for retention, but never changed.
GRANT SELECT, INSERT, UPDATE ON
  subject, competition, participant, fixture, fixture_competitor, plugin_release, release_default,
  command_failure, match_snapshot, fixture_scoreboard TO omnium_app;
GRANT SELECT, INSERT ON timeline_item TO omnium_app;
GRANT SELECT, INSERT, DELETE ON domain_event, command TO omnium_app;
GRANT DELETE ON command_failure, match_snapshot, release_default TO omnium_app;
GRANT SELECT ON schema_migration, schema_functions TO omnium_app;
