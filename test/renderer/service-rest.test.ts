import { expect, test } from 'vitest';
import { serviceRest } from '../../renderer/state/service-rest.ts';

const SINCE = 1_800_000_000_000;
const at = (seconds: number) => serviceRest(SINCE, SINCE + seconds * 1_000);

test('a stop may last as long as the fastest service polls five times, and costs a rest that is over by the slowest one’s end', () => {
  expect([at(0), at(4.9)]).toEqual(Array(2).fill({ phase: 'polls', until: SINCE + 5_000 }));
  expect([at(5), at(129)]).toEqual(Array(2).fill({ phase: 'rests', until: SINCE + 130_000 }));
  expect(at(131).phase).toBe('may_rest');
});
