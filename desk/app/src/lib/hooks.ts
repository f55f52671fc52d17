import { readSports, type Sport } from "@omnium/bridge";
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

/** The sports the server offers; asked for once a page, again when the first try failed. */
export function useSports(): Sport[] {
  const { client } = useOmnium();
  const [known, setKnown] = useState<Sport[]>([]);
  useEffect(() => {
    let here = true;
    const load = (): void => {
      sports ??= client.http.get("/sports").then(readSports);
      sports.then(
        (found) => here && setKnown(found),
        () => (sports = null),
      );
    };
    load();
    const off = client.onWelcome(load);
    return () => {
      here = false;
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
