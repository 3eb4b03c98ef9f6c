import { expect, it } from 'vitest';
import { address, CHAIN, chain, configuredBook, deskFile, folder, openBook, refusal, WETH } from './fixture.ts';

const [ONE, TWO, THREE] = [address('7'), address('8'), address('9')];
const MAKER = address('d');
const withTakers = (takers: string[], changes = {}) => ({ ...deskFile(), chains: [chain({ takers, ...changes })] });
const word = (taker: typeof ONE, taken: boolean, reason = 'as the service publishes') => {
  return { chainId: CHAIN, address: taker, taken, reason, actor: 'mara' };
};

it('a taker that a person takes is allowed beside the others once that is durable', async () => {
  const { book } = await configuredBook(withTakers([ONE]));
  const written = book.setTaker(word(TWO, true));
  expect(book.chain(CHAIN)?.config.takers).toEqual([ONE]);
  await written;
  expect(book.chain(CHAIN)?.config.takers).toEqual([ONE, TWO]);
});

it('a taker that a person leaves out is refused at once, and is not asked about again', async () => {
  const { book } = await configuredBook(withTakers([ONE, TWO]));
  const written = book.setTaker(word(ONE, false));
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO]);
  await written;
  expect(book.chain(CHAIN)?.config).toMatchObject({ takers: [TWO], takersLeftOut: [ONE] });
  await book.setTaker(word(ONE, true));
  expect(book.chain(CHAIN)?.config).toMatchObject({ takers: [TWO, ONE], takersLeftOut: [] });
});

it('the last taker is not left out, for no list allows everybody; nor are two that are left out at the same time', async () => {
  const { book } = await configuredBook(withTakers([ONE, TWO]));
  const both = [book.setTaker(word(ONE, false)), refusal(book.setTaker(word(TWO, false)))] as const;
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO]);
  await both[0];
  expect((await both[1]).code).toBe('last_taker');
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO]);
});

it('a taker that is being left out does not come back with another that is taken meanwhile, nor by the service', async () => {
  const at = folder();
  const { book, close } = await configuredBook(withTakers([ONE, TWO]), at);
  const leftOut = book.setTaker(word(ONE, false));
  const added = book.addTakers(CHAIN, [THREE, ONE], 'service');
  await Promise.all([leftOut, added]);
  const inForce = { takers: [TWO, THREE], takersLeftOut: [ONE] };
  expect(book.chain(CHAIN)?.config).toMatchObject(inForce);
  await close();
  expect((await openBook(at)).book.chain(CHAIN)?.config).toMatchObject(inForce);
});

it('maker, signer, RFQ contract, intent contract and tokens are no takers, whoever says so', async () => {
  const intentContract = address('f');
  const { book } = await configuredBook(withTakers([ONE], { intentContract }));
  for (const never of [MAKER, address('e'), intentContract, WETH, address('0')]) {
    expect((await refusal(book.setTaker(word(never, true)))).code).toBe('never_taker');
    const { faults } = await refusal(configuredBook(withTakers([ONE, never], { intentContract })));
    expect(faults.join()).toMatch(/^chains\[0\]\.takers\[1\]: is the .*: no order may name it as its taker$/);
  }
});

it('what a person said of takers stays in force over a restart, and is in what is exported', async () => {
  const at = folder();
  const first = await configuredBook(withTakers([ONE, TWO]), at);
  await first.book.setTaker(word(THREE, true));
  await first.book.setTaker(word(ONE, false));
  await first.close();
  const { book } = await openBook(at);
  expect(book.chain(CHAIN)?.config).toMatchObject({ takers: [TWO, THREE], takersLeftOut: [ONE] });
  expect((await book.deskFile()).chains[0]).toMatchObject({ takers: [TWO, THREE], takersLeftOut: [ONE] });
});

it('a service over http is refused but for one on this machine', async () => {
  const { faults } = await refusal(configuredBook(withTakers([ONE], { serviceUrl: 'http://service.example' })));
  expect(faults).toEqual(['chains[0].serviceUrl: must be https, unless the service is on this machine']);
  for (const serviceUrl of ['https://service.example', 'http://127.0.0.1:8790', 'http://localhost', 'http://[::1]:1']) {
    expect((await configuredBook(withTakers([ONE], { serviceUrl }))).book.chain(CHAIN)?.config).toMatchObject({
      serviceUrl,
    });
  }
});
