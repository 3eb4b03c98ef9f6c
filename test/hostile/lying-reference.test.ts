import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChainBook } from '../../electron/book/chain-book.ts';
import { ReferenceFence } from '../../electron/book/reference-fence.ts';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN, DAI, USDC } from '../book/fixture.ts';
import { alertsOf } from '../desk/alerts-of.ts';
import { type DeskChanges, ETHER, firm, noService, openDesk, request } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';

const PAIR = 'WETH/USDC';
const STILL = 'DAI/USDC';
const MINUTE = 60_000;
const silent = { info() {}, warn() {}, error() {} };

/** A desk with a reference that says what a test says; WETH/USDC follows it from 3412.75, DAI/USDC stands at 1. */
async function beside(settings: Record<string, unknown> = {}, changes: DeskChanges = {}) {
  const said = { [PAIR]: '3412.75', [STILL]: '1' } as Record<string, string>;
  const reference = await answering((request, response) => {
    const time = desk.now();
    const prices = Object.fromEntries(Object.entries(said).map(([pair, mid]) => [pair, { mid, time }]));
    json({ prices })(request, response);
  });
  const desk = await openDesk({ ...changes, chain: { referenceUrl: reference.url, follow: [PAIR], ...settings } });
  const now = desk.now;
  const polls = new ReferencePolls({ ...desk, now, log: silent as never, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const chain = () => desk.book.chain(CHAIN) as ChainBook;
  /** The reference says this, `afterMs` later, and the desk has heard it. */
  const says = async (pair: string, mid: string, afterMs = 1_000) => {
    said[pair] = mid;
    desk.clock.ahead += afterMs;
    desk.chain.view = { ...desk.chain.view, seenAt: now() } as typeof desk.chain.view;
    await expect.poll(() => desk.book.references.of(CHAIN, pair)?.mid).toBe(mid);
    return desk.book.references.of(CHAIN, pair);
  };
  const told = () => alertsOf(desk, { references: polls });
  await says(PAIR, '3412.75', 0);
  await says(STILL, '1', 0);
  return { desk, says, told, bid: () => chain().pairs.get(PAIR)?.ladder.ladder.bids[0]?.[0] };
}

describe('A reference that lies step by step', () => {
  it('moves a ladder that follows nowhere by +9.9 % a step: the pair is closed at the first one, and it is told', async () => {
    const { desk, says, told, bid } = await beside();
    const before = bid();
    expect((await firm(desk)).status).toBe(200);
    for (const mid of ['3750.6', '4121.9', '4529.9']) {
      expect(await says(PAIR, mid)).toMatchObject({ fenced: true });
      expect(bid()).toBe(before);
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    }
    const disbelieved = told().find(({ title }) => title === `The reference of ${PAIR} is not believed`);
    expect(disbelieved?.level).toBe('stop');
    expect(disbelieved?.detail).toMatch(/more than 500 bps from 3412\.75 within a minute\. The pair is closed until/);
    expect(await says(PAIR, '3413')).not.toHaveProperty('fenced');
    expect((await firm(desk)).status).toBe(200);
  });

  it('watches a pair that does not follow as well', async () => {
    const { desk, says, told } = await beside({ offReferenceCloses: 'none' });
    const forDai = request({
      makerAsset: USDC,
      takerAsset: DAI,
      makerAmount: undefined,
      takerAmount: `${10n * ETHER}`,
    });
    expect((await firm(desk, forDai)).status).toBe(200);
    await says(STILL, '0.5');
    expect(await firm(desk, forDai)).toMatchObject({ status: 503, code: 'reference_stale' });
    const title = `The reference of ${STILL} is not believed`;
    expect(told()).toContainEqual(expect.objectContaining({ level: 'stop', title }));
  });

  it('is believed again when a person says so, and the ladder goes on following from there', async () => {
    const { desk, says, bid } = await beside();
    await says(PAIR, '3800');
    const accept = (mid: string) => desk.book.acceptReference({ chainId: CHAIN, pair: PAIR, mid }, 'mara');
    await expect(accept('3700')).rejects.toMatchObject({ code: 'reference_moved' });
    expect(await accept('3800')).toMatchObject({
      actor: 'mara',
      ladder: {
        bids: [
          ['3799.7', '1'],
          ['3799.2', '2.5'],
        ],
      },
    });
    expect(await says(PAIR, '3810')).not.toHaveProperty('fenced');
    await expect.poll(bid).toMatch(/^3809\./);
    expect((await firm(desk)).status).toBe(200);
  });
});

describe('The fence', () => {
  const config = { referenceMinuteBps: 500, referenceHourBps: 1_000, referenceAnchorBps: 2_500 };
  const chain = { chainId: CHAIN, config } as unknown as ChainBook;
  const pair = (
    revision: number,
    mid: string,
    actor = 'mara',
    followed?: { mid: string; bids: string; asks: string },
  ) =>
    ({
      id: PAIR,
      ladder: { revision, time: 0, actor, followed, ladder: { bids: [[mid, '1']], asks: [[mid, '1']] } },
    }) as never;

  /** What a fence says to these prices, each some milliseconds after the one before. */
  const walk = (fence: ReferenceFence, of: never, steps: [number, string][], from = 0) => {
    let now = from;
    return steps.map(([after, mid]) => {
      now += after;
      return fence.judge(chain, of, mid, now);
    });
  };

  it('takes many small steps for the one they come to, within a minute, an hour, and from what a person published', () => {
    const fence = new ReferenceFence();
    fence.begin(CHAIN, pair(1, '100'), null, 0);
    const minute = walk(
      fence,
      pair(1, '100'),
      [100, 102, 104, 106].map((mid) => [10_000, `${mid}`]),
    );
    expect(minute).toEqual([null, null, null, expect.stringContaining('more than 500 bps from 100 within a minute')]);
    const hour = walk(
      fence,
      pair(1, '100'),
      [104, 108, 109, 111].map((mid) => [2 * MINUTE, `${mid}`]),
      40_000,
    );
    expect(hour).toEqual([null, null, null, expect.stringContaining('more than 1000 bps from 100 within an hour')]);
    const slow = walk(
      fence,
      pair(1, '100'),
      [109, 118, 125, 126].map((mid) => [62 * MINUTE, `${mid}`]),
      600_000,
    );
    expect(slow[3]).toContain('more than 2500 bps from 100, around which a person published last');
  });

  it('holds the anchor where the person put it, however far following has moved the ladder', () => {
    const fence = new ReferenceFence();
    const moved = pair(9, '124', 'follow', { mid: '124', bids: '24', asks: '24' });
    fence.begin(CHAIN, moved, { low: '124', high: '124', last: '124' }, 0);
    expect(
      walk(fence, moved, [
        [1_000, '124.9'],
        [1_000, '125.1'],
      ]),
    ).toEqual([null, expect.stringContaining('from 100,')]);
  });

  it('does not forget with time what it does not believe, nor with a restart what it believed', () => {
    const fence = new ReferenceFence();
    fence.begin(CHAIN, pair(1, '100'), { low: '99', high: '101', last: '100' }, 0);
    const lies = walk(
      fence,
      pair(1, '100'),
      [1_000, 30 * MINUTE, 61 * MINUTE, 600 * MINUTE].map((after) => [after, '106']),
    );
    expect(lies.every((why) => why?.includes('within a minute'))).toBe(true);
    expect(fence.judge(chain, pair(1, '100'), '101', 700 * MINUTE)).toBeNull();
  });

  it('begins anew where a person publishes', () => {
    const fence = new ReferenceFence();
    fence.begin(CHAIN, pair(1, '100'), null, 0);
    expect(
      walk(fence, pair(1, '100'), [
        [0, '100'],
        [1_000, '110'],
      ])[1],
    ).not.toBeNull();
    expect(fence.judge(chain, pair(2, '110'), '110', 2_000)).toBeNull();
    expect(fence.judge(chain, pair(2, '110'), '100', 3_000)).not.toBeNull();
  });

  it('goes on where a person publishes while it is believed: a publish is no way around what it may move', () => {
    const fence = new ReferenceFence();
    fence.begin(CHAIN, pair(1, '100'), null, 0);
    const steps = [103, 106, 109].map((mid, index) =>
      fence.judge(chain, pair(index + 1, '100'), `${mid}`, 1_000 * index),
    );
    expect(steps).toEqual([null, expect.stringContaining('from 100 within a minute'), expect.any(String)]);
    // Nor where it is held: then it is held against what the person published.
    expect(fence.judge(chain, pair(9, '100'), '109', 5_000)).toContain('more than 500 bps from 100 within a minute');
    expect(fence.judge(chain, pair(10, '105'), '109', 6_000)).toBeNull();
  });

  it('holds the first price after a start against the ladder, however long the desk was off', () => {
    for (const off of [0, 20 * MINUTE, 60 * MINUTE, 6_000 * MINUTE]) {
      const fence = new ReferenceFence();
      fence.begin(CHAIN, pair(1, '100', off > 0 ? 'follow' : 'mara'), null, off);
      expect(fence.judge(chain, pair(1, '100'), '111', off)).toMatch(/more than \d+ bps from 100 within/);
      expect(fence.judge(chain, pair(1, '100'), '104', off)).toBeNull();
    }
  });

  it('lets a price have moved in a silence as far as its time allows, up to the limit of an hour', () => {
    const saysAfter = (silence: number, mid: string) => {
      const fence = new ReferenceFence();
      fence.begin(CHAIN, pair(1, '100'), null, 0);
      fence.judge(chain, pair(1, '100'), '100', 0);
      return fence.judge(chain, pair(1, '100'), mid, silence * MINUTE);
    };
    expect(saysAfter(30, '106')).toBeNull();
    expect(saysAfter(30, '108')).toContain('more than 745 bps from 100 within 30 minutes');
    expect(saysAfter(2, '106')).toContain('more than 508 bps from 100 within 2 minutes');
    expect(saysAfter(600, '109.9')).toBeNull();
    expect(saysAfter(600, '110.1')).toContain('more than 1000 bps from 100');
  });

  it('is held against what a person published while it was silent, however far that is from before', () => {
    const fence = new ReferenceFence();
    fence.begin(CHAIN, pair(1, '100'), null, 0);
    expect(fence.judge(chain, pair(1, '100'), '100', 0)).toBeNull();
    expect(fence.judge(chain, pair(2, '115'), '100', 120 * MINUTE)).toContain('from 115 within a minute');
    expect(fence.judge(chain, pair(2, '115'), '116', 121 * MINUTE)).toBeNull();
  });
});
