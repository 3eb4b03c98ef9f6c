import { it } from 'vitest';
import { startThreadsBy } from '../reused-threads.ts';
import { expectSolvent } from './solvency-steps.ts';
import { threadWithin } from './threads-within.ts';

startThreadsBy(() => threadWithin);

it(
  'over 250 random sequences of lies, set clocks, restarts and restores the maker can pay for all that can be filled',
  () => expectSolvent(250),
  3_600_000,
);
