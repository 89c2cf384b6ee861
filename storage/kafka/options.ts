/** How the brokers are reached. */
export interface KafkaOptions {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  /** Our name in the brokers' logs and quotas. */
  readonly clientId: string;
  /** Absent: without encryption. */
  readonly tls?: KafkaTls | undefined;
  /** Absent: the brokers ask for no log-in. */
  readonly sasl?: KafkaSasl | undefined;
}

/** PEM texts. The name of a broker's certificate is checked against the host that it is reached by. */
export interface KafkaTls {
  /** Authorities of the brokers' certificates; absent: those of the system. */
  readonly ca?: string | undefined;
  /** What we prove ourselves by, where the brokers ask for a certificate. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface KafkaSasl {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
  readonly username: string;
  readonly password: string;
}
