import { OmniumClient, Outbox } from "@omnium/bridge";
import { OmniumProvider } from "@omnium/bridge/react";
import { createRoot } from "react-dom/client";
import "@fontsource-variable/inter/wght.css";
import { App } from "./app";
import { applyTheme, deskName, takeToken, tokenName } from "./lib/session";
import "./styles/base.css";
import "./styles/ui.css";
import "./styles/shell.css";
import "./styles/matches.css";
import "./styles/board.css";
import "./styles/desk.css";
import "./styles/ops.css";

applyTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme());

const client = new OmniumClient({ token: takeToken(), client: "desk 0.1" });
const outbox = new Outbox(client, { sender: deskName() });
client.start();
// Signed in anew in another tab: this one may be the tab that sends.
addEventListener("storage", (event) => {
  if (event.key === tokenName && event.newValue !== null) client.setToken(event.newValue);
});

function show(keeps: boolean): void {
  createRoot(document.getElementById("root")!).render(
    <OmniumProvider value={{ client, outbox }}>
      <App keeps={keeps} />
    </OmniumProvider>,
  );
}
// A browser that keeps no data for pages can show matches; to score, it would have to promise what it cannot keep.
outbox.start().then(
  () => show(true),
  () => show(false),
);
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js").catch(() => undefined);
