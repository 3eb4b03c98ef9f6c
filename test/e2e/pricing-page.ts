import type { Page } from '@playwright/test';
import { type Formula, formulaOf } from '../../electron/contract/formula.ts';
import { connectionTo } from '../desk/connection.ts';
import type { PracticeDesk } from './practice-desk.ts';

export const PAIR = 'WETH/USDC';
export const FORMULA: Formula = {
  spreadBps: '8',
  tick: '0.1',
  bids: { size: '2', levels: 10, stepBps: '1.2', sizeFactor: '1.2' },
  asks: { size: '2', levels: 10, stepBps: '1.2', sizeFactor: '1.2' },
  inventory: { target: '0', limit: '5000', bpsPerUnit: '0.01' },
  age: { freeSeconds: '30', bpsPerSecond: '0.1' },
  closesAboveSpreadBps: '60',
};

export const terms = (page: Page, name = 'Formula') => page.getByRole('region', { name, exact: true });
export const ladder = (page: Page) => page.getByRole('region', { name: 'Ladder it makes' });
export const openView = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).click();

/** The formula of the pair, as another person sets it and leaves it. */
export async function formulasOf({ folder }: PracticeDesk) {
  const { desk, close } = await connectionTo(folder, 'mara');
  let isOver = false;
  const [chainId = 0] = (await desk.settings.get()).desk.chains.map((chain) => chain.chainId);
  const at = { chainId, pair: PAIR };
  const now = async () => {
    const { chains } = (await desk.settings.get()).desk;
    return formulaOf(chains.find((chain) => chain.chainId === chainId) ?? {}, PAIR);
  };
  return {
    now,
    set: async (formula: Formula) => desk.formulas.set({ ...at, formula, seen: await now() }),
    end: async () => {
      if (isOver) return;
      isOver = true;
      const seen = await now();
      if (seen !== null) await desk.formulas.remove({ ...at, seen });
      await desk.ladders.setHand({ ...at, on: false });
      await desk.ladders.setFollow({ ...at, on: true });
      await close();
    },
  };
}
