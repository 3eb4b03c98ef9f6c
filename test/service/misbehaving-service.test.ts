import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import '../../electron/protocol/plain-issues.ts';
import { submitIntentOrder } from '../../electron/service/intent-orders.ts';
import { marketChains, marketPrices, marketTransaction } from '../../electron/service/market-operations.ts';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { Turns } from '../../electron/service/turns.ts';
import { envelope, OWNER, orderRecord, priceRoute, USDC, WETH } from '../protocol/wire-samples.ts';
import { type Answerer, json, saying } from './http-answers.ts';
import { talkingService } from './talking-service.ts';

const ask = { srcToken: WETH, destToken: USDC, amount: '1000000000000000000', network: 31337 } as const;
const good = json({ priceRoute: priceRoute() });
const cut: Answerer = (request) => void request.socket.destroy();
const silent: Answerer = () => {};
const busy =
  (retryAfter?: string): Answerer =>
  (_request, response) => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(429).end('{"errorType":"RateLimited","details":"slow down"}');
  };
const submit = { chainId: 31337, order: { owner: OWNER }, signature: `0x${'12'.repeat(64)}1b` };
const html = saying('<html><body>502 Bad Gateway</body></html>', 200, 'text/html');

describe('a question to a service', () => {
  it.each<[string, Answerer, RegExp]>([
    ['HTML', html, /not JSON: <html>/],
    ['an error page', saying('<html>Bad Gateway</html>', 502, 'text/html'), /HTTP 502: <html>Bad Gateway/],
    ['half of its JSON', saying('{"priceRoute": {"srcAmount": "34'), /not JSON/],
    ['nothing', saying(''), /nothing at all/],
    ['a list', json([]), /cannot be used: must be an object with named fields/],
    ['something else', json({ ok: true }), /priceRoute/],
  ])('that it answers with %s is told in one sentence, at once', async (_what, answer, sentence) => {
    const { service, heard } = await talkingService([answer]);
    await expect(marketPrices(service, ask)).rejects.toThrow(sentence);
    expect(heard).toHaveLength(1);
  });

  it.each<[string, Answerer]>([
    ['silence', silent],
    ['a drip', (_request, response) => void response.writeHead(200).write('{"p')],
  ])('that it answers with %s is given up when its time is over', async (_what, answer) => {
    const { service, heard } = await talkingService([answer], { timeoutMs: 1_500 });
    const sentence = /did not answer within 1.5 s/;
    await expect(marketPrices(service, ask)).rejects.toThrow(sentence);
    expect(heard.length).toBeLessThanOrEqual(1); // none, where the time was over before the machine came to it
  });

  it('is asked again where the connection broke, in its turn', async () => {
    const { service, heard, clock } = await talkingService([cut, cut, good]);
    expect((await marketPrices(service, ask)).hmac).toBe('c0ffee');
    expect(heard).toHaveLength(3);
    expect(clock.time).toBe(2_200);
  });

  it('is given up after three broken connections', async () => {
    const { service, heard } = await talkingService([cut]);
    await expect(marketPrices(service, ask)).rejects.toMatchObject({ code: 'service_unreachable', fate: 'unknown' });
    expect(heard).toHaveLength(3);
  });

  it.each<[string, string | undefined, number]>([
    ['says nothing', undefined, 2_000],
    ['says for how long', '5', 5_000],
    ['names a date', 'Sat, 21 Nov 2026 23:00:00 GMT', 2_000],
  ])('that counts calls and %s waits, with everybody else who asks it', async (_what, retryAfter, wait) => {
    const { service, heard, clock } = await talkingService([busy(retryAfter), good, json([1])]);
    await Promise.all([marketPrices(service, ask), marketChains(service)].map((asked) => asked.catch(() => {})));
    expect(heard).toHaveLength(3);
    expect(clock.time).toBeGreaterThanOrEqual(wait + 1_100);
  });

  it('that wants to be left alone for long is told at once', async () => {
    const { service, heard } = await talkingService([busy('3600')]);
    await expect(marketPrices(service, ask)).rejects.toMatchObject({
      code: 'service_refused',
      status: 429,
      errorType: 'RateLimited',
      said: 'RateLimited: slow down',
      retryAfterMs: 3_600_000,
    });
    expect(heard).toHaveLength(1);
  });

  it('ends with the desk', async () => {
    const stop = new AbortController();
    const { service } = await talkingService([silent], { signal: stop.signal });
    const asked = [marketPrices(service, ask), marketChains(service)];
    setTimeout(() => stop.abort(), 50);
    for (const one of await Promise.allSettled(asked)) expect(one.status).toBe('rejected');
  });
});

