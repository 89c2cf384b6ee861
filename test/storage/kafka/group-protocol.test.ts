import fc from "fast-check";
import { expect, it } from "vitest";
import {
  assignPartitions,
  decodeMember,
  decodePartitions,
  encodeMember,
  encodePartitions,
  type Member,
} from "../../../storage/kafka/group-protocol.ts";
import { range } from "../../support/journal.ts";

type Given = Omit<Member, "isAble"> & Partial<Member>;
const able = (members: readonly Given[]): readonly Member[] =>
  members.map((member) => ({ isAble: true, ...member }));
const assigned = (members: readonly Given[], partitions: number) =>
  Object.fromEntries(assignPartitions(able(members), partitions));

it("one member has all partitions, and of more members than partitions some have none", () => {
  expect(assigned([{ id: "a", has: [] }], 3)).toEqual({ a: [0, 1, 2] });
  expect(
    assigned(
      ["a", "b", "c"].map((id) => ({ id, has: [] })),
      2,
    ),
  ).toEqual({ a: [0], b: [1], c: [] });
});

it("a member that comes gets its share, and the others keep all they may", () => {
  const members = [
    { id: "a", has: [0, 1, 2, 3] },
    { id: "b", has: [4, 5, 6] },
    { id: "c", has: [] },
  ];
  expect(assigned(members, 7)).toEqual({ a: [0, 1, 2], b: [4, 5], c: [3, 6] });
});

it("what two members have is given to one, and what there is not to none", () => {
  const members = [
    { id: "a", has: [0, 1] },
    { id: "b", has: [1, 99] },
  ];
  expect(assigned(members, 4)).toEqual({ a: [0, 1], b: [2, 3] });
});

it("a member that cannot work has none while another can, and keeps its own where none can", () => {
  const [a, b, c] = [
    { id: "a", has: [0, 1] },
    { id: "b", has: [2, 3] },
    { id: "c", has: [4, 5] },
  ];
  const isAble = false;
  expect(assigned([{ ...a, isAble }, b, c], 6)).toEqual({ a: [], b: [0, 2, 3], c: [1, 4, 5] });
  const none = [a, b, c].map((member) => ({ ...member, isAble }));
  expect(assigned(none, 6)).toEqual({ a: [0, 1], b: [2, 3], c: [4, 5] });
});

it("a member says whether it can work, in words that versions before take for its partitions alone", () => {
  for (const isAble of [true, false]) {
    const self = { has: [0, 7], isAble };
    expect(decodeMember(encodeMember(self))).toEqual(self);
    expect(decodePartitions(encodeMember(self))).toEqual([0, 7]);
  }
  expect(decodeMember(encodePartitions([3]))).toEqual({ has: [3], isAble: true });
  expect(decodeMember(undefined)).toEqual({ has: [], isAble: true });
});

it("every partition has one owner, none has more than one beyond another, and nobody gives up what it may keep", () => {
  const member = fc.record({
    id: fc.uuid(),
    has: fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(member, { minLength: 1, maxLength: 8, selector: ({ id }) => id }),
      fc.integer({ min: 1, max: 40 }),
      (members, partitions) => {
        const given = assignPartitions(able(members), partitions);
        const all = [...given.values()].flat().sort((a, b) => a - b);
        expect(all).toEqual(range(0, partitions - 1));
        const counts = [...given.values()].map((own) => own.length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        // A second round changes nothing.
        const settled = members.map(({ id }) => ({ id, has: given.get(id) ?? [] }));
        expect(assignPartitions(able(settled), partitions)).toEqual(given);
      },
    ),
  );
});

it("partitions travel as text, and what is not a list of whole numbers is none", () => {
  expect(decodePartitions(encodePartitions([0, 7, 11]))).toEqual([0, 7, 11]);
  for (const text of ["", "{}", "[", "7"]) expect(decodePartitions(Buffer.from(text))).toEqual([]);
  expect(decodePartitions(Buffer.from('[1,"2",null,3.5,4]'))).toEqual([1, 4]);
  expect(decodePartitions(undefined)).toEqual([]);
});
