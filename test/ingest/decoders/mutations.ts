import { isUtf8 } from "node:buffer";
import { MAX_PAYLOAD_BYTES } from "../../../domain/equipment/reading.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/** Whole numbers in `[0, below)`. */
type Pick = (below: number) => number;
type Mutation = (payload: Buffer, pick: Pick, inputs: readonly Buffer[]) => Buffer;

/** Numbers that trip readers: edges of types and formats, no numbers at all, and more digits than fit. */
const NUMBERS = [
  ...["0", "-0", "-1", "1", "127", "128", "255", "256", "65535", "-32768", "2147483648"],
  ...["4294967295", "9007199254740993", "1e308", "1e400", "-1e400", "1e-400", "0.1", ".5", "5."],
  ...["+7", "007", "0x1f", "NaN", "Infinity", "-", "1e", "1,5", "90.0000001", "-180.5", "361"],
];
/** Words in place of a token. */
const WORDS = [
  ...["null", "true", "false", "{}", "[]", '""', '"x"', "[[]]", "\u0000", "\\ud800", "é", " "],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"2026-13-45T99:99:99Z"',
    '"Infinity"',
    "$",
    "*",
  ],
];
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** JSON strings, numbers, words, and fields between commas. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[\w.+-]+/g;
/** Most digits, and most brackets, that are put in at once. Chosen. */
const MAX_DIGITS = 2_000;
const MAX_NESTING = 20_000;

const flipBit: Mutation = (payload, pick) => {
  const copy = Buffer.from(payload);
  const at = pick(copy.length);
  if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << pick(8));
  return copy;
};

const setByte: Mutation = (payload, pick) => {
  const copy = Buffer.from(payload);
  if (copy.length > 0) copy[pick(copy.length)] = [0, 0x7f, 0x80, 0xff, pick(256)][pick(5)] ?? 0;
  return copy;
};

const truncate: Mutation = (payload, pick) => payload.subarray(0, pick(payload.length + 1));

const cutOut: Mutation = (payload, pick) => {
  const from = pick(payload.length + 1);
  const to = from + pick(Math.min(32, payload.length - from) + 1);
  return Buffer.concat([payload.subarray(0, from), payload.subarray(to)]);
};

const putIn: Mutation = (payload, pick) => {
  const at = pick(payload.length + 1);
  const bytes = Buffer.from(Array.from({ length: 1 + pick(8) }, () => pick(256)));
  return Buffer.concat([payload.subarray(0, at), bytes, payload.subarray(at)]);
};

/** A piece again and again, seldom so often that the payload nears the largest that intake decodes. */
const repeat: Mutation = (payload, pick) => {
  const from = pick(payload.length + 1);
  const piece = payload.subarray(from, from + 1 + pick(payload.length - from + 1));
  if (piece.length === 0) return payload;
  const most = Math.max(1, Math.floor((MAX_PAYLOAD_BYTES - payload.length) / piece.length));
  const times = pick(200) === 0 ? most : 1 + pick(Math.min(4, most));
  const pieces = Array.from({ length: times }, () => piece);
  return Buffer.concat([payload.subarray(0, from), ...pieces, payload.subarray(from)]);
};

/** The beginning of one input and the end of another. */
const splice: Mutation = (payload, pick, inputs) => {
  const other = inputs[pick(inputs.length)] ?? payload;
  const head = payload.subarray(0, pick(payload.length + 1));
  return Buffer.concat([head, other.subarray(pick(other.length + 1))]);
};

const changeNumber: Mutation = (payload, pick) =>
  replaceOne(payload, NUMBER, pick, (number) => {
    const kind = pick(5);
    if (kind === 0) return number.startsWith("-") ? number.slice(1) : `-${number}`;
    if (kind === 1) return String(pick(10)).repeat(1 + pick(pick(50) === 0 ? MAX_DIGITS : 40));
    if (kind === 2) return String(Number(number) * 10 ** (pick(13) - 6));
    if (kind === 3) return `"${number}"`;
    return NUMBERS[pick(NUMBERS.length)] ?? number;
  });

const changeToken: Mutation = (payload, pick) =>
  replaceOne(payload, TOKEN, pick, (token) => {
    const words = pick(3) === 0 ? NUMBERS : WORDS;
    return words[pick(words.length)] ?? token;
  });

