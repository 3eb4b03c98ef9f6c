import { describe, expect, it } from 'vitest';
import { openJournal } from '../../electron/journal/journal.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import {
  ETHER,
  firm,
  happens,
  newFolder,
  type OpenDesk,
  openDesk,
  person,
  quotes,
  TAKER,
} from '../quoting/open-desk.ts';

const STRANGE: Hex = `0x${'5'.repeat(64)}`;
let logs = 0;

function fillOf(orderHash: string, makerAmount = `${ETHER}`) {
  const place = { block: 2, blockHash: `0x${'b'.repeat(64)}`, transactionHash: `0x${'c'.repeat(64)}` };
  const what = { taker: TAKER, makerAsset: WETH, takerAsset: USDC, makerAmount, takerAmount: '3400000000' };
  const body = { chainId: CHAIN, orderHash, blockTime: 0, logIndex: logs++, ...place, ...what };
  return { time: Date.now(), actor: 'chain', kind: 'fill', body } as const;
}

const alarms = ({ guard }: OpenDesk) => guard.status().alarms ?? [];
const raised = (desk: OpenDesk) => expect.poll(() => alarms(desk)).toHaveLength(1);

describe('a fill of an order that this desk never signed', () => {
  it('halts the desk, is in the log and the status, and is booked as every fill is', async () => {
    const lines: string[] = [];
    const desk = await openDesk({ guard: { log: { error: (line) => void lines.push(line) } } });
    await happens(desk, fillOf(STRANGE));
    await raised(desk);
    expect(desk.guard.status().state).toBe('HALTED');
    const title = 'An order that this desk never signed was filled on Practice';
    expect(desk.guard.status().reason).toContain(title);
    expect(alarms(desk)).toMatchObject([{ kind: 'unknown_fill', chainId: CHAIN, title }]);
    expect(alarms(desk)[0]?.detail).toContain(`order ${STRANGE} gave 1 WETH for 3400 USDC to ${TAKER}`);
    expect(lines).toEqual(['ALARM: an order that this desk never signed was filled']);
    expect((await firm(desk)).code).toBe('halted');
    const positions = await desk.journal.read.positions(CHAIN, Date.now());
    expect(positions).toMatchObject([{ token: { address: WETH }, filled: `-${ETHER}` }, { token: { address: USDC } }]);
  });

  it('is an alarm, and the desk goes on, where the settings say so', async () => {
    const desk = await openDesk({ chain: { unknownFillHalts: false } });
    await happens(desk, fillOf(STRANGE));
    await raised(desk);
    expect(desk.guard.status().state).toBe('LIVE');
  });

  it('stands over restarts and a resume, until a person says what they found', async () => {
    const desk = await openDesk();
    await happens(desk, fillOf(STRANGE));
    await raised(desk);
    desk.clock.ahead += 60_000;
    await desk.guard.trading.resume({}, person);
    await desk.close();
    const again = await openDesk({ folder: desk.folder, ahead: 60_000 });
    expect(again.guard.status().state).toBe('LIVE');
    const [alarm] = alarms(again);
    await again.guard.alarms.acknowledge(alarm?.seqs ?? [], { actor: 'mara', reason: 'our own second desk' });
    expect(alarms(again)).toEqual([]);
    await again.close();
    const third = await openDesk({ folder: desk.folder });
    expect(alarms(third)).toEqual([]);
  });

  it('halts at the next start when the desk died before it could', async () => {
    const folder = newFolder();
    const desk = await openDesk({ folder });
    expect(desk.guard.status().state).toBe('LIVE');
    await desk.close();
    const journal = await openJournal({ folder, now: Date.now });
    await journal.append({ ...fillOf(STRANGE), time: Date.now() + 1 });
    await journal.close();
    const again = await openDesk({ folder });
    expect(again.guard.status().state).toBe('HALTED');
    expect(alarms(again)).toHaveLength(1);
  });

  it('is told from one of its own, and one that was withheld is none of its own', async () => {
    const desk = await openDesk();
    await firm(desk);
    const [own] = await quotes(desk);
    await happens(desk, fillOf(own?.orderHash ?? '', own?.makerAmount ?? ''));
    const asked = firm(desk);
    await desk.guard.trading.halt({}, person);
    expect((await asked).order).toBe(undefined);
    await desk.guard.trading.resume({}, person);
    expect(alarms(desk)).toEqual([]);
    const withheld = (await quotes(desk)).find(({ state }) => state === 'withheld');
    await happens(desk, fillOf(withheld?.orderHash ?? ''));
    await raised(desk);
    expect(desk.guard.status().state).toBe('HALTED');
  });

  it('is found behind a thousand drifts of a balance that nobody has looked at', async () => {
    const desk = await openDesk();
    const drift = (block: number) => {
      const body = { chainId: CHAIN, token: WETH, amount: '1', fromBlock: block, block: block + 1, blockHash: STRANGE };
      return desk.journal.append({ time: Date.now(), actor: 'chain', kind: 'drift', body });
    };
    await Promise.all(Array.from({ length: 1_000 }, (_, block) => drift(block)));
    await raised(desk);
    expect(desk.guard.status().state).toBe('LIVE');
    await happens(desk, fillOf(STRANGE));
    await expect.poll(() => alarms(desk)[0]?.kind).toBe('unknown_fill');
    expect(desk.guard.status().state).toBe('HALTED');
  });
});
