import { useLayoutEffect, useState, type ReactNode } from "react";
import { useRoute } from "./lib/router";
import { RenameDesk } from "./ui/rename";
import { setTheme } from "./lib/session";
import { BoardPage } from "./pages/board/page";
import { DeskPage } from "./pages/desk/page";
import { MatchesPage } from "./pages/matches/page";
import { OpsPage } from "./pages/ops/page";
import { Empty } from "./ui/bits";
import { Palette, useOffers } from "./ui/palette";
import { Shell, SignIn } from "./ui/shell";

export function App({ keeps }: { keeps: boolean }): ReactNode {
  const route = useRoute();
  const [palette, setPalette] = useState(false);
  const [rename, setRename] = useState(false);
  useOffers(() => [
    { id: "go-matches", group: "Go to", label: "Matches", run: () => (location.hash = "#/") },
    { id: "go-ops", group: "Go to", label: "Operations", run: () => (location.hash = "#/ops") },
    { id: "rename", group: "This device", label: "Name of this desk", run: () => setRename(true) },
    { id: "theme-light", group: "Theme", label: "Light", run: () => setTheme("light") },
    { id: "theme-dark", group: "Theme", label: "Dark", run: () => setTheme("dark") },
    { id: "theme-system", group: "Theme", label: "As the system", run: () => setTheme("system") },
  ]);
  // Before the page is painted: a key pressed as soon as it is seen counts.
  useLayoutEffect(() => {
    const down = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setPalette((shown) => !shown);
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);

  if (route.page === "board") {
    return (
      <>
        {route.overlay ? null : <SignIn />}
        <BoardPage key={route.id} id={route.id} overlay={route.overlay} />
      </>
    );
  }
  return (
    <Shell route={route} onPalette={() => setPalette(true)}>
      {keeps ? null : (
        <p className="notice bad" role="alert">
          This browser keeps no data for this page (a private window, perhaps), so nothing can be scored here. Matches and scoreboards are shown as usual.
        </p>
      )}
      {route.page === "matches" ? <MatchesPage /> : null}
      {route.page === "ops" ? <OpsPage /> : null}
      {route.page === "desk" ? <DeskPage key={route.id} id={route.id} generic={route.generic} keeps={keeps} /> : null}
      {route.page === "missing" ? (
        <main className="page">
          <Empty title="There is no such page">
            <a className="button" href="#/">
              All matches
            </a>
          </Empty>
        </main>
      ) : null}
      {rename ? <RenameDesk onClose={() => setRename(false)} /> : null}
      {palette ? <Palette onClose={() => setPalette(false)} /> : null}
    </Shell>
  );
}
