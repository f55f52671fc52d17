#pragma once
// A database restored from a dump into another cluster: transaction ids begin anew there, so what the outbox's rows and
// cursors say of them means nothing. It is noticed before anything reads, and put right by a person's word.
#include <string>

namespace omnium::pg {

// Empty: the cursors are this cluster's. Else a sentence that says what to do. Also when it cannot be found out.
std::string foreign_cursors(const std::string& owner_url);

// Sessions of running servers on this database, in words that go on a sentence; empty: there are none.
std::string servers_on(const std::string& owner_url);

// Makes every event older than any transaction of this cluster, keeps their order, and sets each cursor before the
// first event it had not read: nothing is lost; what ran side by side in the old cluster may be read once more. Refused
// while a server's sessions are open on the database. Empty: done, in one transaction.
std::string rebase(const std::string& owner_url);

} // namespace omnium::pg
