import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firmRequestSchema, parseFirmRequest, plainRequest } from '../../electron/protocol/firm-request.ts';

const good = {
  makerAsset: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  takerAsset: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  userAddress: '0x05182E579FDfCf69E4390c3411D8FeA1fb6467cf',
  takerAddress: '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57',
  makerAmount: '1000',
};
const parse = (body: unknown) => parseFirmRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const sentence = (body: unknown) => {
  const parsed = parse(body);
  return parsed.ok ? 'accepted' : parsed.sentence;
};

describe('a firm request', () => {
  it('is read with addresses in lower case and remembers how they were spelt', () => {
    const parsed = parse(good);
    expect(parsed).toEqual({
      ok: true,
      request: {
        makerAsset: good.makerAsset.toLowerCase(),
        takerAsset: good.takerAsset.toLowerCase(),
        userAddress: good.userAddress.toLowerCase(),
        takerAddress: good.takerAddress.toLowerCase(),
        given: 'makerAmount',
        amount: 1000n,
      },
      spelling: { makerAsset: good.makerAsset, takerAsset: good.takerAsset, taker: good.takerAddress },
    });
  });

  it('tolerates fields it does not know, blanks and line ends', () => {
    expect(parse({ ...good, special: true, partner: 'x', extra: { deep: [1] } }).ok).toBe(true);
    expect(parse(` \n${JSON.stringify(good, null, 3)}\r\n`).ok).toBe(true);
  });

  it('wants exactly one amount', () => {
    expect(sentence({ ...good, takerAmount: '5' })).toMatch(/exactly one of makerAmount and takerAmount/);
    expect(sentence({ ...good, makerAmount: undefined })).toMatch(/exactly one of makerAmount and takerAmount/);
    expect(parse({ ...good, makerAmount: undefined, takerAmount: '5' })).toMatchObject({
      request: { given: 'takerAmount', amount: 5n },
    });
  });

  it('takes null beside the given amount as absent, and refuses two of them', () => {
    expect(parse({ ...good, takerAmount: null })).toMatchObject({ request: { given: 'makerAmount', amount: 1000n } });
    expect(parse({ ...good, makerAmount: null, takerAmount: '5' })).toMatchObject({
      request: { given: 'takerAmount', amount: 5n },
    });
    expect(sentence({ ...good, makerAmount: null, takerAmount: null })).toMatch(/exactly one of makerAmount/);
  });

  it('takes leading zeros, up to a bounded length of the text', () => {
    expect(parse({ ...good, makerAmount: '0001000' })).toMatchObject({ request: { amount: 1000n } });
    expect(parse({ ...good, makerAmount: '1000'.padStart(100, '0') })).toMatchObject({ request: { amount: 1000n } });
    expect(sentence({ ...good, makerAmount: '1000'.padStart(101, '0') })).toMatch(/makerAmount must have at most/);
    expect(sentence({ ...good, makerAmount: `00${2n ** 256n}` })).toMatch(/makerAmount must be below/);
  });

  const amounts = [
    '-1',
    '0',
    '00',
    '0x',
    '0-1',
    '00 5',
    '1.5',
    '0x10',
    '1e6',
    '9'.repeat(80),
    String(2n ** 256n),
    '',
    'ten',
    ' 5',
    '٥',
    5,
    null,
    true,
    ['5'],
    {},
  ];
  it.each(amounts)('refuses the amount %j and names its field', (amount) => {
    expect(sentence({ ...good, makerAmount: amount })).toMatch(/makerAmount/);
    expect(sentence({ ...good, makerAmount: undefined, takerAmount: amount })).toMatch(/takerAmount/);
  });

  it('takes the largest amount that an order holds', () => {
    expect(parse({ ...good, makerAmount: String(2n ** 256n - 1n) }).ok).toBe(true);
  });

  const a40 = 'a'.repeat(40);
  it.each([
    undefined,
    `0x${a40.slice(1)}`,
    `0x${a40}a`,
    a40,
    `0x${'g'.repeat(40)}`,
    '',
    5,
    null,
    [`0x${a40}`],
    'constructor',
    `0x${a40}\n`,
  ])('refuses the address %j and names its field', (address) => {
    for (const field of ['makerAsset', 'takerAsset', 'userAddress', 'takerAddress']) {
      expect(sentence({ ...good, [field]: address })).toContain(field);
    }
  });

  it('refuses the zero address as user or taker, and one token on both ends in any casing', () => {
    const zero = `0x${'0'.repeat(40)}`;
    expect(sentence({ ...good, userAddress: zero })).toMatch(/userAddress must not be the zero address/);
    expect(sentence({ ...good, takerAddress: zero })).toMatch(/takerAddress must not be the zero address/);
    expect(sentence({ ...good, takerAsset: good.makerAsset.toLowerCase() })).toMatch(/same token/);
  });

  it.each([
    '{"makerAsset":',
    'hello',
    '',
    '[]',
    'null',
    '"x"',
    '5',
    `{"__proto__":${JSON.stringify(good)}}`,
    '['.repeat(60_000),
    '\ufeff{}',
  ])('refuses the body %.40s', (body) => expect(parse(body).ok).toBe(false));

  it('never throws, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof parseFirmRequest(bytes).ok === 'boolean'),
    );
    fc.assert(fc.property(fc.json(), (text) => !parse(text).ok));
  });
});

describe('a request as the service writes them', () => {
  const address = fc.constantFrom(
    ...[good.makerAsset, good.takerAsset, good.makerAsset.toLowerCase(), good.userAddress, `0x${'0'.repeat(40)}`],
    ...['0x', '0X0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', `${good.makerAsset}\n`, '', 7, null, undefined, ['0x']],
  );
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength: 80 });
  const most = (2n ** 256n - 1n).toString();
  const amount = fc.oneof(
    digits,
    fc.constantFrom<unknown>(
      ...[undefined, null, '0', '007', '1\n', '-1', '1e3', 5, most, `${most}0`, `${2n ** 256n}`],
    ),
    fc.constantFrom('9'.repeat(77), '1', '1000'),
  );
  const parties = { makerAsset: address, takerAsset: address, userAddress: address, takerAddress: address };
  const nearly = fc.record({ ...parties, makerAmount: amount, takerAmount: amount }, { requiredKeys: [] });
  const body = fc.oneof(
    nearly,
    nearly.map((some) => ({ ...good, ...some })),
    fc.tuple(nearly, fc.constantFrom(...Object.keys(good))).map(([some, key]) => {
      return { ...good, [key]: (some as Record<string, unknown>)[key], special: true };
    }),
    fc.anything(),
  );

  it('is read as the schema reads it, wherever it is read without the schema', () => {
    let plain = 0;
    fc.assert(
      fc.property(body, (json) => {
        const read = plainRequest(json);
        if (read === null) return;
        plain += 1;
        expect(firmRequestSchema.safeParse(json)).toEqual({ success: true, data: read });
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(100);
    expect(plainRequest(good)).not.toBeNull();
  });
});
