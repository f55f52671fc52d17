import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const bridge = (file: string): string => fileURLToPath(new URL(`../bridge/src/${file}`, import.meta.url));
const server = process.env["OMNIUM_URL"];

export default defineConfig({
  base: "./",
  plugins: [react()],
  // The desk is built from the bridge's sources, so that one build is enough and types are always the present ones.
  resolve: { alias: { "@omnium/bridge/react": bridge("react.ts"), "@omnium/bridge": bridge("index.ts") } },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false }, // the polyfill would be an inline script under a strict content policy
    assetsInlineLimit: 0, // likewise data: addresses
    reportCompressedSize: false,
  },
  server: server === undefined ? {} : { proxy: Object.fromEntries(
    ["/fixtures", "/competitions", "/sports", "/workflows", "/livez", "/readyz", "/metrics"].map((path) => [path, server]).concat([["/live", { target: server, ws: true }]] as never),
  ) },
});
