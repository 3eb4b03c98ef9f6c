import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { ChainBook } from '../../electron/book/chain-book.ts';
import { judgeTakers } from '../../electron/book/judge-takers.ts';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { TakersPolls } from '../../electron/desk/takers-polls.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { Turns } from '../../electron/service/turns.ts';
import { address, CHAIN, USDC, WETH } from '../book/fixture.ts';
import { alertsOf } from '../desk/alerts-of.ts';
import { firm, type OpenDesk, openDesk, request, signer, TAKER } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';

const ATTACKER = address('6');
const RFQ = address('e');
const INTENTS = address('f');
const ROUTER: Address = '0x6a000f20005980200259b80c5102003040001068';
const silent = { info() {}, warn() {}, error() {} };

/** A desk whose service names these takers; and what the desk makes of it once it has asked. */
async function beside(
  named: readonly string[],
  { takers = [TAKER] as string[], practice = false, chainId = CHAIN, changes = {} } = {},
) {
  const service = await answering(json(named));
  const code: Record<string, string> = { [ROUTER]: '0x6001', [ATTACKER]: '0x' };
  const node = await answering((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      const asked: { id: number; method: string; params: string[] }[] = [JSON.parse(text)].flat();
      const answers = asked.map(({ id, method, params }) => {
        const result = method === 'eth_chainId' ? `0x${chainId.toString(16)}` : (code[params[0] ?? ''] ?? '0x');
        return { jsonrpc: '2.0', id, result };
      });
      json(text.startsWith('[') ? answers : answers[0])(request, response);
    });
  });
  const desk = await openDesk({
    chain: {
      chainId,
      takers,
      serviceUrl: service.url,
      rpcUrl: node.url,
      rfqContract: RFQ,
      intentContract: INTENTS,
      ...changes,
    },
  });
  const credentials = { serviceKeyOf: () => undefined } as never;
  const now = desk.now;
  const polls = new TakersPolls({ book: desk.book, credentials, now, log: silent as never }, new Turns(), practice);
  polls.start();
  onTestFinished(() => polls.stop());
  await expect.poll(() => polls.of(chainId).fetchedAt).not.toBeNull();
  const chain = () => desk.book.chain(chainId) as ChainBook;
  const waiting = () => judgeTakers(chain(), polls.of(chainId).named).waiting;
  await expect.poll(() => waiting().filter((one) => !polls.of(chainId).looks.has(one))).toEqual([]);
  const told = () => alertsOf(desk, { takers: polls }, new Heartbeats(), chainId);
  return { desk, polls, chain, waiting, told };
}

const askFor = (desk: OpenDesk, takerAddress: string, userAddress?: string) =>
  firm(desk, request({ takerAddress, ...(userAddress !== undefined && { userAddress }) }));

describe('A service that names takers which are not its own', () => {
  it('adds nothing by itself: the list in force stays, and what is new waits for a person, with what is there', async () => {
    const { desk, chain, waiting, polls, told } = await beside([ATTACKER, TAKER]);
    expect(chain().config.takers).toEqual([TAKER]);
    expect(waiting()).toEqual([ATTACKER]);
    expect(polls.of(CHAIN).looks.get(ATTACKER)).toMatch(/^No contract is there: it is an ordinary account/);
    expect(told()).toMatchObject([{ level: 'look', title: 'A new taker of Practice waits for you' }]);
    expect(await askFor(desk, ATTACKER)).toMatchObject({ status: 422, code: 'taker_not_allowed' });
    await desk.book.setTaker({
      chainId: CHAIN,
      address: ATTACKER,
      taken: true,
      reason: 'known after all',
      actor: 'mara',
    });
    expect((await askFor(desk, ATTACKER)).order?.taker).toBe(ATTACKER);
    expect(told()).toEqual([]);
  });

  it('does not take the one in force away by leaving it out', async () => {
    const { desk, chain } = await beside([ATTACKER]);
    expect(chain().config.takers).toEqual([TAKER]);
    expect((await askFor(desk, TAKER)).status).toBe(200);
  });

  it('cannot have maker, RFQ contract, intent contract or a token taken, and that it tries is told at once', async () => {
    const own = [signer.address, RFQ, INTENTS, WETH, USDC];
    for (const practice of [false, true]) {
      const { desk, chain, waiting, told } = await beside([TAKER, ...own], { practice });
      expect(chain().config.takers).toEqual([TAKER]);
      expect(waiting()).toEqual([]);
      expect(told().map(({ level, title }) => `${level}: ${title}`)).toEqual([
        'stop: The service names the maker as a taker on Practice',
        'stop: The service names the RFQ contract as a taker on Practice',
        'stop: The service names the intent contract as a taker on Practice',
        'stop: The service names the token WETH as a taker on Practice',
        'stop: The service names the token USDC as a taker on Practice',
      ]);
      for (const taker of own) expect((await askFor(desk, taker)).code).toBe('taker_not_allowed');
    }
  });

  it('asks nobody about what the preset of the network names too', async () => {
    const { chain, waiting } = await beside([ROUTER, ATTACKER], { chainId: 1 });
    await expect.poll(() => chain().config.takers).toEqual([TAKER, ROUTER]);
    expect(waiting()).toEqual([ATTACKER]);
  });

  it('is believed where it is the practice market of the desk', async () => {
    const { chain, waiting } = await beside([ATTACKER], { practice: true });
    await expect.poll(() => chain().config.takers).toEqual([TAKER, ATTACKER]);
    expect(waiting()).toEqual([]);
  });

  it('is asked about where its node is elsewhere, also on a practice desk', async () => {
    const changes = { rpcUrl: 'https://node.invalid' };
    const { chain, waiting } = await beside([ATTACKER], { practice: true, changes });
    expect(waiting()).toEqual([ATTACKER]);
    expect(chain().config.takers).toEqual([TAKER]);
  });
});

test.each([
  ['the maker', signer.address],
  ['the RFQ contract', RFQ],
  ['a token', WETH],
])('%s is neither taker nor user of an order, also where no list is in force', async (_what, own) => {
  const desk = await openDesk({ chain: { takers: [], rfqContract: RFQ } });
  expect((await askFor(desk, TAKER)).status).toBe(200);
  expect(await askFor(desk, own)).toMatchObject({ status: 422, code: 'taker_not_allowed' });
  expect(await askFor(desk, TAKER, own)).toMatchObject({ status: 422, code: 'user_barred' });
});

test('a list that became empty closes the chain, but beside a practice market', async () => {
  const market = { rpcUrl: 'http://127.0.0.1:1', serviceUrl: 'http://127.0.0.1:1' };
  for (const [practice, { places, isMarket }] of [
    [false, { places: market, isMarket: false }],
    [true, { places: market, isMarket: true }],
    [true, { places: { ...market, serviceUrl: 'https://service.invalid' }, isMarket: false }],
    [true, { places: { ...market, rpcUrl: 'https://127.0.0.1.node.invalid' }, isMarket: false }],
  ] as const) {
    const { book, guard, close } = await openDesk({ chain: { takers: [], ...places } });
    const keys = { current: () => ({ missing: 'no key' }), onChange: () => {} };
    const checks = new ChainChecks({ book, guard, log: silent as never }, keys, { practice });
    const found = (await checks.again([CHAIN])).get(CHAIN)?.find(({ name }) => name === 'takers');
    expect(found).toMatchObject({ scope: { kind: 'chain' }, outcome: isMarket ? 'warning' : 'failed' });
    await checks.stop();
    await close();
  }
});
