import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firmAskBytes, type Here, hereSchema, readFirmAsk } from '../../electron/fleet/surface-messages.ts';
import { MAX_BODY_BYTES } from '../../electron/protocol/firm-request.ts';

const ask = { chainId: 1, counterparty: 'one.example', signature: 'a'.repeat(64), turn: 1, at: 0 };
const whole = { ...ask, body: Buffer.alloc(MAX_BODY_BYTES, 0x20) };

describe('a firm request that a surface hands on', () => {
  it('may have the largest body that HTTP takes', () => {
    expect(readFirmAsk(firmAskBytes(whole))).toEqual(whole);
    expect(readFirmAsk(firmAskBytes({ ...whole, signature: undefined })).signature).toBeUndefined();
  });

  it.each([
    ['a larger body', { body: Buffer.alloc(MAX_BODY_BYTES + 1) }],
    ['a signature that is longer than one', { signature: 'a'.repeat(65) }],
    ['a signature that is not of hex digits', { signature: 'g'.repeat(64) }],
    ['a counterparty with an endless name', { counterparty: 'a'.repeat(201) }],
    ['more before its body than belongs there', { more: 'a'.repeat(10_000) }],
  ])('is not taken with %s', (_what, change) => {
    expect(() => readFirmAsk(firmAskBytes({ ...whole, ...change }))).toThrow();
  });
});

describe('what a surface says of itself', () => {
  const beat: Here['beats'][number] = { chainId: 1, endpoint: 'prices', at: 0, by: null, status: 200, skewMs: null };
  const here: Here = {
    id: randomUUID(),
    name: 'paris',
    url: 'http://127.0.0.1:1',
    version: '1',
    startedAt: 0,
    switched: 'on',
    beats: [beat],
    webSockets: 0,
    asked: 0,
    unanswered: 0,
    serves: true,
    perSecond: 0,
    p99Ms: null,
    leaves: false,
  };

  it('is taken, with an address that cannot be told where it is none', () => {
    expect(hereSchema.parse(here)).toEqual(here);
    const refusedAddresses = [{ domain: 'one.example', address: 'a'.repeat(1_000) }];
    expect(hereSchema.parse({ ...here, refusedAddresses }).refusedAddresses).toMatchObject([{ address: null }]);
  });

  it.each<[string, Partial<Here>]>([
    ['an endless address', { url: 'a'.repeat(501) }],
    ['an endless version', { version: 'a'.repeat(101) }],
    ['more requests than a desk has endpoints', { beats: Array.from({ length: 5_001 }, () => beat) }],
    ['somebody with an endless name', { beats: [{ ...beat, by: 'a'.repeat(201) }] }],
    ['more feeds than a desk has chains', { feeds: Array.from({ length: 1_001 }, () => ({ chainId: 1, open: 0 })) }],
    ['too many who use earlier keys', { earlierUses: Array.from({ length: 101 }, () => 'one.example') }],
  ])('is not taken with %s', (_what, change) => {
    expect(hereSchema.safeParse({ ...here, ...change }).success).toBe(false);
  });
});
