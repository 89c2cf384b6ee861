import { slowness } from "../../support/slowness.ts";
import { type Check, type Stage, seconds } from "./stage.ts";
import { createStockpile } from "./yard.ts";

/** Issue: clear 400s in under a second. */
const SOON_MS = 1_000;
/** A machine that other work is on may be late once: so many tries, each by how slow the machine is then. */
const TRIES = 3;

/** Each request that cannot be measured, what it is refused with and how soon. */
export async function quickRefusals(stage: Stage, check: Check): Promise<void> {
  const { client, images } = stage;
  const shown = images.show(await stage.sets.small);
  const id = await createStockpile(client, "refusals");
  const nobody = Array.from({ length: 10_000 }, (_, i) => `https://site.example/${i}.jpg`);
  const four = shown.slice(0, 4);

  const cases: readonly (readonly [
    name: string,
    images: unknown,
    code: string,
    message: RegExp,
  ])[] = [
    ["no images", undefined, "invalid_parameter", /^images is required/],
    ["an empty array", [], "invalid_parameter", /^images must name at least one/],
    ["301 images", nobody.slice(0, 301), "invalid_parameter", /at most 300 entries, not 301/],
    ["10,000 URLs", nobody, "invalid_parameter", /at most 300 entries, not 10000/],
    ["3 images", shown.slice(0, 3), "unusable_images", /^TOO_FEW_IMAGES: 3 images \(at least 5\)/],
    [
      "a private address",
      [...shown, "http://10.0.0.7/8.jpg"],
      "invalid_parameter",
      /^images\[12\] leads to an address or a port that is not allowed/,
    ],
    [
      "another address of this machine",
      [...shown, "http://127.0.0.2/8.jpg"],
      "invalid_parameter",
      /^images\[12\] leads to/,
    ],
    [
      "a file of the server",
      [...shown, "file:///etc/passwd"],
      "invalid_parameter",
      /^images\[12\] must be an absolute http or https URL/,
    ],
    [
      "five images, one of them a page",
      [...four, images.page],
      "unusable_images",
      /login\.jpg is not a JPEG/,
    ],
    [
      "five images, one of them 404",
      [...four, images.absent("9.jpg")],
      "unusable_images",
      /9\.jpg was answered with status 404/,
    ],
    [
      "a private address behind a name",
      [...four, `http://ip6-localhost:${images.port}/9.jpg`],
      "unusable_images",
      /9\.jpg (leads to an address|could not be fetched: host not found)/,
    ],
    [
      "a 404 in the place of a surface",
      [images.absent("dsm.tif")],
      "unusable_images",
      /^dsm\.tif was answered with status 404/,
    ],
  ];
  for (const [name, entries, code, message] of cases) {
    let fastestMs = Number.POSITIVE_INFINITY;
    let isSoon = false;
    let answered = "";
    let isSo = false;
    for (let i = 0; i < TRIES && !isSoon; i++) {
      const { status, body, ms } = await client.post(`/materials/stockpiles/${id}/measure`, {
        images: entries,
      });
      fastestMs = Math.min(fastestMs, ms);
      isSoon = ms < SOON_MS * slowness();
      answered = `${status} ${body.error?.code}: ${body.error?.message.slice(0, 120)}`;
      isSo = status === 400 && body.error?.code === code && message.test(body.error.message);
      if (!isSo) break;
    }
    check(`${name}: a clear 400`, isSo, answered);
    check(`${name}: in under a second`, isSoon, seconds(fastestMs));
  }
  const { body } = await client.get(`/materials/stockpiles/${id}/measurements`);
  check("nothing was measured of them", body.pagination?.total === 0);
}
