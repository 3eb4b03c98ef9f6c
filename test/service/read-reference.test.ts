import { describe, expect, it } from 'vitest';
import { readReference } from '../../electron/service/read-reference.ts';
import { type Answerer, answering, json, saying } from './http-answers.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const now = () => NOW;
const good = { mid: '3412.1', time: NOW - 500 };

describe('a reference', () => {
  it('gives its prices by pair, never later than they were heard', async () => {
    const { url } = await answering(json({ prices: { 'WETH/USDC': good, 'DAI/USDC': { mid: '1', time: NOW + 900 } } }));
    expect(await readReference(url, { now })).toEqual({
      prices: new Map([
        ['WETH/USDC', good],
        ['DAI/USDC', { mid: '1', time: NOW }],
      ]),
      faults: [],
    });
  });

  it.each<[string, unknown]>([
    ['negative', { ...good, mid: '-3412.1' }],
    ['with an exponent', { ...good, mid: '3.4e3' }],
    ['a number and no string', { ...good, mid: 3412.1 }],
    ['zero', { ...good, mid: '0.000' }],
    ['longer than any price', { ...good, mid: `1${'0'.repeat(80)}` }],
    ['of sixty nines', { ...good, mid: '9'.repeat(60) }],
    ['of 10^-58', { ...good, mid: `0.${'0'.repeat(57)}1` }],
    ['Infinity', { ...good, mid: 'Infinity' }],
    ['of no time', { mid: '3412.1' }],
    ['of tomorrow', { ...good, time: NOW + 86_400_000 }],
    ['null', null],
  ])('whose price of one pair is %s gives the others', async (_what, bad) => {
    const { url } = await answering(json({ prices: { 'WETH/USDC': bad, 'DAI/USDC': good } }));
    const { prices, faults } = await readReference(url, { now });
    expect([...prices.keys()]).toEqual(['DAI/USDC']);
    expect(faults).toEqual([{ pair: 'WETH/USDC', sentence: expect.stringMatching(/\w/) }]);
  });

  it.each<[string, Answerer, RegExp]>([
    ['HTML', saying('<html><body>502 Bad Gateway</body></html>', 200, 'text/html'), /not JSON: <html>/],
    ['an error page', saying('<html>Bad Gateway</html>', 502, 'text/html'), /HTTP 502: <html>Bad Gateway/],
    ['half of its JSON', saying('{"prices": {"WETH/USDC": {"mid": "34'), /not JSON/],
    ['nothing', saying(''), /nothing at all/],
    ['a list', json([]), /without an object of prices/],
    ['no prices', json({ ok: true }), /without an object of prices/],
    ['more than it should', saying(`"${'x'.repeat(5_000_000)}"`), /larger than/],
    [
      'a cut connection',
      (request) => request.socket.destroy(),
      /does not answer: the other side broke the connection off\.$/,
    ],
    [
      'a redirect',
      (_request, response) => void response.writeHead(302, { location: '/else' }).end(),
      /does not answer/,
    ],
    ['silence', () => {}, /did not answer within 0.3 s/],
    ['a drip', (_request, response) => void response.writeHead(200).write('{"prices"'), /did not answer within 0.3 s/],
  ])('that answers %s is told in one sentence', async (what, answer, sentence) => {
    const { url } = await answering(answer);
    const asked = readReference(url, { now, timeoutMs: /silence|drip/.test(what) ? 300 : 60_000 });
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(sentence) });
    await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^service_/) });
  });

  it('that is not there is told in one sentence', async () => {
    await expect(readReference('http://127.0.0.1:1/', { now })).rejects.toMatchObject({ code: 'service_unreachable' });
  });
});
