// The control: a message is acknowledged as soon as it is handed to the client of Kafka, not when brokers have it.

const { searchParams } = new URL(import.meta.url);
const { KafkaLog } = await import(searchParams.get("real") ?? "");

const append = KafkaLog.prototype.append;
KafkaLog.prototype.append = function appendEarly(record, done) {
  append.call(this, record, () => undefined);
  setImmediate(done);
};
console.error("the control's journal answers early");

export { KafkaLog };
