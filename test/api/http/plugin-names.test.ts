import fastify from "fastify";
import { expect, it } from "vitest";
import { namePlugins } from "../../../api/http/plugin-names.ts";

it("Fastify knows every plugin by its own name, or as routes, at any depth", async () => {
  const app = fastify();
  namePlugins(app);
  const names: string[] = [];
  await app.register(async function gates(child) {
    names.push(child.pluginName);
    await child.register(async (inner) => {
      names.push(inner.pluginName);
    });
  });
  await app.close();
  expect(names).toEqual(["gates", "routes"]);
});
