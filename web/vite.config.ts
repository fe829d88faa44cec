/** The studio page: built into the Python package, served from there. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/kinegraph/studio/static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
    // small assets stay files: the content security policy of the page allows no inline scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // whose work the page contains, and under which licence
    license: { fileName: "third-party.md" },
    rolldownOptions: {
      output: {
        // three changes seldom; apart, it stays in the browser's cache when the studio changes
        codeSplitting: { groups: [{ name: "three", test: /node_modules[\\/]three(?![\\/]examples[\\/]jsm[\\/](loaders|utils))/ }] },
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8700", ws: true } } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
