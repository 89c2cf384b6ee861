/** Golden cases of each decoder that are one reading of a device: an ordinary one, and where it matters a wide one. */
export const SINGLE_READINGS: Readonly<Record<string, readonly string[]>> = {
  plumbline: ["every-known-field"],
  owntracks: ["ios-driving-61-kmh"],
  thingsboard: ["smart-tracker-with-ts"],
  nmea: ["teltonika-rut955-one-epoch"],
  j1939: ["every-parameter"],
  teltonika: ["fix-and-units", "can-adapter-with-38-ids"],
  "teltonika-codec8": ["south-and-west"],
  senml: ["seven-records-of-a-machine", "machine-with-every-meaning"],
  mapping: ["eight-fields"],
  sparkplug: ["machine-of-eight-metrics", "every-field-in-its-usual-unit"],
  traccar: ["client-speed-in-metres-a-second"],
  osmand: ["traccar-sample-speed-in-knots"],
  "things-stack": ["uplink-with-our-own-names"],
  chirpstack: ["uplink-with-our-own-names"],
};
