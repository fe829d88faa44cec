/** The standalone player: one script without imports, which a page can hold in itself. */
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: "../src/kinegraph/player/static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
    license: { fileName: "third-party.md" },
    lib: { entry: "src/player/main.ts", formats: ["iife"], name: "kinegraphPlayer", fileName: () => "player.js" },
  },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
});
