import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long, the longest first: those that wait for minutes of a market, or start many desks. Each is begun before
 * all others, whatever its size, so that none of them runs alone at the end.
 */
export const LONGEST: readonly string[] = [
  // npm run test:whole
  'test/desk/results-independent-sum.long.test.ts',
  'test/fleet/surfaces.test.ts',
  'test/setup/deb.long.test.ts',
  'test/hostile/solvency.long.test.ts',
  'test/fleet/take-over.long.test.ts',
  'test/journal/verify-tables.test.ts',
  'test/desk/wrong-input.long.test.ts',
  'test/setup/new-firm.long.test.ts',
  'test/desk/command-line.long.test.ts',
  'test/practice/practice-market.long.test.ts',
  'test/fleet/surfaces.long.test.ts',
  'test/desk/past-view.test.ts',
  'test/crash/kill-under-load.test.ts',
  'test/desk/practice-faults.long.test.ts',
  'test/hostile/doors.long.test.ts',
  'test/practice/takers/takers.long.test.ts',
  'test/desk/practice-swaps.long.test.ts',
  'test/crash/desk-hedge-kill.long.test.ts',
  'test/desk/killed-parts.long.test.ts',
  'test/desk/practice-first-90s.long.test.ts',
  'test/desk/new-passphrase.test.ts',
  'test/desk/tokens.test.ts',
  // npm test
  'test/guard/trading.test.ts',
  'test/chain/balance-drift.test.ts',
  'test/chain/transactions.test.ts',
  'test/desk/rights.test.ts',
];

/** Begins with the files that take longest; the others follow in Vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = LONGEST.indexOf(relative(project.config.root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
