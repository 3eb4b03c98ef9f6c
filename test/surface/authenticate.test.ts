import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../electron/protocol/hmac.ts';
import { checkRequest } from '../../electron/surface/authenticate.ts';
import { howOften } from '../how-often.ts';
import published from '../vectors/published-hmac.json' with { type: 'json' };

const NOW = 1_790_000_000_000;
const SECRET = 'a-secret-of-some-length';
const counterparties = new Map([
  ['desk.example', { accessKey: 'the-access-key', secretKey: SECRET, signedPath: 'full' as const }],
  ['short.example', { accessKey: 'the-other-key', secretKey: `${SECRET}2`, signedPath: 'without-prefix' as const }],
]);
type Sent = {
  domain: string;
  accessKey: string;
  timestamp: string;
  signature: string;
  method: string;
  path: string;
  body: string;
};
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

function signed(change: Partial<Sent> = {}): Sent {
  const timestamp = change.timestamp ?? String(NOW);
  const method = change.method ?? 'POST';
  const path = change.path ?? '/31337/firm';
  const body = change.body ?? '{"makerAmount":"5"}';
  const signature = hmac(SECRET, timestamp + method + path + body);
  return { domain: 'desk.example', accessKey: 'the-access-key', timestamp, signature, method, path, body, ...change };
}

function check(sent: Sent) {
  const headers = {
    'x-auth-domain': sent.domain,
    'x-auth-access-key': sent.accessKey,
    'x-auth-timestamp': sent.timestamp,
    'x-auth-signature': sent.signature,
  };
  const { method, path } = sent;
  const body = Buffer.from(sent.body, 'latin1');
  return checkRequest(headers, { method, path, body, now: NOW, counterparties, basePath: '/31337' });
}

const sentence = (sent: Sent) => {
  const verdict = check(sent);
  return verdict.ok ? 'accepted' : verdict.sentence;
};

describe('signing a request', () => {
  it('gives the published signature', () => {
    expect(signRequest(published)).toBe(published.signature);
  });

  it('signs timestamp, method, path with query and the bytes of the body, one after another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.webPath(), fc.webQueryParameters(), (body, path, query) => {
        const request = { secretKey: SECRET, timestamp: NOW, method: 'POST', path: `${path}?${query}` };
        const expected = hmac(SECRET, `${NOW}POST${path}?${query}${body}`);
        expect(signRequest({ ...request, body })).toBe(expected);
        expect(signRequest({ ...request, body: Buffer.from(body) })).toBe(expected);
      }),
    );
  });
});

describe('while newer keys and earlier ones are both taken', () => {
  const BOTH = new Map([
    [
      'desk.example',
      {
        accessKey: 'the-new-key',
        secretKey: `${SECRET}-new`,
        earlier: { accessKey: 'the-access-key', secretKey: SECRET },
        signedPath: 'full' as const,
      },
    ],
  ]);
  const judged = (
    accessKey: string,
    secret: string,
    parties: Parameters<typeof checkRequest>[1]['counterparties'] = BOTH,
  ) => {
    const [timestamp, body] = [String(NOW), '{}'];
    const headers = {
      'x-auth-domain': 'desk.example',
      'x-auth-access-key': accessKey,
      'x-auth-timestamp': timestamp,
      'x-auth-signature': hmac(secret, `${timestamp}POST/31337/firm${body}`),
    };
    const request = { method: 'POST', path: '/31337/firm', body: Buffer.from(body), now: NOW, basePath: '/31337' };
    return checkRequest(headers, { ...request, counterparties: parties });
  };

  it('takes either, and tells the earlier ones', () => {
    expect(judged('the-new-key', `${SECRET}-new`)).not.toHaveProperty('earlier');
    expect(judged('the-new-key', `${SECRET}-new`).ok).toBe(true);
    expect(judged('the-access-key', SECRET)).toMatchObject({ ok: true, earlier: true });
  });

  it('takes no access key with the secret of the other, and no third', () => {
    expect(judged('the-new-key', SECRET).ok).toBe(false);
    expect(judged('the-access-key', `${SECRET}-new`).ok).toBe(false);
    expect(judged('the-third-key', SECRET).ok).toBe(false);
  });

  it('tells which secret it was where the access key stayed the same', () => {
    const [party] = BOTH.values();
    if (party === undefined) throw new Error('There is no counterparty.');
    const same = new Map([['desk.example', { ...party, accessKey: 'the-access-key' }]]);
    expect(judged('the-access-key', SECRET, same)).toMatchObject({ ok: true, earlier: true });
    expect(judged('the-access-key', `${SECRET}-new`, same)).toMatchObject({ ok: true });
    expect(judged('the-access-key', `${SECRET}-new`, same)).not.toHaveProperty('earlier');
    expect(judged('the-access-key', `${SECRET}-old`, same).ok).toBe(false);
  });
});

