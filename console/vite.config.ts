import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** `dist/console`: assets have a hash in their names, so that the service may call them immutable. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  publicDir: false,
  plugins: [runEarly()],
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
    rolldownOptions: {
      // How long plugins took is no warning about the pages.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // Each with all that it imports. What every page loads is one file: thirty small ones wait for each other.
          groups: [
            { name: "early", test: /[\\/]console[\\/]early\.ts$/ },
            { name: "console", tags: ["$initial"] },
          ],
        },
      },
    },
    // MapLibre is 1.1 MB before compression and loads with the map alone.
    chunkSizeWarningLimit: 1_200,
  },
});

/** Has the browser run `early.ts` as soon as that is there: scripts of a page wait for each other and for the styles. */
function runEarly(): Plugin {
  return {
    name: "run-early",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const found = html.replace(/<script (?=[^>]*\/early-)/, "<script async ");
        if (found === html) throw new Error("the page has no script of early.ts");
        return found;
      },
    },
  };
}
