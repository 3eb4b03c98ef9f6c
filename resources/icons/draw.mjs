// Draws the icons of this folder: `node resources/icons/draw.mjs`. Shapes and colours are those of the console's states.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const LIVE = [0x5f, 0xcd, 0xb6];
const DRAIN = [0xff, 0xd8, 0x4a];
const HALTED = [0xff, 0x7a, 0x5c];
const UNKNOWN = [0x8c, 0x98, 0xa4];
const GROUND = [0x13, 0x17, 0x1b];
const BID = [0x74, 0xb5, 0xff];
const ASK = [0xf2, 0xa3, 0x3c];

/** Samples along each edge of a pixel. */
const SAMPLES = 6;

const inDisc = (x, y, r) => Math.hypot(x - 0.5, y - 0.5) <= r;
const inBox = (x, y, left, top, right, bottom) => x >= left && x <= right && y >= top && y <= bottom;
const inRing = (x, y) => inDisc(x, y, 0.42) && !inDisc(x, y, 0.28);

/** A point of the unit square to a colour, or null where nothing is drawn. */
const shapes = {
  'tray-live': (x, y) => (inDisc(x, y, 0.42) ? LIVE : null),
  'tray-drain': (x, y) => (inRing(x, y) || (inDisc(x, y, 0.42) && x <= 0.5) ? DRAIN : null),
  'tray-halted': (x, y) => (inBox(x, y, 0.12, 0.12, 0.88, 0.88) ? HALTED : null),
  'tray-unknown': (x, y) => (inRing(x, y) ? UNKNOWN : null),
  makerdesk: (x, y) => {
    if (!inRounded(x, y, 0.04, 0.18)) return null;
    for (const [row, length] of [0.3, 0.22, 0.14].entries()) {
      const top = 0.24 + row * 0.19;
      if (inBox(x, y, 0.47 - length, top, 0.47, top + 0.13)) return BID;
      if (inBox(x, y, 0.53, top, 0.53 + length, top + 0.13)) return ASK;
    }
    return GROUND;
  },
};

function inRounded(x, y, margin, radius) {
  const dx = Math.max(margin + radius - x, x - (1 - margin - radius), 0);
  const dy = Math.max(margin + radius - y, y - (1 - margin - radius), 0);
  return Math.hypot(dx, dy) <= radius;
}

/** The colour of a pixel: the mean of its samples, and as opaque as the share of them that the shape covers. */
function pixel(shape, size, column, row) {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = (column + ((i % SAMPLES) + 0.5) / SAMPLES) / size;
    const y = (row + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES) / size;
    const colour = shape(x, y);
    if (colour === null) continue;
    hits++;
    for (let c = 0; c < 3; c++) sum[c] += colour[c];
  }
  return hits === 0 ? [0, 0, 0, 0] : [...sum.map((c) => Math.round(c / hits)), Math.round((255 * hits) / SAMPLES ** 2)];
}

function png(shape, size) {
  const rows = [];
  for (let row = 0; row < size; row++) {
    rows.push(0); // no filter
    for (let column = 0; column < size; column++) rows.push(...pixel(shape, size, column, row));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits each of red, green, blue and alpha
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.from(rows), { level: 9 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

for (const [name, shape] of Object.entries(shapes)) {
  const sizes = name === 'makerdesk' ? { '': 512 } : { '': 16, '@2x': 32 };
  for (const [suffix, size] of Object.entries(sizes)) {
    writeFileSync(new URL(`./${name}${suffix}.png`, import.meta.url), png(shape, size));
  }
}
