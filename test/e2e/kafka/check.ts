/** One line of the end: what has to hold, and whether it did. */
export type Expectation = readonly [name: string, passed: boolean];

/** One part of `npm run test:kafka`. */
export interface KafkaCheck {
  readonly name: string;
  readonly purpose: string;
  run(context: {
    /** Rounds of kills, and how many machines send how much a second meanwhile. */
    readonly rounds: number;
    readonly machines: number;
    readonly rate: number;
    readonly print: (line: string) => void;
  }): Promise<readonly Expectation[]>;
}