describe('checking a request', () => {
  it('accepts what is properly signed and tells whose it is and how far the clocks are apart', () => {
    for (const skewMs of [0, -20_000]) {
      const request = signed({ timestamp: String(NOW + skewMs) });
      const { signature } = request;
      expect(check(request)).toEqual({ ok: true, domain: 'desk.example', skewMs, signature, oneOrder: true });
    }
    expect(check(signed({ method: 'GET', path: '/31337/prices?x=1', body: '' })).ok).toBe(true);
  });

  it('leaves the base path out where that was agreed', () => {
    const short = { domain: 'short.example', accessKey: 'the-other-key', method: 'GET', body: '' };
    const accepts = (path: string, over: string) => {
      const signature = hmac(`${SECRET}2`, `${NOW}GET${over}`);
      return check(signed({ ...short, path, signature })).ok;
    };
    expect(accepts('/31337/prices', '/prices')).toBe(true);
    expect(accepts('/31337/prices?x=1', '/prices?x=1')).toBe(true);
    expect(accepts('/31337', '/')).toBe(true);
    expect(accepts('/31337?x', '/?x')).toBe(true);
    expect(accepts('/31337/prices', '/31337/prices')).toBe(false);
    expect(accepts('/313370/prices', '/313370/prices')).toBe(true);
  });

  it('takes timestamps up to 30 s on either side and no further', () => {
    for (const away of [-30_000, 30_000]) expect(check(signed({ timestamp: String(NOW + away) })).ok).toBe(true);
    expect(sentence(signed({ timestamp: String(NOW - 30_001) }))).toMatch(/30 s behind our clock/);
    expect(sentence(signed({ timestamp: String(NOW + 45_000) }))).toMatch(/45 s ahead of our clock/);
  });

  it.each(['soon', 'NaN', 'Infinity', '-1', '1e12', `${NOW} `, '9'.repeat(40), ` ${NOW}`, `0x${NOW.toString(16)}`])(
    'refuses the timestamp %j',
    (timestamp) => expect(sentence(signed({ timestamp }))).toMatch(/X-AUTH-TIMESTAMP/),
  );

  it('names the header that is missing or empty', () => {
    expect(sentence(signed({ domain: '' }))).toBe('X-AUTH-DOMAIN is missing or empty.');
    expect(sentence(signed({ accessKey: '' }))).toBe('X-AUTH-ACCESS-KEY is missing or empty.');
    expect(sentence(signed({ timestamp: '' }))).toBe('X-AUTH-TIMESTAMP is missing or empty.');
    expect(sentence(signed({ signature: '' }))).toBe('X-AUTH-SIGNATURE is missing or empty.');
  });

  it('refuses domains nobody agreed on, also those that every object has', () => {
    for (const domain of ['other', '__proto__', 'constructor', 'DESK.EXAMPLE', 'desk.example ']) {
      expect(sentence(signed({ domain }))).toMatch(/X-AUTH-DOMAIN names no domain/);
    }
    expect(sentence(signed({ domain: 'short.example' }))).toMatch(/X-AUTH-ACCESS-KEY/);
  });

  it('refuses a signature in any other form than 64 hex digits', () => {
    const { signature } = signed();
    const forms = [signature.slice(1), `${signature}0`, `0x${signature}`, 'zz', `${signature} `];
    for (const form of forms) expect(sentence(signed({ signature: form }))).toMatch(/64 hex digits/);
  });

  it('takes hex digits of either case', () => {
    const { signature } = signed();
    expect(signature).toMatch(/[a-f]/);
    expect(check(signed({ signature: signature.toUpperCase() })).ok).toBe(true);
    expect(check(signed({ signature: signature.slice(0, 32) + signature.slice(32).toUpperCase() })).ok).toBe(true);
  });

  it('leaves the body of a GET out of what is signed, as the other side does', () => {
    const get = { method: 'GET', path: '/31337/prices' };
    const { signature } = signed({ ...get, body: '' });
    expect(check(signed({ ...get, body: '{}', signature })).ok).toBe(true);
    expect(check(signed({ ...get, body: '{}' })).ok).toBe(false);
  });

  it('refuses any change of a single bit, in any part of the request', () => {
    const good = signed();
    const parts = ['domain', 'accessKey', 'timestamp', 'signature', 'method', 'path', 'body'] as const;
    for (const part of parts) {
      const bytes = Buffer.from(good[part], 'latin1');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const sent = changed.toString('latin1');
        const respelt = part === 'signature' && sent.toLowerCase() === good.signature;
        expect(check({ ...good, [part]: sent }).ok).toBe(respelt);
      }
    }
  });

  it('refuses any change of a single character, in any part of the request', () => {
    const part = fc.constantFrom<(keyof Sent)[]>('domain', 'accessKey', 'timestamp', 'signature', 'path', 'body');
    const property = fc.property(part, fc.nat(), fc.string({ maxLength: 2, unit: 'binary-ascii' }), (name, at, put) => {
      const good = signed();
      const index = at % good[name].length;
      const changed = good[name].slice(0, index) + put + good[name].slice(index + 1);
      const respelt = name === 'signature' && changed.toLowerCase() === good.signature;
      if (changed !== good[name]) expect(check({ ...good, [name]: changed }).ok).toBe(respelt);
    });
    fc.assert(property, { numRuns: howOften(300, 5_000) });
  });

  it('says nothing secret in a refusal', () => {
    const bad = [signed({ accessKey: 'x' }), signed({ signature: 'a'.repeat(64) }), signed({ timestamp: '5' })];
    for (const sent of bad) {
      expect(check(sent).ok).toBe(false);
      for (const secret of [SECRET, 'the-access-key', signed().signature]) expect(sentence(sent)).not.toContain(secret);
    }
  });
});