/** Two tokens change places, or one takes the other's. */
const swapTokens: Mutation = (payload, pick) => {
  const text = payload.toString("latin1");
  const tokens = [...text.matchAll(TOKEN)];
  const [one, other] = [pick(tokens.length), pick(tokens.length)].sort((a, b) => a - b);
  const [first, second] = [tokens[one ?? 0], tokens[other ?? 0]];
  if (first === undefined || second === undefined || first === second) return payload;
  const between = text.slice(first.index + first[0].length, second.index);
  const start = text.slice(0, first.index);
  const end = text.slice(second.index + second[0].length);
  const last = pick(2) === 0 ? first[0] : second[0];
  return Buffer.from(`${start}${second[0]}${between}${last}${end}`, "latin1");
};

/** Brackets upon brackets in place of a token, closed again or not. */
const nest: Mutation = (payload, pick) => {
  const depth = pick(50) === 0 ? 1 + pick(MAX_NESTING) : 1 + pick(20);
  const [open, close] = pick(2) === 0 ? ["[", "]"] : ['{"a":', "}"];
  return replaceOne(payload, TOKEN, pick, (token) => {
    const end = pick(2) === 0 ? close.repeat(depth) : "";
    return `${open.repeat(depth)}${token}${end}`;
  });
};

function replaceOne(
  payload: Buffer,
  pattern: RegExp,
  pick: Pick,
  replace: (found: string) => string,
): Buffer {
  const text = payload.toString("latin1");
  const matches = [...text.matchAll(pattern)];
  const match = matches[pick(matches.length)];
  if (match === undefined) return payload;
  const end = text.slice(match.index + match[0].length);
  // Bytes above 0x7f stay the bytes they were; the few in WORDS become bytes that are not UTF-8.
  return Buffer.from(`${text.slice(0, match.index)}${replace(match[0])}${end}`, "latin1");
}

const FOR_BYTES = [flipBit, flipBit, setByte, truncate, cutOut, putIn, repeat, splice];
const FOR_TOKENS = [changeNumber, changeNumber, changeToken, swapTokens, nest];
/** Broken bytes seldom get past a parser; more often it is the tokens that break. */
const FOR_TEXT = [...FOR_TOKENS, ...FOR_TOKENS, ...FOR_BYTES];

/** `$...*hh` of NMEA 0183: the characters between are summed by exclusive or. */
const NMEA_SENTENCE = /[$!]([^$!*\r\n]*)\*[0-9A-Fa-f]{2}/g;

/** Sums NMEA sentences anew, so that a broken one gets past its checksum. */
function sumAgain(payload: Buffer): Buffer {
  const text = payload.toString("latin1");
  if (!text.includes("*")) return payload;
  const summed = text.replace(NMEA_SENTENCE, (sentence, body: string) => {
    let sum = 0;
    for (let i = 0; i < body.length; i += 1) sum ^= body.charCodeAt(i);
    return `${sentence.slice(0, -2)}${sum.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return Buffer.from(summed, "latin1");
}

/** What a Teltonika packet has around its data: zeros and a length before, a checksum behind. */
const TELTONIKA = { head: 8, tail: 4 } as const;

/** Counts and sums a Teltonika Codec 8 packet anew (CRC-16/ARC over its data). */
function packAgain(payload: Buffer): Buffer {
  const dataLength = payload.length - TELTONIKA.head - TELTONIKA.tail;
  if (dataLength < 0 || payload.readUInt32BE(0) !== 0) return payload;
  const packet = Buffer.from(payload);
  let sum = 0;
  for (const byte of packet.subarray(TELTONIKA.head, -TELTONIKA.tail)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0xa001 : sum >>> 1;
  }
  packet.writeUInt32BE(dataLength, 4);
  packet.writeUInt32BE(sum, packet.length - TELTONIKA.tail);
  return packet;
}

/**
 * Endless broken payloads, the same for the same seed: each is one of `inputs` after one to three mutations,
 * and never longer than a payload that intake decodes.
 */
export function* mutations(inputs: readonly Uint8Array[], seed: number): Generator<Buffer> {
  const random = seededRandom(seed);
  const pick: Pick = (below) => Math.floor(random() * below);
  const buffers = inputs.map((input) => Buffer.from(input));
  const texts = new Set(buffers.filter((input) => isUtf8(input)));
  for (;;) {
    const input = buffers[pick(buffers.length)];
    if (input === undefined) throw new RangeError("nothing to mutate");
    const kinds = texts.has(input) ? FOR_TEXT : FOR_BYTES;
    let payload: Buffer = input;
    for (let left = 1 + pick(1 + pick(3)); left > 0; left -= 1) {
      payload = kinds[pick(kinds.length)]?.(payload, pick, buffers) ?? payload;
    }
    if (pick(4) > 0) payload = texts.has(input) ? sumAgain(payload) : packAgain(payload);
    yield payload.subarray(0, MAX_PAYLOAD_BYTES);
  }
}
