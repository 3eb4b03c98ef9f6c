import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answering, json } from '../service/http-answers.ts';
import { runCommand, startDesk, temporaryFolder } from './desk-process.ts';

const PAIR = 'WETH/USDC';
const FORMULA = {
  spreadBps: '4',
  tick: '0.01',
  bids: { size: '1', levels: 2, stepBps: '1' },
  asks: { size: '1', levels: 3, stepBps: '1' },
};

/** A desk of one pair that is not armed and sees no chain; its reference says 3,400. */
async function deskWithReference() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const http = await answering((asked, response) =>
    json({ prices: { [PAIR]: { mid: '3400', time: Date.now() } } })(asked, response),
  );
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const token = (symbol: string, byte: string, decimals: number) => ({
    symbol,
    name: symbol,
    address: `0x${byte.repeat(20)}`,
    decimals,
    type: 'ERC20',
  });
  const chain = {
    chainId: 31337,
    name: 'Test',
    basePath: '/31337',
    rpcUrl: 'http://127.0.0.1:1',
    rfqContract: `0x${'c1'.repeat(20)}`,
    domainName: 'TEST RFQ',
    maker: `0x${'ab'.repeat(20)}`,
    signer: `0x${'ab'.repeat(20)}`,
    referenceUrl: http.url,
    tokens: { WETH: token('WETH', '01', 18), USDC: token('USDC', '02', 6) },
    pairs: { [PAIR]: { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } },
  };
  const desk = JSON.stringify({ version: 1, chains: [chain], counterparties: [] });
  const imported = await runCommand(folder, ['import', file('import.json', desk)]);
  expect(imported.code, imported.stderr).toBe(0);
  const running = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await running.stop()));
  return { file, run: (...args: string[]) => runCommand(folder, ['formula', ...args]) };
}

test('a formula is tried, set, listed term by term, changed, and removed from the command line', async () => {
  const { file, run } = await deskWithReference();
  const formula = file('formula.json', JSON.stringify(FORMULA));
  expect((await run()).stdout).toBe('No pair is priced by a formula.\n');
  await vi.waitFor(async () => {
    const tried = await run('try', formula, '--pair', PAIR);
    expect(tried.stdout).toMatch(/^best +2 bids, 3 asks +-2 +3399\.32 +3400\.68 +2$/m);
    expect(tried.stdout).toMatch(/^spread +half of 4 bps +-2 +-0\.68 +0\.68 +2$/m);
  });
  expect(await run('list', '--json'), 'a try sets nothing').toMatchObject({ code: 0, stdout: '[]\n' });

  const set = await run('set', formula, '--pair', PAIR);
  expect(JSON.parse(set.stdout)).toEqual({ set: true, chainId: 31337, pair: PAIR, seq: expect.any(Number) });
  await vi.waitFor(async () => {
    const listed = (await run('--pair', PAIR)).stdout;
    expect(listed).toMatch(/^WETH\/USDC on chain 31337: priced by its formula, revision 1\n/);
    expect(listed).toMatch(/^best +2 bids, 3 asks +-2 +3399\.32 +3400\.68 +2$/m);
    expect(listed).toMatch(/^pair +age +[\d.]+ +20 +\d+ %/m);
  });
  const wider = file('wider.json', JSON.stringify({ ...FORMULA, spreadBps: '8' }));
  expect((await run('set', wider, '--pair', PAIR, '--chain', '31337')).code).toBe(0);
  const [row] = JSON.parse((await run('list', '--chain', '31337', '--json')).stdout);
  expect(row).toMatchObject({ pair: PAIR, pricedBy: 'formula', formula: { spreadBps: '8' } });

  const removed = await run('remove', '--pair', PAIR);
  expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true, pair: PAIR });
  expect(await run('list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await run('remove', '--pair', PAIR)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`${PAIR} has no formula.`),
  });
});

test('what is no formula is refused with the place of each fault, and nothing is set', async () => {
  const { file, run } = await deskWithReference();
  const inventory = { target: '5', limit: '5', bpsPerUnit: '1' };
  const wrong: [what: unknown, says: RegExp][] = [
    [{ ...FORMULA, spreadBps: 5 }, /spreadBps: must be text/],
    [{ ...FORMULA, spreadBps: '-4' }, /spreadBps: must be a plain decimal number/],
    [{ ...FORMULA, tick: '1e-2' }, /tick: must be a plain decimal number/],
    [{ ...FORMULA, asks: { ...FORMULA.asks, levels: 10_000 } }, /asks\.levels: /],
    [{ ...FORMULA, sprad: '4' }, /sprad: is not a known field/],
    [{ ...FORMULA, inventory }, /inventory\.target: must be within the limit/],
    [
      { ...FORMULA, bids: { ...FORMULA.bids, size: `0.${'0'.repeat(17)}1`, sizeFactor: '0.1' } },
      /bids\.size: leaves nothing of level 2: WETH has 18 decimals/,
    ],
  ];
  await Promise.all(
    wrong.map(async ([what, says], at) => {
      const verb = at % 2 === 0 ? 'set' : 'try';
      const refused = await run(verb, file(`wrong-${at}.json`, JSON.stringify(what)), '--pair', PAIR);
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
    }),
  );
  expect((await run()).stdout).toBe('No pair is priced by a formula.\n');
});
