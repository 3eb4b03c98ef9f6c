import { expect, it } from 'vitest';
import { fetchContractTakers } from '../../electron/service/contract-takers.ts';
import { answering, json, saying } from './http-answers.ts';

const ONE = `0x${'aB'.repeat(20)}`;
const lower = ONE.toLowerCase();

it('takes a bare array or an object that holds one, of the chain it asked for', async () => {
  const service = await answering(json([ONE, lower]));
  expect(await fetchContractTakers(`${service.url}/`, 31337)).toEqual([lower]);
  expect(service.asked[0]?.path).toBe('/adapters/contract-takers?network=31337');
  service.answer = json({ network: 31337, takers: [ONE] });
  expect(await fetchContractTakers(service.url, 31337)).toEqual([lower]);
});

it.each([
  ['an empty list', '[]'],
  ['a list with anything in it that is no address', JSON.stringify([ONE, 'everybody'])],
  ['two lists', JSON.stringify({ a: [ONE], b: [ONE] })],
  ['an object without a list', '{"error":"none"}'],
  ['a string', '"all"'],
  ['HTML', '<html></html>'],
])('refuses %s', async (_what, text) => {
  const { url } = await answering(saying(text));
  await expect(fetchContractTakers(url, 1)).rejects.toMatchObject({ code: 'service_nonsense' });
});
