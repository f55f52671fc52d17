import { backoffMs, readSports, socketBackoff, type OmniumClient, type Sport } from "@omnium/bridge";
import { useOmnium } from "@omnium/bridge/react";
import { useEffect, useState } from "react";

/** Device time, renewed every `ms`; null stops it. */
export function useNow(ms: number | null): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}

/** What `ask` promises; asked at once, after each welcome, and again and again while it fails. `before` until then. `ask`
 * stands outside of components, keeps its promise and forgets one that failed. */
export function useAsked<T>(ask: (client: OmniumClient) => Promise<T>, before: T): T {
  const { client } = useOmnium();
  const [known, setKnown] = useState(before);
  useEffect(() => {
    let here = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (attempt: number): void => {
      clearTimeout(timer);
      ask(client).then(
        (found) => here && setKnown(() => found),
        () => {
          if (here) timer = setTimeout(() => load(attempt + 1), backoffMs(attempt, socketBackoff));
        },
      );
    };
    load(0);
    const off = client.onWelcome(() => load(0));
    return () => {
      here = false;
      clearTimeout(timer);
      off();
    };
  }, [client, ask]);
  return known;
}

let sports: Promise<Sport[]> | null = null;
const noSports: Sport[] = [];

function askSports(client: OmniumClient): Promise<Sport[]> {
  sports ??= client.http
    .get("/sports")
    .then(readSports)
    .catch((error: unknown) => {
      sports = null;
      throw error;
    });
  return sports;
}

/** The sports the server offers; asked for once a page. Empty until it answers. */
export function useSports(): Sport[] {
  return useAsked(askSports, noSports);
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Omnium" : `${title} · Omnium`;
  }, [title]);
}
