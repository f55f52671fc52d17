import { isStopped } from "@omnium/bridge";
import { useLink, useOmnium, useOutbox } from "@omnium/bridge/react";
import { useState, type FormEvent, type ReactNode } from "react";
import { useNow } from "../lib/hooks";
import { deskOf, type Route } from "../lib/router";
import { keepToken } from "../lib/session";
import { ago, sayLink } from "../lib/words";
import { Kbd } from "./bits";

export function Logo(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <circle cx="16" cy="16" r="8.5" fill="none" stroke="var(--on-accent)" strokeWidth="3" />
      <circle cx="16" cy="16" r="2.6" fill="var(--on-accent)" />
    </svg>
  );
}

export function Shell({ route, onPalette, children }: { route: Route; onPalette: () => void; children: ReactNode }): ReactNode {
  const current = (page: Route["page"]): "page" | undefined => (route.page === page ? "page" : undefined);
  return (
    <div className="shell">
      <header className="bar">
        <a className="brand" href="#/">
          <Logo />
          Omnium
        </a>
        <nav aria-label="Pages">
          <a href="#/" aria-current={current("matches")}>
            Matches
          </a>
          <a href="#/ops" aria-current={current("ops")}>
            Operations
          </a>
        </nav>
        <div className="right">
          <LinkStatus />
          <button type="button" className="button plain slim wide" onClick={onPalette} aria-label="Commands (Control K)">
            <Kbd>Ctrl</Kbd>
            <Kbd>K</Kbd>
          </button>
        </div>
      </header>
      <SignIn />
      {children}
    </div>
  );
}

/** Always in view: is the link up, how much waits, when was the last thing accepted (U1). */
export function LinkStatus(): ReactNode {
  const link = useLink();
  const { entries, settled } = useOutbox();
  const now = useNow(1000);
  const accepted = [...settled].reverse().find((done) => done.outcome === "accepted");
  const stopped = entries.filter(isStopped);
  const first = stopped.find((entry) => entry.kind === "fixture");
  const decide = `${stopped.length} to decide`;
  const tone = link.state === "live" ? "saved" : link.state === "not_signed_in" ? "refused" : "waiting";
  return (
    <div className="link" role="status" aria-live="polite" data-testid="link">
      <span className={`state ${tone}`} data-testid="link-state">
        {sayLink(link, now)}
      </span>
      <span className="num" data-testid="waiting">
        {entries.length === 0 ? "None waiting" : `${entries.length} waiting`}
        {stopped.length > 0 ? ", " : ""}
        {first !== undefined ? <a href={deskOf(first.ref)}>{decide}</a> : stopped.length > 0 ? decide : ""}
      </span>
      <span className="since num" data-testid="last-accepted">
        {accepted === undefined ? "Nothing sent yet" : `Last accepted ${ago(now - Date.parse(accepted.at))}`}
      </span>
    </div>
  );
}

export function SignIn(): ReactNode {
  const link = useLink();
  const { client } = useOmnium();
  const [token, setToken] = useState("");
  if (link.state !== "not_signed_in" && link.reason?.code !== "not_signed_in") return null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    keepToken(token.trim());
    client.setToken(token.trim());
  };
  return (
    <form className="notice bad signin" onSubmit={submit}>
      <p>
        <strong>Not signed in.</strong> {client.token === "" ? "This page needs a token: ask the operator for one." : "The server does not know this token: it is wrong, expired or revoked."} What you keyed is kept on
        this device.
      </p>
      <input className="input" type="password" aria-label="Token" placeholder="Token" autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} />
      <button className="button primary" disabled={token.trim() === ""}>
        Sign in
      </button>
    </form>
  );
}
