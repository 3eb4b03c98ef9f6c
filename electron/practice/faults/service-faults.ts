import type { ConsumerFaults } from '../consumer/surface-client.ts';
import type { MarketServices } from '../market-services.ts';
import { type Fault, settingFault } from './fault-board.ts';

const SLOW_MS = 2_500;
/** More than the half minute that a maker allows (PROTOCOL 5.2). */
const CLOCK_OFF_MS = 45_000;

/** What can be wrong with the service itself, on every chain at once. `hangUp` cuts the connections of its own address. */
export function serviceFaults(
  faults: ConsumerFaults,
  hangUp: () => void,
  { limits, bridgeDown }: Pick<MarketServices, 'limits' | 'bridgeDown'>,
): Fault[] {
  return [
    settingFault(
      'service-down',
      'The service asks nothing, holds no WebSocket, and its own address does not answer.',
      ['the service is down', 'the service is up again'],
      (isOn) => {
        faults.down = isOn;
        if (isOn) hangUp();
      },
    ),
    settingFault(
      'service-slow',
      `The service asks and answers ${SLOW_MS / 1_000} s late.`,
      [`the service is ${SLOW_MS / 1_000} s late`, 'the service is in time again'],
      (isOn) => {
        faults.slowMs = isOn ? SLOW_MS : 0;
      },
    ),
    settingFault(
      'wrong-secret',
      'The service signs its requests with another secret.',
      ['requests are signed with a wrong secret', 'requests are signed with the agreed secret again'],
      (isOn) => {
        faults.wrongSecret = isOn;
      },
    ),
    settingFault(
      'clock-off',
      `The service's clock is ${CLOCK_OFF_MS / 1_000} s ahead.`,
      [`the service's clock is ${CLOCK_OFF_MS / 1_000} s ahead`, "the service's clock is right again"],
      (isOn) => {
        faults.clockOffsetMs = isOn ? CLOCK_OFF_MS : 0;
      },
    ),
    settingFault(
      'free-tier',
      'The service answers prices, swaps and quotes once a second and 3,000 times a day, except to those with its key.',
      ['the service counts calls as its free tier does', 'the service counts no calls any more'],
      (isOn) => {
        limits.on = isOn;
      },
    ),
    settingFault(
      'bridge-down',
      'Nothing arrives over the bridge between the chains; what waits too long is given back where it came from.',
      ['the bridge is down', 'the bridge works again'],
      (isOn) => {
        bridgeDown.on = isOn;
      },
    ),
  ];
}