describe('what must not happen twice', () => {
  it.each<[string, Answerer, string, string]>([
    ['a broken connection', cut, 'service_unreachable', 'unknown'],
    ['silence', silent, 'service_unreachable', 'unknown'],
    ['HTML', html, 'service_nonsense', 'unknown'],
    ['half a JSON', saying('{"id": "5e0c'), 'service_nonsense', 'unknown'],
    ['nothing', saying(''), 'service_nonsense', 'unknown'],
    ['another shape', json({ done: true }), 'service_nonsense', 'unknown'],
    ['a gateway’s error', saying('bad', 502), 'service_refused', 'unknown'],
    ['its own fault', json({ errorType: 'InternalError' }, 500), 'service_refused', 'unknown'],
    ['a limit', busy('1'), 'service_refused', 'refused'],
    ['a no', json({ errorType: 'Order expired' }, 400), 'service_refused', 'refused'],
  ])('is sent once, and what became of it is told, when the answer is %s', async (what, answer, code, fate) => {
    const timeoutMs = what === 'silence' ? 1_500 : 60_000;
    const { service, heard } = await talkingService([answer, json(orderRecord())], { timeoutMs });
    await expect(submitIntentOrder(service, submit)).rejects.toMatchObject({ code, fate });
    // In silence its time may be over before the machine came to it.
    if (what === 'silence') expect(heard.length).toBeLessThanOrEqual(1);
    else expect(heard).toHaveLength(1);
  });

  it('is known not to have been sent where nobody listens', async () => {
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    const serviceUrl = `http://127.0.0.1:${port}`;
    const service = new ServiceConnection({ serviceUrl, turns: new Turns(), now: Date.now });
    await expect(submitIntentOrder(service, submit)).rejects.toMatchObject({
      fate: 'not_sent',
      message: expect.stringMatching(/does not answer: nobody listens there\.$/),
    });
  });

  it('nor is a build asked for twice', async () => {
    const { service, heard } = await talkingService([cut, json(envelope())]);
    const body = { priceRoute: priceRoute(), srcToken: WETH, destToken: USDC, userAddress: OWNER, srcAmount: '1' };
    await expect(marketTransaction(service, { ...body, slippage: 1 })).rejects.toThrow(/does not answer/);
    expect(heard).toHaveLength(1);
  });
});

describe('the service’s own words', () => {
  it.each([
    ['Invalid srcToken', 400],
    ['Invalid destToken', 400],
    ['Unsupported chain', 422],
    ['Invalid priceRoute', 400],
    ['Stale priceRoute', 400],
    ['Partner not allowed', 422],
    ['No route', 400],
    ['Token not supported', 400],
    ['InvalidTWAPParams', 400],
    ['Permit / Permit2 required', 400],
    ['InsufficientAllowance', 400],
    ['Order already settled', 400],
    ['deadline must allow enough time for all slices to execute', 400],
  ])('are kept: %s', async (text, status) => {
    for (const body of [{ errorType: text }, { errorType: 'X', details: text }, { error: text }, { message: text }]) {
      const { service } = await talkingService([json(body, status)]);
      const fault = await marketPrices(service, ask).catch((error) => error);
      expect(fault).toMatchObject({ code: 'service_refused', status, fate: 'refused' });
      expect([fault.said, fault.message]).toEqual([expect.stringContaining(text), expect.stringContaining(text)]);
    }
  });
});
