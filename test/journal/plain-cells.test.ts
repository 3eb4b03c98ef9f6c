import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import { plainQuoteCells, quoteCells } from '../../electron/journal/quotes/proof.ts';
import { extremeBody } from '../extreme-events.ts';
import { howOften } from '../how-often.ts';
import { quoteBody, REFUSED, START } from './sample-events.ts';

/** The members of a row in the order of the firm path. */
const MEMBERS: readonly (keyof QuoteBody)[] = [
  ...([
    'chainId',
    'pair',
    'side',
    'given',
    'userAddress',
    'takerAddress',
    'maker',
    'makerAsset',
    'takerAsset',
  ] as const),
  ...(['makerAmount', 'takerAmount', 'ladderRevision', 'balance', 'allowance', 'exposure', 'hedged'] as const),
  ...(['counterparty', 'receivedAt', 'latencyMs', 'requestBody', 'requestBytes'] as const),
  ...(['orderHash', 'nonceAndMeta', 'expiry', 'signature', 'code', 'requestSignature'] as const),
];

function textOf(body: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, body[name]])));
}

const usual = fc
  .record({ signed: fc.boolean(), number: fc.nat({ max: 20 }) })
  .map(({ signed, number }): Record<string, unknown> => ({ ...quoteBody(number, signed ? {} : REFUSED) }));
/** A usual row with some of its members at an end of what they may be. */
const bodies = fc
  .tuple(usual, extremeBody('quote', {}), fc.subarray([...MEMBERS], { maxLength: 4 }))
  .map(([body, extreme, names]) => ({ ...body, ...Object.fromEntries(names.map((name) => [name, extreme[name]])) }));
const pieces = [
  '"',
  '\\',
  '\\"',
  '\\u0041',
  ',',
  '{',
  '}',
  '[',
  ']',
  ':',
  ' ',
  '\n',
  '\u0007',
  '-',
  '.',
  '0',
  'e',
  'é',
  '💥',
];
const inserted = fc.constantFrom(
  ...pieces,
  ...MEMBERS.flatMap((name) => [`"${name}":`, `,"${name}":null`, `"${name}":1,`]),
);
const edits = fc.array(
  fc.record({ at: fc.nat(), out: fc.nat({ max: 6 }), into: fc.oneof(fc.constant(''), inserted) }),
  {
    maxLength: 2,
  },
);

it('the cells of a quote that are read off its text are those of what a parser makes of it, whatever the text is', () => {
  let plain = 0;
  fc.assert(
    fc.property(bodies, edits, (body, changes) => {
      const text = changes.reduce((before, { at, out, into }) => {
        const place = at % (before.length + 1);
        return before.slice(0, place) + into + before.slice(place + out);
      }, textOf(body));
      const cells = plainQuoteCells(7, START, text);
      if (cells === null) return;
      plain += 1;
      expect(cells).toEqual(quoteCells({ seq: 7, time: START, body: JSON.parse(text) }));
    }),
    { numRuns: howOften(4_000, 100_000) },
  );
  expect(plain).toBeGreaterThan(400);
});
