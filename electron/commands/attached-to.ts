import { Attached } from '../desk/attached.ts';
import { readHidden } from './hidden-text.ts';

/** The desk at this address, as `--attach` names it. Its token is taken from `MAKERDESK_TOKEN`, else asked for at the terminal. */
export function attachedTo(address: URL): Attached {
  const question = `Token for ${address.origin}`;
  return new Attached(address, () => readHidden({ variable: 'MAKERDESK_TOKEN', question, code: 'no_token' }));
}
