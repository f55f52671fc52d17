import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const bridge = (file: string): string => fileURLToPath(new URL(`../bridge/src/${file}`, import.meta.url));

export default defineConfig({
  resolve: { alias: { "@omnium/bridge/react": bridge("react.ts"), "@omnium/bridge": bridge("index.ts") } },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
