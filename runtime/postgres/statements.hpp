#pragma once
// Every statement the runtime sends, by name; prepared once on each connection. The reads of screens stand in
// reads.cpp.
namespace omnium::pg::statements {

struct statement {
  const char* name;
  const char* text;
};

extern const statement commit;
extern const statement commit_effects;
extern const statement load;
extern const statement find_keys;
extern const statement note_failure;
extern const statement save_snapshot;
extern const statement release_defaults;
extern const statement write_check;
extern const statement fixture_seq;

} // namespace omnium::pg::statements
