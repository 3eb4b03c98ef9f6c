import { it, vi } from 'vitest';
import { expectSolvent } from './solvency-steps.ts';

vi.mock('../reused-threads.ts', () => import('./threads-within.ts'));

it(
  'over 250 random sequences of lies, set clocks, restarts and restores the maker can pay for all that can be filled',
  () => expectSolvent(250),
  3_600_000,
);
