import { describe, expect, it, onTestFinished } from 'vitest';
import { ETHER } from '../quoting/open-desk.ts';
import { startThreadsBy } from '../reused-threads.ts';
import { expectSolvent } from './solvency-steps.ts';
import { BALANCE, type Damage, SolvencyWorld } from './solvency-world.ts';
import { threadWithin } from './threads-within.ts';

startThreadsBy(() => threadWithin);

/** A desk on whose balance of 10 WETH eight are signed. */
async function eightOfTen(): Promise<SolvencyWorld> {
  const world = await SolvencyWorld.begin();
  onTestFinished(() => world.end());
  await world.sign(8n * ETHER);
  expect(world.live).toBe(8n * ETHER);
  return world;
}

/** Whoever asks now for what is not covered gets nothing, and what is signed counts still. */
async function signsNothingMore(world: SolvencyWorld): Promise<void> {
  await world.sign(8n * ETHER);
  expect(world.live).toBe(8n * ETHER);
  expect(world.orders).toHaveLength(1);
  expect(world.leftAtWorst()).toBe(BALANCE - 8n * ETHER);
}

describe('exposure only ever falls by proof', () => {
  it.each([
    ['an hour ahead', 3_600, 1],
    ['200 s ahead for 2.5 s', 200, 5],
  ])('a node whose blocks are %s ends nothing', async (_, seconds, looks) => {
    const world = await eightOfTen();
    world.lie({ kind: 'time', seconds });
    for (let look = 0; look < looks; look += 1) {
      if (look % 2 === 1) world.mine(1);
      await world.look();
      expect(world.state.closed).toBe('chain_clock');
      await signsNothingMore(world);
    }
    world.lie({ kind: 'none' });
    await world.look();
    expect(world.state.closed).toBe(null);
    await signsNothingMore(world);
  });

  it('our own clock an hour behind signs no order that has expired', async () => {
    const world = await SolvencyWorld.begin();
    onTestFinished(() => world.end());
    world.setClock(-3_600);
    world.mine(1);
    await world.look();
    await world.sign(ETHER);
    expect([world.orders, world.refused]).toEqual([[], ['chain_clock']]);
    await world.restart('closed');
    await world.look();
    await world.sign(ETHER);
    expect([world.orders, world.state.closed]).toEqual([[], 'chain_clock']);
  });

  it.each([
    ['other hashes under the same chain id', { kind: 'another' }],
    ['another branch 70 blocks deep', { kind: 'branch', depth: 70 }],
    ['another branch from the second block on', { kind: 'swept' }],
  ] as const)('a node with %s wipes nothing, nor when the first chain returns', async (_, lie) => {
    const world = await eightOfTen();
    world.mine(80);
    await world.look();
    world.lie(lie);
    await world.look();
    await signsNothingMore(world);
    await world.restart('killed');
    await world.resume();
    await world.look();
    await signsNothingMore(world);
    world.lie({ kind: 'none' });
    await world.look();
    await world.resume();
    await signsNothingMore(world);
    world.mine(1, [{ which: 0, part: 1, cancel: false }]);
    await world.look();
    expect(world.live).toBe(4n * ETHER);
  });

  it('a start with the clock an hour ahead, then set right, ends nothing', async () => {
    const world = await eightOfTen();
    world.setClock(3_600);
    await world.restart('closed');
    await world.look();
    await world.look();
    world.setClock(0);
    await world.look();
    await world.restart('closed');
    await world.resume();
    await world.look();
    await signsNothingMore(world);
  });
});

describe('a desk that may have forgotten what it signed', () => {
  const damages: [string, Damage][] = [
    ['the folder was put back', { what: 'folder', without: [] }],
    ['the journal was put back', { what: 'journal', without: [] }],
    ['the journal was put back without its head', { what: 'journal', without: ['journal.head'] }],
    ['the journal was put back and the witness is gone', { what: 'journal', without: ['witness'] }],
    ['the end of the journal was cut off', { what: 3, without: [] }],
    ['the end of the journal was cut off with head and witness', { what: 3, without: ['journal.head', 'witness'] }],
    ['the witness is gone', { what: 'nothing', without: ['witness'] }],
  ];
  it.each(damages)('signs nothing while that can be filled, whoever resumes: %s', async (_, damage) => {
    const world = await eightOfTen();
    await world.damage(damage);
    expect(world.state.desk).toBe('HALTED');
    for (let seconds = 0; seconds <= 150; seconds += 30) {
      await world.resume();
      await world.look();
      expect(world.state).toEqual({ desk: 'LIVE', closed: 'past_unproven' });
      await world.sign(8n * ETHER);
      expect(world.orders).toHaveLength(1);
      world.mine(30);
    }
  });

  it('holds off as long as what it signed with a clock that was ahead', async () => {
    const world = await SolvencyWorld.begin();
    onTestFinished(() => world.end());
    world.setClock(100);
    world.mine(1);
    await world.look();
    await world.sign(8n * ETHER);
    expect(world.orders).toHaveLength(1);
    world.setClock(0);
    await world.damage({ what: 'folder', without: [] });
    for (let seconds = 0; seconds < 240; seconds += 30) {
      world.mine(30);
      await world.resume();
      await world.look();
      await world.sign(8n * ETHER);
      expect(world.orders).toHaveLength(1);
    }
    // It counts from the first look after the start, half a minute later, in which both clocks agreed.
    world.mine(90);
    await world.look();
    await world.sign(8n * ETHER);
    expect(world.orders).toHaveLength(2);
  });
});

it('whatever the node shows, however the clock is set, the desk is stopped and its folder is put back or damaged, the maker can pay for all that can be filled', () =>
  expectSolvent(12));
