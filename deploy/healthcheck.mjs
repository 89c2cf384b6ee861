// Exit status 0 when the process in this container answers. HTTP_PORT is the service's own setting.
const port = process.env.HTTP_PORT || "8080";
const answer = await fetch(`http://127.0.0.1:${port}/health/live`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => undefined);
process.exit(answer?.ok === true ? 0 : 1);
