/* The border between a sport plugin and the worker process that runs it: plain C, versioned, size-prefixed.
 * An author does not use this header; omnium/sport.hpp implements it. Source: architecture.md (sport plugins), L10.
 *
 * Rules: nothing allocated on one side is freed on the other, except a session, which its plugin made and frees
 * (`close`). No exception crosses. All calls come from one thread. Text is UTF-8, not terminated. What a function
 * has to say it says through host->write, any number of times, before it returns.
 *
 * Versions. A structure only ever grows at its end; `struct_size` says how much of it the other side knows, and what
 * lies beyond is not there. A host loads plugins of its own ABI or older, and refuses a newer one in words.
 *   1  the first form
 */
#ifndef OMNIUM_SPORT_ABI_H
#define OMNIUM_SPORT_ABI_H

#include <stddef.h>
#include <stdint.h>

#define OMNIUM_SPORT_ABI 1u

#ifdef __cplusplus
extern "C" {
#endif

typedef struct omnium_bytes {
  const char* data;
  size_t size;
} omnium_bytes;

typedef struct omnium_sport_host {
  uint32_t struct_size;
  uint32_t abi;
  void* context; /* handed back in each callback */
  void (*write)(void* context, const char* data, size_t size);
  void (*log)(void* context, const char* data, size_t size); /* one line for the operator's log */
} omnium_sport_host;

typedef struct omnium_sport_event {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t seq; /* the event's id for life */
  omnium_bytes code;
  omnium_bytes input; /* a JSON object */
  omnium_bytes at;    /* RFC 3339 time: the only clock there is */
} omnium_sport_event;

/* Flags of play. AGAIN, beside DECIDE: the event is in the log already, and the log before it was corrected. */
enum { OMNIUM_SPORT_DECIDE = 1u, OMNIUM_SPORT_EVOLVE = 2u, OMNIUM_SPORT_AGAIN = 4u };

enum {
  OMNIUM_SPORT_ERROR = -1,   /* wrote one sentence: the session cannot go on (broken state, unreadable event) */
  OMNIUM_SPORT_REFUSED = 0,  /* wrote {"code","message","at"?,"law"?}; the state is as before */
  OMNIUM_SPORT_ACCEPTED = 1, /* wrote nothing, or {"voids":[seq…]} */
  OMNIUM_SPORT_OK = 1
};

typedef struct omnium_sport_api {
  uint32_t struct_size;
  uint32_t abi; /* the ABI the plugin was built for */
  /* Writes {"sport","version","label","settings":schema,"commands":[{"code","label","key","play","schema"}]}. */
  int (*describe)(const omnium_sport_host* host);
  /* Empty settings: defaults. Empty state: the initial one. NULL: wrote one sentence saying why. */
  void* (*open)(const omnium_sport_host* host, omnium_bytes settings, omnium_bytes state);
  /* DECIDE alone changes nothing; EVOLVE alone asks nothing; both: evolve only when accepted. */
  int (*play)(void* session, const omnium_sport_host* host, const omnium_sport_event* event, uint32_t flags);
  int (*state)(void* session, const omnium_sport_host* host);
  int (*scoreboard)(void* session, const omnium_sport_host* host);
  void (*close)(void* session);
} omnium_sport_api;

/* The one exported symbol. The plugin answers with its table whatever the host's ABI; the host decides. */
#define OMNIUM_SPORT_ENTRY "omnium_sport_entry"
typedef const omnium_sport_api* (*omnium_sport_entry_fn)(uint32_t host_abi);

#ifdef __cplusplus
}
#endif
#endif
