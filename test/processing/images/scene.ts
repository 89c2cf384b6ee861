import sharp, { type Sharp } from "sharp";

const EDGE = { width: 320, height: 240 };

/** A picture with detail at every place: a seeded noise over a slope, three bytes a pixel. */
export function picture({ width, height } = EDGE, seed = 1): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let i = 0; i < pixels.length; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[i] = ((Math.floor(i / 3) % width) * 127) / width + (state / 2_147_483_648) * 100;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** An XMP packet with attributes of one namespace. */
export function xmp(prefix: string, uri: string, attributes: Readonly<Record<string, string>>) {
  const text = Object.entries(attributes)
    .map(([name, value]) => `${prefix}:${name}="${value}"`)
    .join(" ");
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:${prefix}="${uri}" ${text}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}
