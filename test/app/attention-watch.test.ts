import { expect, test, vi } from 'vitest';
import { type Stopped, watchAttention } from '../../electron/app/attention-watch.ts';
import type { Attention, DeskUpdate } from '../../electron/contract/desk-view.ts';

const row = (code: string, level: Attention['level'] = 'stop'): Attention => ({ code, level, title: code, detail: '' });

/** A desk whose stream says these rows, one update after another, and then nothing more. */
function deskThatSays(...updates: Attention[][]) {
  async function* watch(): AsyncGenerator<DeskUpdate> {
    for (const attention of updates) yield { time: 0, actor: '', attention };
    await new Promise(() => {});
  }
  return { desk: { watch: async () => watch() } } as unknown as Parameters<
    ReturnType<typeof watchAttention>['follow']
  >[0];
}

test('what is stopped at the first word is no news, and what stops later is, once', async () => {
  const told: Stopped[] = [];
  watchAttention((stopped) => told.push(stopped)).follow(
    deskThatSays([row('a')], [row('a'), row('b')], [row('a'), row('b')], [row('b'), row('c', 'look')]),
  );
  await vi.waitFor(() => expect(told).toHaveLength(4));
  expect(told.map(({ news }) => news.map(({ code }) => code))).toEqual([[], ['b'], [], []]);
  expect(told.at(-1)?.rows.map(({ code }) => code)).toEqual(['b']);
});

test('without a desk nothing is stopped', () => {
  const told: Stopped[] = [];
  watchAttention((stopped) => told.push(stopped)).follow(null);
  expect(told).toMatchObject([{ rows: [], news: [] }]);
});
