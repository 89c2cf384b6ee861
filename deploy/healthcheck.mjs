// Exit status 0 when the process in this container answers. The ports are the service's own settings.
import { get as getHttp } from "node:http";
import { get as getHttps } from "node:https";

const { HTTP_PORT, HTTPS_PORT } = process.env;
const path = "/health/live";
const options = { host: "127.0.0.1", path };
const request =
  HTTP_PORT === "off"
    ? // The certificate names the host that clients know, not this address.
      getHttps({ ...options, port: HTTPS_PORT, rejectUnauthorized: false })
    : getHttp({ ...options, port: HTTP_PORT || "8080" });
request.on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1));
setTimeout(() => process.exit(1), 4_000).unref();
// With HTTPS_CLIENT_CERTIFICATES=required the process ends our connection after the handshake: it is alive.
let isSecure = false;
request.on("socket", (socket) => {
  socket.once("secureConnect", () => {
    isSecure = true;
  });
});
request.on("error", () => process.exit(isSecure ? 0 : 1));
