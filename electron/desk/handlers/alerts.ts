import { DeskError } from '../../protocol/desk-error.ts';
import type { AlertBoard } from '../alert-board.ts';
import type { AlertCaller } from '../alerts/caller.ts';
import type { AlertWays } from '../alerts/ways.ts';
import { os } from './base.ts';

/** How alerts are told. `caller` is left out where no desk runs. */
export function alertHandlers(
  alerts: AlertBoard,
  ways: AlertWays,
  caller: Pick<AlertCaller, 'open' | 'take'> | undefined,
) {
  return {
    set: os.alerts.set.handler(({ input: { kind, change }, context: { actor } }) => alerts.set(kind, change, actor)),
    ways: os.alerts.ways.handler(() => ({
      ways: ways.list().map((way) => ({ way, state: ways.state(way.name) })),
      quiet: ways.quiet(),
      open: caller?.open() ?? [],
    })),
    saveWay: os.alerts.saveWay.handler(({ input: { way, password, seen }, context: { actor } }) =>
      ways.save(way, password, { actor, ...(seen !== undefined && { seen }) }),
    ),
    removeWay: os.alerts.removeWay.handler(({ input: { name }, context: { actor } }) => ways.remove(name, actor)),
    testWay: os.alerts.testWay.handler(({ input: { name }, context: { actor } }) => ways.test(name, actor)),
    setQuiet: os.alerts.setQuiet.handler(({ input: { quiet }, context: { actor } }) => ways.setQuiet(quiet, actor)),
    take: os.alerts.take.handler(({ input: { code }, context: { actor } }) => {
      if (caller !== undefined) return caller.take(code, actor);
      throw new DeskError('no_running_desk', 'No desk runs here that could tell an alert.');
    }),
  };
}
