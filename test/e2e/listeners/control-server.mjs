// Listeners as they are usually written: the answer goes out when a record was read, and four times a
// second what came since is stored.
import { appendFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTcpServer } from "node:net";

const file = process.argv[2];
let waiting = "";
const store = () => {
  appendFileSync(file, waiting);
  waiting = "";
};
setInterval(store, 250);
process.on("SIGTERM", () => {
  store();
  process.exit(0);
});

const trackers = createTcpServer((socket) => {
  let imei = "";
  let bytes = Buffer.alloc(0);
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (imei === "" && bytes.length >= 17) {
      imei = bytes.toString("latin1", 2, 17);
      bytes = bytes.subarray(17);
      socket.write(Buffer.of(1));
    }
    while (bytes.length >= 8 && bytes.length >= bytes.readUInt32BE(4) + 12) {
      const length = bytes.readUInt32BE(4) + 12;
      waiting += `${imei} ${bytes.toString("base64", 0, length)}\n`;
      socket.write(Buffer.of(0, 0, 0, bytes[9]));
      bytes = bytes.subarray(length);
    }
  });
});
const phones = createHttpServer((request, response) => {
  const query = new URL(request.url, "http://127.0.0.1").searchParams;
  waiting += `${query.get("id")} ${query.get("number")}\n`;
  response.end();
});
const senders = createHttpServer((request, response) => {
  const [id] = request.headers.authorization.slice("Bearer ".length).split(".");
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    for (const line of Buffer.concat(chunks).toString().split("\n")) {
      waiting += `${id} ${JSON.parse(line).number}\n`;
    }
    response.end();
  });
});
trackers.listen(0, "127.0.0.1", () => {
  phones.listen(0, "127.0.0.1", () => {
    senders.listen(0, "127.0.0.1", () => {
      const [teltonika, osmand, http] = [trackers, phones, senders].map(
        (server) => server.address().port,
      );
      process.stdout.write(JSON.stringify({ teltonika, osmand, http }));
    });
  });
});
