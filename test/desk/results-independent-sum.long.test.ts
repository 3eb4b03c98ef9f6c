import Database from 'better-sqlite3';
import { type Hex, parseEventLogs } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SETTLEMENT, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import { runCommand } from './desk-process.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';

/** How long the market trades before it is summed: past the last mark of the first fills. */
const TRADES_FOR_MS = Number(process.env.MAKERDESK_RESULTS_SECONDS ?? 330) * 1_000;
/** Firm quotes asked for in a second on each chain meanwhile: 24 for 1,440 seconds are as many as a day of practice asks for by itself. */
const SPEED = Number(process.env.MAKERDESK_RESULTS_SPEED ?? 1);
const CHAINS = [31337, 31338];
const DOLLARS = ['USDC', 'USDT', 'DAI'];

/** Dollars as whole numbers of 10^-90: every product of amounts and prices here is exact in them. */
const SCALE = 90;
const CENT = 10n ** BigInt(SCALE - 2);

let world: PracticeWorld;
beforeAll(async () => {
  world = await openPracticeWorld(['--speed', '3']);
});
afterAll(() => world?.close(), 120_000);

/** A hedge as its row opened it; `nativeUsd` is what the coin of its gas was worth then, where a reference said it. */
interface Opened {
  time: number;
  fillSeqs: number[];
  src: string;
  dest: string;
  nativeUsd?: string;
}

interface ChainFill {
  chainId: number;
  orderHash: string;
  transactionHash: string;
  logIndex: number;
  makerAsset: string;
  takerAsset: string;
  makerAmount: bigint;
  takerAmount: bigint;
  time: number;
}

