import type { FastifyPluginAsync } from "fastify";
import { PLUMB } from "../http/plumb-mark.ts";
import { sendPage } from "../representations/send-page.ts";

/** The mark as a browser takes it without another request. */
const ICON = `data:image/svg+xml,${encodeURIComponent(PLUMB)}`;

/** The page; `notice`: a paragraph of HTML on top. */
const pageWith = (notice: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plumbline</title>
<link rel="icon" href="${ICON}">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em; color: #222; }
a { color: #0b5a8a; }
li { margin: .4em 0; }
code { background: #f2f2f2; padding: .1em .3em; }
</style>
</head>
<body>
<main>
<h1>Plumbline</h1>
<p>Construction site tracking: where the machines are, how much material lies in a stockpile, how far the work has come.</p>
${notice}<ul>
<li><a href="/docs">API documentation</a>, where each operation can be tried</li>
<li><a href="/openapi.json">openapi.json</a>, for tools and generated clients (OpenAPI 3.1)</li>
<li><a href="/health/ready">Health</a>: whether the service is ready, and why it is not</li>
</ul>
<p>Requests below <code>/api/v1</code> need an API key: <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
</main>
</body>
</html>
`;

const MISSING = `<p>The web console is not built here: <code>npm run build</code> makes it, and the next start serves it.</p>
`;

export interface HomeOptions {
  /** Whether the web console would be here, had it been built. */
  readonly isMissing: boolean;
}

/** `GET /` for who opens the address in a browser. Says nothing that `/openapi.json` does not. */
const home: FastifyPluginAsync<HomeOptions> = async (app, { isMissing }) => {
  const page = pageWith(isMissing ? MISSING : "");
  app.get("/", { config: { access: "public" }, schema: { hide: true } }, (_request, reply) =>
    sendPage(reply, {
      type: "text/html; charset=utf-8",
      body: page,
      allowed: "img-src data:; style-src 'unsafe-inline'",
    }),
  );
};

export default home;
