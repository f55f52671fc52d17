import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@omnium/bridge": fileURLToPath(new URL("../../desk/bridge/src/index.ts", import.meta.url)) } },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    fileParallelism: false, // one server and one browser at a time: two cores
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
