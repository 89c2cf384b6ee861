// Stock aedes as its documentation shows it, with a subscriber that appends to a file.
import { createWriteStream } from "node:fs";
import { createServer } from "node:net";
import { Aedes } from "aedes";

const file = createWriteStream(process.argv[2], { flags: "a" });
const broker = await Aedes.createBroker();
broker.subscribe("devices/#", (packet, done) => {
  file.write(`${packet.topic} ${packet.payload}\n`);
  done();
});
const server = createServer(broker.handle);
server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));
