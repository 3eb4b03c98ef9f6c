import { describe, expect, it } from 'vitest';
import {
  address,
  CHAIN,
  chain,
  configuredBook,
  deskFile,
  folder,
  HOUR,
  importDesk,
  NOON,
  openBook,
  refusal,
  USER,
} from './fixture.ts';

const twoChains = { version: 1, chains: [chain(), chain({ chainId: 1, name: 'Other', basePath: '/1' })] };

describe('The blacklist', () => {
  it('is kept by chain, or on all chains at once', async () => {
    const { book } = await configuredBook(twoChains);
    await book.blacklistAdd({ chainId: 1, address: USER, actor: 'mara' });
    expect(book.chains().map((each) => each.blacklist(NOON))).toEqual([[], [USER]]);
    await book.blacklistAdd({ address: address('2'), actor: 'mara' });
    expect(book.chains().map((each) => each.blacklist(NOON))).toEqual([[address('2')], [USER, address('2')]]);
    await book.blacklistRemove({ address: address('2'), actor: 'mara' });
    expect(book.chains().map((each) => each.blacklist(NOON))).toEqual([[], [USER]]);
  });

  it('holds nobody twice: blacklisting again gives the entry its new reason and end', async () => {
    const { book, journal } = await configuredBook();
    await book.blacklistAdd({ address: USER, reason: 'toxic', actor: 'mara' });
    const entry = { address: USER, reason: 'cooling off', until: NOON + HOUR, actor: 'jon' };
    await book.blacklistAdd({ ...entry, confirmed: true });
    expect(book.chain(CHAIN)?.blacklist(NOON)).toEqual([USER]);
    const { desk: _desk, blacklist } = await journal.read.storedBook();
    expect(blacklist).toEqual([
      {
        chainId: CHAIN,
        address: USER,
        reason: 'cooling off',
        until: NOON + HOUR,
        onlyHere: false,
        since: NOON,
        actor: 'jon',
      },
    ]);
    expect([...(book.chain(CHAIN)?.blacklisted.values() ?? [])]).toMatchObject([
      { reason: 'cooling off', until: NOON + HOUR },
    ]);
  });

  it('lets an entry become shorter only once that is written', async () => {
    const { book } = await configuredBook();
    await book.blacklistAdd({ address: USER, actor: 'mara' });
    const shortening = book.blacklistAdd({ address: USER, until: NOON + HOUR, confirmed: true, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + 2 * HOUR)).toBe('blacklisted');
    await shortening;
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + 2 * HOUR)).toBe(null);
  });

  it('lets nobody in sooner, and keeps nobody from the service who was told of them, unless that is confirmed', async () => {
    const { book, journal } = await configuredBook(twoChains);
    await book.blacklistAdd({ chainId: CHAIN, address: USER, reason: 'a stolen key', actor: 'nora' });
    const adding = refusal(book.blacklistAdd({ address: USER, until: NOON + HOUR, onlyHere: true, actor: 'mara' }));
    // Where nothing stands it is in force at once: a stop waits for no answer.
    expect(book.chain(1)?.blacklistCode(USER, NOON)).toBe('user_barred');
    expect(await adding).toMatchObject({
      code: 'weaker_unconfirmed',
      message:
        `On Practice ${USER} is blacklisted already, for good, by nora (“a stolen key”): ` +
        'yours would end sooner and be by this desk only, so that one stays. On the other chains yours is in force.',
    });
    const [sooner, narrower] = [{ until: NOON + HOUR }, { onlyHere: true }];
    for (const [entry, lack] of [
      [sooner, 'yours would end sooner,'],
      [narrower, 'yours would be by this desk only,'],
    ] as const) {
      const said = await refusal(book.blacklistAdd({ ...entry, chainId: CHAIN, address: USER, actor: 'mara' }));
      expect([said.code, said.message]).toEqual(['weaker_unconfirmed', expect.stringContaining(lack)]);
    }
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + 2 * HOUR)).toBe('blacklisted');
    expect(await journal.read.blacklistHistory(CHAIN, 10)).toHaveLength(1);
    expect(await journal.read.blacklistHistory(1, 10)).toMatchObject([{ until: NOON + HOUR, onlyHere: true }]);
  });

  it('tells what stood of somebody, asks nothing where they stay as long and as widely, and knows no entry that is over', async () => {
    const { book, clock } = await configuredBook();
    const entry = { address: USER, reason: 'toxic', until: NOON + HOUR, onlyHere: true };
    expect(await book.blacklistAdd({ ...entry, actor: 'mara' })).toMatchObject({ before: [] });
    const stood = { ...entry, chainId: CHAIN, since: NOON, actor: 'mara' };
    const again = await book.blacklistAdd({ ...entry, reason: 'cooling off', actor: 'jon' });
    expect(again).toMatchObject({ durable: true, before: [stood] });
    const wider = await book.blacklistAdd({ ...entry, onlyHere: false, actor: 'jon' });
    expect(wider.before).toEqual([{ ...stood, reason: 'cooling off', actor: 'jon' }]);
    clock.now = NOON + HOUR;
    const anew = await book.blacklistAdd({ ...entry, until: clock.now + 1, actor: 'mara' });
    expect(anew.before).toEqual([]);
  });

  it('lets an entry end by itself, to the millisecond, and tells of it once', async () => {
    const { book, clock } = await configuredBook();
    await book.blacklistAdd({ address: USER, until: NOON + HOUR, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + HOUR - 1)).toBe('blacklisted');
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + HOUR)).toBe(null);
    const told: (number | null)[] = [];
    book.onChange((chainId) => told.push(chainId));
    await book.tick();
    expect(told).toEqual([]);
    clock.now = NOON + HOUR;
    await book.tick();
    await book.tick();
    expect(told).toEqual([CHAIN]);
    expect(book.chain(CHAIN)?.blacklist(clock.now)).toEqual([]);
  });

  it('refuses an end that is past, and letting in somebody who is not on it', async () => {
    const { book } = await configuredBook();
    expect((await refusal(book.blacklistAdd({ address: USER, until: NOON, actor: 'mara' }))).code).toBe('end_is_past');
    expect((await refusal(book.blacklistRemove({ address: USER, actor: 'mara' }))).code).toBe('not_blacklisted');
    expect((await refusal(book.blacklistAdd({ chainId: 5, address: USER, actor: 'mara' }))).code).toBe('unknown_chain');
  });

  it('names nobody to the service whom this desk alone blacklists, and refuses them with a code of its own', async () => {
    const { book } = await configuredBook();
    await book.blacklistAdd({ address: USER, until: NOON + HOUR, onlyHere: true, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklist(NOON)).toEqual([]);
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('user_barred');
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON + HOUR)).toBe(null);
    await book.blacklistAdd({ address: USER, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklist(NOON)).toEqual([USER]);
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
  });

  it('stays on the public list until the bar by this desk alone is written, but not for an entry that is over', async () => {
    const { book, clock } = await configuredBook();
    await book.blacklistAdd({ address: USER, until: NOON + HOUR, actor: 'mara' });
    const narrower = { address: USER, until: NOON + HOUR, onlyHere: true, actor: 'mara' };
    const narrowing = book.blacklistAdd({ ...narrower, confirmed: true });
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('blacklisted');
    await narrowing;
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('user_barred');
    await book.blacklistAdd({ address: address('2'), until: NOON + HOUR, actor: 'mara' });
    clock.now = NOON + HOUR;
    const anew = book.blacklistAdd({ address: address('2'), onlyHere: true, actor: 'mara' });
    expect(book.chain(CHAIN)?.blacklist(clock.now)).toEqual([]);
    expect(book.chain(CHAIN)?.blacklistCode(address('2'), clock.now)).toBe('user_barred');
    await anew;
  });

  it('keeps over a restart and an import whom this desk alone blacklists', async () => {
    const at = folder();
    const first = await configuredBook(deskFile(), at);
    await first.book.blacklistAdd({ address: USER, onlyHere: true, actor: 'mara' });
    await first.close();
    const { book, journal } = await openBook(at);
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('user_barred');
    const written = await book.deskFile();
    expect(written.chains[0]?.blacklist).toEqual([{ address: USER, onlyHere: true }]);
    await book.blacklistRemove({ address: USER, actor: 'mara' });
    await importDesk(book, written);
    expect(book.chain(CHAIN)?.blacklistCode(USER, NOON)).toBe('user_barred');
    const history = await journal.read.blacklistHistory(CHAIN, 10);
    expect(history.map(({ action, onlyHere }) => [action, onlyHere])).toEqual([
      ['added', true],
      ['removed', false],
      ['added', true],
    ]);
    await importDesk(book, { ...written, chains: written.chains.map((one) => ({ ...one, blacklist: [USER] })) });
    expect(book.chain(CHAIN)?.blacklist(NOON)).toEqual([USER]);
  });

  it('takes off somebody whose blacklisting is still being written', async () => {
    const { book } = await configuredBook();
    const blacklisting = book.blacklistAdd({ address: USER, actor: 'mara' });
    await book.blacklistRemove({ address: USER, actor: 'mara' });
    await blacklisting;
    expect(book.chain(CHAIN)?.blacklist(NOON)).toEqual([]);
  });
});
