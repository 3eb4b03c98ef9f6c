import type { ConsumerFaults } from '../consumer/consumer-faults.ts';
import type { MarketServices } from '../market-services.ts';
import type { Fault } from './fault-board.ts';

const SLOW_MS = 2_500;
/** More than the half minute that a maker allows (PROTOCOL 5.2). */
const CLOCK_OFF_MS = 45_000;

/** What can be wrong with the service itself, on every chain at once. `hangUp` cuts the connections of its own address. */
export function serviceFaults(
  faults: ConsumerFaults,
  hangUp: () => void,
  services: Pick<MarketServices, 'limits' | 'bridgeDown'>,
): Fault[] {
  const { limits, bridgeDown } = services;
  return [
    {
      name: 'service-down',
      says: 'The service asks nothing, holds no WebSocket, and its own address does not answer.',
      once: false,
      async on() {
        faults.down = true;
        hangUp();
        return 'the service is down';
      },
      async off() {
        faults.down = false;
        return 'the service is up again';
      },
    },
    {
      name: 'service-slow',
      says: `The service asks and answers ${SLOW_MS / 1_000} s late.`,
      once: false,
      async on() {
        faults.slowMs = SLOW_MS;
        return `the service is ${SLOW_MS / 1_000} s late`;
      },
      async off() {
        faults.slowMs = 0;
        return 'the service is in time again';
      },
    },
    {
      name: 'wrong-secret',
      says: 'The service signs its requests with another secret.',
      once: false,
      async on() {
        faults.wrongSecret = true;
        return 'requests are signed with a wrong secret';
      },
      async off() {
        faults.wrongSecret = false;
        return 'requests are signed with the agreed secret again';
      },
    },
    {
      name: 'clock-off',
      says: `The service's clock is ${CLOCK_OFF_MS / 1_000} s ahead.`,
      once: false,
      async on() {
        faults.clockOffsetMs = CLOCK_OFF_MS;
        return `the service's clock is ${CLOCK_OFF_MS / 1_000} s ahead`;
      },
      async off() {
        faults.clockOffsetMs = 0;
        return "the service's clock is right again";
      },
    },
    {
      name: 'free-tier',
      says: 'The service answers prices, swaps and quotes once a second and 3,000 times a day, except to those with its key.',
      once: false,
      async on() {
        limits.on = true;
        return 'the service counts calls as its free tier does';
      },
      async off() {
        limits.on = false;
        return 'the service counts no calls any more';
      },
    },
    {
      name: 'bridge-down',
      says: 'Nothing arrives over the bridge between the chains; what waits too long is given back where it came from.',
      once: false,
      async on() {
        bridgeDown.on = true;
        return 'the bridge is down';
      },
      async off() {
        bridgeDown.on = false;
        return 'the bridge works again';
      },
    },
  ];
}