/** A number with a decimal point as a whole number of 10^-places. */
function decimal(text: string): { digits: bigint; places: number } {
  const [whole = '0', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

/** The product of whole numbers of these places, in SCALE. */
function scaled(...factors: { digits: bigint; places: number }[]): bigint {
  const digits = factors.reduce((product, factor) => product * factor.digits, 1n);
  const places = factors.reduce((sum, factor) => sum + factor.places, 0);
  return digits * 10n ** BigInt(SCALE - places);
}

function floorDivision(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n !== b < 0n && quotient * b !== a ? quotient - 1n : quotient;
}

function cents(dollars: bigint): string {
  const whole = floorDivision(dollars, CENT);
  const size = whole < 0n ? -whole : whole;
  return `${whole < 0n ? '-' : ''}${size / 100n}.${`${size % 100n}`.padStart(2, '0')}`;
}

/** What the command says, with two digits behind the point everywhere. */
function twoDigits(figure: string | null): string | null {
  if (figure === null || figure === 'not_yet') return figure;
  const [whole, fraction = ''] = figure.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Fills of a pair that no hedge has covered yet, newest first, once there is one: what came before may all be covered. */
async function openFills(chainId: number, pair: string) {
  const read = () => world.client.hedge.fills({ chainId, pair, cover: ['unhedged'], limit: 40 });
  await world.until(async () => expect(await read()).not.toEqual([]), 600_000);
  return read();
}

/** Hedges fills of a pair: all that are open by one swap, or one of them by an order that was entered by hand. */
async function hedge(chainId: number, pair: string, byHand: boolean): Promise<number> {
  const { client } = world;
  const open = await openFills(chainId, pair);
  const fillSeqs = (byHand ? open.slice(-1) : open).map(({ seq }) => seq);
  const { amountRaw: _, ...ask } = await client.hedge.askFor({ chainId, pair, fillSeqs });
  const [fill] = open.slice(-1);
  const other = fill?.price == null ? '1' : `${Number(ask.amount) * Number(fill.price)}`.slice(0, 8);
  const way = byHand ? { mode: 'by-hand', other, where: 'an exchange', feeUsd: '0.37' } : { mode: 'market' };
  const consent = { acceptDistance: true, acceptPromised: true, approval: 'approve' as const };
  const { seq } = await client.hedge.place({ ask, way, fillSeqs, ...consent });
  await world.until(async () => expect((await client.hedge.get({ seq })).state).toBe('done'), 90_000);
  return seq;
}

/** Sells a little WETH for DAI: with that it has no pair, so the hedge is for no fill, however many are open. */
async function hedgeForNoFill(chainId: number): Promise<number> {
  const { client } = world;
  const { tokens } = await world.chainOf(chainId);
  const addressOf = (symbol: string) => Object.values(tokens).find((token) => token.symbol === symbol)?.address ?? '0x';
  const [fill] = await openFills(chainId, 'WETH/USDC');
  const { amountRaw: _, ...ask } = await client.hedge.askFor({
    chainId,
    pair: 'WETH/USDC',
    fillSeqs: [fill?.seq ?? 0],
  });
  const ends = { side: 'SELL' as const, srcToken: addressOf('WETH'), destToken: addressOf('DAI') };
  const little = { ...ask, ...ends, amount: '0.05' };
  const consent = { acceptDistance: true, acceptPromised: true, approval: 'approve' as const };
  const { seq } = await client.hedge.place({ ask: little, way: { mode: 'market' }, fillSeqs: [], ...consent });
  await world.until(async () => expect((await client.hedge.get({ seq })).state).toBe('done'), 90_000);
  return seq;
}

/** The desk's own transactions as the journal names them, each once, with what the chain says that it cost. */
async function ownTransactions(): Promise<{ chainId: number; time: number; wei: bigint }[]> {
  const db = new Database(`${world.folder}/journal.db`, { readonly: true });
  const rows = db
    .prepare<[], { time: number; body: string }>(
      "SELECT time, body FROM journal WHERE kind = 'transaction' ORDER BY seq",
    )
    .all()
    .map(({ time, body }) => ({ time, ...(JSON.parse(body) as { chainId: number; transactionHash: string }) }));
  db.close();
  const each = new Map(rows.map((row) => [row.transactionHash, row]));
  return Promise.all(
    [...each.values()].map(async ({ chainId, time, transactionHash }) => {
      return { chainId, time, wei: (await swapOfChain(chainId, transactionHash)).wei };
    }),
  );
}

/** The pair that says what a token is worth in dollars. */
function dollarPairOf(
  { tokens, pairs }: Awaited<ReturnType<PracticeWorld['chainOf']>>,
  address: string,
): string | undefined {
  return Object.entries(pairs)
    .filter(([, { base, quote }]) => tokens[base]?.address === address && DOLLARS.includes(tokens[quote]?.symbol ?? ''))
    .map(([id]) => id)
    .sort()[0];
}

/** Every fill of our orders as the chain has it, with the time of its block. */
async function fillsOfChain(chainId: number): Promise<ChainFill[]> {
  const { rpcUrl, rfqContract } = await world.chainOf(chainId);
  const node = openClient(rpcUrl);
  const logs = await node.getLogs({ address: rfqContract, fromBlock: 0n });
  const times = new Map<bigint, number>();
  const fills: ChainFill[] = [];
  for (const log of parseEventLogs({ abi: SETTLEMENT.abi, logs, eventName: 'OrderFilled' })) {
    const { blockNumber, transactionHash, logIndex } = log;
    if (!times.has(blockNumber)) {
      times.set(blockNumber, Number((await node.getBlock({ blockNumber })).timestamp) * 1_000);
    }
    const { orderHash, makerAsset, takerAsset, makerAmount, takerAmount } = log.args as unknown as ChainFill;
    const assets = { makerAsset: makerAsset.toLowerCase(), takerAsset: takerAsset.toLowerCase() };
    const time = times.get(blockNumber) ?? 0;
    fills.push({ chainId, orderHash, transactionHash, logIndex, ...assets, makerAmount, takerAmount, time });
  }
  return fills;
}

/** What a swap moved of the maker's tokens and what its gas cost, as its receipt says. */
async function swapOfChain(chainId: number, hash: string) {
  const { rpcUrl, maker } = await world.chainOf(chainId);
  const receipt = await openClient(rpcUrl).getTransactionReceipt({ hash: hash as Hex });
  const moved = new Map<string, bigint>();
  for (const { address, args } of parseEventLogs({ abi: TEST_TOKEN.abi, logs: receipt.logs, eventName: 'Transfer' })) {
    const { from, to, value } = args as unknown as { from: string; to: string; value: bigint };
    const token = address.toLowerCase();
    const way = (to.toLowerCase() === maker ? value : 0n) - (from.toLowerCase() === maker ? value : 0n);
    moved.set(token, (moved.get(token) ?? 0n) + way);
  }
  return { moved, wei: receipt.gasUsed * receipt.effectiveGasPrice };
}

test('results are an independent sum over journal and chain, to the cent, by pair and by user', async () => {
  const began = Date.now();
  await world.until(async () => {
    for (const chainId of CHAINS) expect(await world.fills(chainId)).toBeGreaterThan(12);
  }, 180_000);
  // Enough to sum: until the marks of the first fills are there, few more are asked for.
  await world.client.practice.speed({ asksPerSecond: SPEED });
  const hedges = [await hedge(31337, 'WETH/USDC', false), await hedge(31337, 'DAI/USDC', true)];
  await world.until(() => expect(Date.now() - began).toBeGreaterThan(TRADES_FOR_MS), TRADES_FOR_MS + 60_000);
  hedges.push(await hedge(31337, 'WETH/USDC', false));
  // Paid for no fill: an approval, and a hedge that is for none.
  await world.client.onChain.setAllowance({ chainId: 31337, tokenId: 'USDC', amount: '900000000', dryRun: false });
  const forNone = await hedgeForNoFill(31337);
  await world.client.onChain.cancelOrders({ dryRun: false });
  await world.client.practice.speed({ asksPerSecond: 0 });
  await world.until(async () => {
    for (const chainId of CHAINS) {
      const stands = (await world.ledger(chainId)).filter(({ reverted }) => !reverted);
      expect(stands.length).toBe(await world.fills(chainId));
      expect((await world.exposure(chainId)).every(({ live }) => live === '0')).toBe(true);
    }
  }, 240_000);

  // From the chains, while they are there.
  const onChain = (await Promise.all(CHAINS.map(fillsOfChain))).flat();
  const configs = new Map(await Promise.all(CHAINS.map(async (id) => [id, await world.chainOf(id)] as const)));
  const swaps = new Map<number, Awaited<ReturnType<typeof swapOfChain>>>();
  for (const seq of [...hedges, forNone]) {
    const { chainId, transactions } = await world.client.hedge.get({ seq });
    const found = await Promise.all(transactions.map(({ hash }) => swapOfChain(chainId, hash)));
    const moved = new Map<string, bigint>();
    for (const one of found)
      for (const [token, amount] of one.moved) moved.set(token, (moved.get(token) ?? 0n) + amount);
    swaps.set(seq, { moved, wei: found.reduce((sum, { wei }) => sum + wei, 0n) });
  }
  const ownSent = await ownTransactions();
  await world.desk.stop();

  // What the command says, of a desk that stands still.
  const asked = async (by: string) => {
    const { code, stdout, stderr } = await runCommand(world.folder, [
      'results',
      '--from',
      '2020-01-01',
      '--by',
      by,
      '--json',
    ]);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const said = { pair: await asked('pair'), user: await asked('user'), counterparty: await asked('counterparty') };

  // The journal's rows, and what the reference said.
  const db = new Database(`${world.folder}/journal.db`, { readonly: true });
  const rows = db
    .prepare<[], { seq: number; time: number; kind: string; body: string }>(
      'SELECT seq, time, kind, body FROM journal ORDER BY seq',
    )
    .all();
  const samples = db
    .prepare<[], { chain: number; pair: string; time: number; heard: number; until: number; mid: string }>(
      'SELECT chain_id AS chain, pair, time, heard, believed_until AS until, mid FROM reference_samples ORDER BY time',
    )
    .all();
  db.close();
  const saidOf = (chainId: number, pair: string) => samples.filter((one) => one.chain === chainId && one.pair === pair);
  /** What the desk had heard last by a moment, where it believed that still. */
  const midAt = (chainId: number, pair: string, time: number) => {
    const last = saidOf(chainId, pair).findLast((one) => one.time <= time && one.heard <= time);
    return last !== undefined && last.until >= time ? last.mid : null;
  };
  const quotes = new Map<string, { time: number; pair: string; side: string; user: string; counterparty: string }>();
  const fillOfRow = new Map<number, string>();
  const steps = new Map<number, Record<string, string>[]>();
  const opened = new Map<number, Opened>();
  for (const { seq, time, kind, body } of rows) {
    const read = JSON.parse(body);
    if (kind === 'quote' && read.orderHash !== null) {
      const { pair, side, userAddress, counterparty } = read;
      quotes.set(read.orderHash, { time, pair, side, user: userAddress, counterparty });
    }
    if (kind === 'fill') fillOfRow.set(seq, `${read.chainId} ${read.transactionHash} ${read.logIndex}`);
    if (kind === 'hedge_opened') {
      const { fillSeqs, src, dest, nativeUsd } = read;
      opened.set(seq, { time, fillSeqs, src: src.address, dest: dest.address, nativeUsd });
    }
    if (kind === 'hedge_step') steps.set(read.hedgeSeq, [...(steps.get(read.hedgeSeq) ?? []), read.step]);
  }

  /** Each fill's share of every hedge, first in, first out, at the hedge's own price. */
  const shares = new Map<string, { base: bigint; quote: bigint; mid: string | null; gas: bigint; fees: bigint }[]>();
  const fillOf = (row: number) => {
    const found = onChain.find((one) => `${one.chainId} ${one.transactionHash} ${one.logIndex}` === fillOfRow.get(row));
    if (found === undefined) throw new Error(`the fill in row ${row} is not on chain`);
    return found;
  };
  const nameOf = ({ chainId, transactionHash, logIndex }: ChainFill) => `${chainId} ${transactionHash} ${logIndex}`;
  const facts = (fill: ChainFill) => {
    const quote = quotes.get(fill.orderHash);
    const config = configs.get(fill.chainId);
    if (quote === undefined || config === undefined) throw new Error('a fill of no quote of ours');
    const bought = quote.side === 'bids';
    const tokens = Object.values(config.tokens);
    const token = (address: string) => {
      const found = tokens.find((one) => one.address === address);
      if (found === undefined) throw new Error(`no token ${address}`);
      return found;
    };
    const [base, paid] = bought
      ? [token(fill.takerAsset), token(fill.makerAsset)]
      : [token(fill.makerAsset), token(fill.takerAsset)];
    const inBase = bought ? fill.takerAmount : -fill.makerAmount;
    const inQuote = bought ? -fill.makerAmount : fill.takerAmount;
    return { ...quote, base, paid, inBase, inQuote, config };
  };
  for (const [seq, { time, fillSeqs, src, dest, nativeUsd }] of [...opened].sort(([a], [b]) => a - b)) {
    const own = steps.get(seq) ?? [];
    const entered = own.find(({ step }) => step === 'entered');
    const covered = fillSeqs.map(fillOf);
    const [first] = covered;
    if (first === undefined) continue;
    const { base, paid, pair } = facts(first);
    const swap = swaps.get(seq);
    const movedOf = (address: string) =>
      entered === undefined
        ? (swap?.moved.get(address) ?? 0n)
        : address === src
          ? -BigInt(entered.spent ?? 0)
          : address === dest
            ? BigInt(entered.received ?? 0)
            : 0n;
    const [whole, cash] = [movedOf(base.address), movedOf(paid.address)];
    const open = covered.map(
      (fill) => facts(fill).inBase + (shares.get(nameOf(fill)) ?? []).reduce((sum, one) => sum + one.base, 0n),
    );
    const needed = -open.reduce((sum, one) => sum + one, 0n);
    // A purchase may bring a little more than was asked for: what is beyond the fills is no fill's.
    expect(needed > 0n ? whole >= needed : whole <= needed, `hedge ${seq} closes all that it is for`).toBe(true);
    const sizes = open.map((one) => (one < 0n ? -one : one));
    const all = sizes.reduce((sum, one) => sum + one, 0n);
    const native = nativeUsd ?? own.find(({ step }) => step === 'swap_built')?.nativeUsd ?? '0';
    const gas = scaled(decimal(native), { digits: swap?.wei ?? 0n, places: 18 });
    const fees = scaled(decimal(entered?.feeUsd ?? '0'));
    const mid = midAt(first.chainId, pair, Number(entered?.at ?? time));
    let [soFar, given] = [0n, 0n];
    covered.forEach((fill, index) => {
      soFar -= open[index] ?? 0n;
      const due = floorDivision(soFar * cash, whole);
      const part = sizes[index] ?? 0n;
      const share = {
        base: -(open[index] ?? 0n),
        quote: due - given,
        mid,
        gas: (gas * part) / all,
        fees: (fees * part) / all,
      };
      given = due;
      shares.set(nameOf(fill), [...(shares.get(nameOf(fill)) ?? []), share]);
    });
  }
  expect(hedges.every((seq) => opened.has(seq))).toBe(true);
  expect(opened.get(forNone)?.fillSeqs).toEqual([]);

  const NAMES = ['edge', 'after10s', 'after1m', 'after5m', 'inventory', 'hedge', 'gas', 'fees'] as const;
  const AFTER = { edge: 0, after10s: 10_000, after1m: 60_000, after5m: 300_000 } as const;
  type Sum = Record<(typeof NAMES)[number] | 'volume' | 'net', bigint> & {
    fills: number;
    unpriced: number;
    known: Record<string, number>;
    notYet: Record<string, number>;
  };
  const noSum = (): Sum => ({
    edge: 0n,
    after10s: 0n,
    after1m: 0n,
    after5m: 0n,
    inventory: 0n,
    hedge: 0n,
    gas: 0n,
    fees: 0n,
    volume: 0n,
    net: 0n,
    fills: 0,
    unpriced: 0,
    known: {},
    notYet: {},
  });
  const independent = (by: 'pair' | 'user' | 'counterparty', now: number) => {
    const sums = new Map<string, Sum>();
    for (const fill of onChain) {
      const { pair, user, counterparty, time: decided, base, paid, inBase, inQuote, config } = facts(fill);
      const all = [{ pair: `${pair} ${fill.chainId}`, user, counterparty }[by], 'All'];
      for (const name of all) {
        const sum = sums.get(name) ?? noSum();
        sums.set(name, sum);
        sum.fills += 1;
        const dollarPair = dollarPairOf(config, paid.address);
        const rate = DOLLARS.includes(paid.symbol)
          ? '1'
          : dollarPair === undefined
            ? null
            : midAt(fill.chainId, dollarPair, fill.time);
        const own = shares.get(nameOf(fill)) ?? [];
        const openBase = own.reduce((total, one) => total + one.base, inBase);
        const last = saidOf(fill.chainId, pair).findLast((one) => one.time <= now)?.mid ?? null;
        if (rate === null || (openBase !== 0n && last === null)) {
          sum.unpriced += 1;
          continue;
        }
        const dollars = decimal(rate);
        const ofBase = (amount: bigint, mid: string) =>
          scaled({ digits: amount, places: base.decimals }, decimal(mid), dollars);
        const ofQuote = (amount: bigint) => scaled({ digits: amount, places: paid.decimals }, dollars);
        const made: Partial<Record<(typeof NAMES)[number], bigint>> = {};
        let before: bigint | null = null;
        for (const mark of ['edge', 'after10s', 'after1m', 'after5m'] as const) {
          if (fill.time + AFTER[mark] > now) {
            sum.notYet[mark] = (sum.notYet[mark] ?? 0) + 1;
            continue;
          }
          const mid = midAt(fill.chainId, pair, mark === 'edge' ? decided : fill.time + AFTER[mark]);
          if (mid === null || (mark !== 'edge' && before === null)) continue;
          const worth = ofBase(inBase, mid) + ofQuote(inQuote);
          made[mark] = worth - (before ?? 0n);
          before = worth;
        }
        const cash = own.reduce((total, one) => total + one.quote, inQuote);
        const gross = ofQuote(cash) + (openBase === 0n || last === null ? 0n : ofBase(openBase, last));
        if (own.every(({ mid }) => mid !== null)) {
          made.hedge = own.reduce((total, one) => total + ofBase(one.base, one.mid ?? '0') + ofQuote(one.quote), 0n);
        }
        made.inventory = gross - (before ?? 0n) - (made.hedge ?? 0n);
        made.gas = -own.reduce((total, one) => total + one.gas, 0n);
        made.fees = -own.reduce((total, one) => total + one.fees, 0n);
        for (const part of NAMES) {
          const amount = made[part];
          if (amount === undefined) continue;
          sum[part] += amount;
          sum.known[part] = (sum.known[part] ?? 0) + 1;
        }
        sum.volume += ofQuote(inQuote < 0n ? -inQuote : inQuote);
        sum.net += gross + made.gas + made.fees;
      }
    }
    return Object.fromEntries(
      [...sums].map(([name, sum]) => [
        name,
        {
          fills: sum.fills,
          unpriced: sum.unpriced,
          volume: cents(sum.volume),
          net: cents(sum.net),
          parts: Object.fromEntries(
            NAMES.map((part) => [part, sum.known[part] ? cents(sum[part]) : sum.notYet[part] ? 'not_yet' : null]),
          ),
        },
      ]),
    );
  };
  for (const by of ['pair', 'user', 'counterparty'] as const) {
    const { rows: given, all, valuedUntil } = said[by];
    const shown = Object.fromEntries(
      [...given, { ...all, isAll: true }].map((row) => [
        row.isAll ? 'All' : by === 'pair' ? `${row.pair} ${row.chainId}` : row[by],
        {
          fills: row.fills,
          unpriced: row.unpriced,
          volume: twoDigits(row.volume),
          net: twoDigits(row.net),
          parts: Object.fromEntries(NAMES.map((part) => [part, twoDigits(row.parts[part])])),
        },
      ]),
    );
    expect(shown).toEqual(independent(by, Date.parse(valuedUntil)));
  }
  // What was paid for no fill: gas of approvals and cancels at the reference then, and of the hedge at that when it was placed, else at what the service reckoned.
  const built = steps.get(forNone)?.find(({ step }) => step === 'swap_built')?.nativeUsd;
  const native = opened.get(forNone)?.nativeUsd ?? built ?? '0';
  const paid = ownSent.map(({ chainId, time, wei }) => {
    const config = configs.get(chainId);
    const weth = Object.values(config?.tokens ?? {}).find(({ symbol }) => symbol === 'WETH');
    const priced = config === undefined || weth === undefined ? undefined : dollarPairOf(config, weth.address);
    const mid = priced === undefined ? null : midAt(chainId, priced, time);
    return mid === null ? null : scaled(decimal(mid), { digits: wei, places: 18 });
  });
  paid.push(scaled(decimal(native), { digits: swaps.get(forNone)?.wei ?? 0n, places: 18 }));
  const gas = paid.reduce<bigint>((sum, one) => sum - (one ?? 0n), 0n);
  expect(paid.length).toBeGreaterThan(1);
  expect(gas).toBeLessThan(0n);
  const { noFill, netOfTime, all } = said.pair;
  expect({
    ...noFill,
    gas: twoDigits(noFill.gas),
    fees: twoDigits(noFill.fees),
    costs: twoDigits(noFill.costs),
  }).toEqual({
    count: paid.length,
    unpriced: paid.filter((one) => one === null).length,
    gas: cents(gas),
    fees: '0.00',
    costs: cents(gas),
  });
  // The net of all is cut to the cent, and so is this: the sum of both figures is off by a cent at most.
  const off = Math.round((Number(netOfTime) - Number(all.net) - Number(noFill.costs)) * 100);
  expect([0, 1]).toContain(off);
  expect(all.fills).toBe(onChain.length);
  expect(all.unpriced, 'nearly every fill has a price').toBeLessThan(all.fills / 10);
  expect([Number(all.parts.gas) < 0, Number(all.parts.fees) < 0, Number(all.parts.hedge) !== 0]).toEqual([
    true,
    true,
    true,
  ]);
});
