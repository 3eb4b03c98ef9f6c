import { expect, it } from 'vitest';
import { address, CHAIN, chain, configuredBook, deskFile, folder, openBook } from './fixture.ts';

const [ONE, TWO, THREE] = [address('7'), address('8'), address('9')];
const withTakers = (takers: string[]) => ({ ...deskFile(), chains: [chain({ takers })] });

it('a taker that the fetched list drops is refused at once, a new one is allowed when that is durable', async () => {
  const { book } = await configuredBook(withTakers([ONE, TWO]));
  const written = book.setTakers(CHAIN, [TWO, THREE], 'service');
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO]);
  await written;
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO, THREE]);
});

it('a list that shares nothing with the one before allows nobody until it is durable, and never everybody', async () => {
  const { book } = await configuredBook(withTakers([ONE]));
  const written = book.setTakers(CHAIN, [TWO], 'service');
  const meanwhile = book.chain(CHAIN)?.config.takers ?? [];
  expect(meanwhile).toHaveLength(1);
  expect(meanwhile).not.toContain(ONE);
  expect(meanwhile).not.toContain(TWO);
  await written;
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO]);
});

it('the first list after none is in force at once; an empty one is never taken; the same one is no event', async () => {
  const { book, journal } = await configuredBook(withTakers([]));
  const written = book.setTakers(CHAIN, [ONE, ONE], 'service');
  expect(book.chain(CHAIN)?.config.takers).toEqual([ONE]);
  expect(await written).not.toBeNull();
  const { seq } = journal.head();
  expect(await book.setTakers(CHAIN, [], 'service')).toBeNull();
  expect(await book.setTakers(CHAIN, [ONE], 'service')).toBeNull();
  expect(journal.head().seq).toBe(seq);
  expect(book.chain(CHAIN)?.config.takers).toEqual([ONE]);
});

it('a fetched list stays in force over a restart', async () => {
  const at = folder();
  const first = await configuredBook(withTakers([ONE]), at);
  await first.book.setTakers(CHAIN, [TWO, THREE], 'service');
  await first.close();
  const { book } = await openBook(at);
  expect(book.chain(CHAIN)?.config.takers).toEqual([TWO, THREE]);
});
