import { DeskError } from '../protocol/desk-error.ts';

/** Where the fleet server is, and which of the desks there this is about. */
export interface FleetPlace {
  /** As it was given. */
  url: string;
  /** `nats://host:port` or `tls://host:port`. */
  address: string;
  /** What the desk is called there: its stream and its bucket have this name. */
  desk: string;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;

/**
 * Reads `nats://host:port/desk`; without a name the desk is called `desk`. Throws DeskError `bad_fleet_url`, also where a password
 * stands in it: that goes into a file of credentials.
 */
export function fleetPlace(text: string): FleetPlace {
  const url = URL.canParse(text) ? new URL(text) : null;
  const desk = url?.pathname.replace(/^\//, '') || 'desk';
  const isPlace = url !== null && ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '' && url.search === '';
  if (url === null || !isPlace || !NAME.test(desk)) {
    throw new DeskError('bad_fleet_url', `${text} is no address of a fleet.`, {
      remedy: 'Give nats://HOST:PORT/NAME, or tls:// in its place; the name has small letters, digits and hyphens.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new DeskError('bad_fleet_url', 'The address of a fleet has no password in it: others could read it there.', {
      remedy: 'Put the credentials into a file of your own, and name it with --fleet-credentials.',
    });
  }
  return { url: text, address: `${url.protocol}//${url.hostname}:${url.port || '4222'}`, desk };
}
