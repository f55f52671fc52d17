import { backoffMs, readSports, socketBackoff, type Sport } from "@omnium/bridge";
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

let sports: Promise<Sport[]> | null = null;

/** The sports the server offers; asked for once a page, again and again until it answers. Empty until then. */
export function useSports(): Sport[] {
  const { client } = useOmnium();
  const [known, setKnown] = useState<Sport[]>([]);
  useEffect(() => {
    let here = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (attempt: number): void => {
      clearTimeout(timer);
      sports ??= client.http.get("/sports").then(readSports);
      sports.then(
        (found) => here && setKnown(found),
        () => {
          sports = null;
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
  }, [client]);
  return known;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Omnium" : `${title} · Omnium`;
  }, [title]);
}
