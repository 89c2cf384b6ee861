import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** `dist/console`: assets have a hash in their names, so that the service may call them immutable. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL("../dist/console", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // A data: address is not in the content security policy.
    assetsInlineLimit: 0,
    // Every browser of that target has it; the substitute is a script of its own.
    modulePreload: { polyfill: false },
    // Of every package in the pages, for who receives them.
    license: { fileName: "licences.md" },
    // How long plugins took is no warning about the pages.
    rolldownOptions: { checks: { pluginTimings: false } },
    // MapLibre is 1.1 MB before compression and loads with the map alone.
    chunkSizeWarningLimit: 1_200,
  },
});
