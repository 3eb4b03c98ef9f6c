import { DeskError } from '../../protocol/desk-error.ts';
import type { KeyLock } from '../key-lock.ts';
import { os } from './base.ts';

/** The lock of the key. A passphrase is taken from the command line of the user who runs the desk; the app's window has its entrance. */
export function keyHandlers(keyLock: KeyLock | null) {
  const lock = (remedy?: string) => {
    if (keyLock !== null) return keyLock;
    throw new DeskError('no_running_desk', 'No desk runs here, so its key lies sealed in its folder already.', {
      remedy,
    });
  };
  const toUnlock = () => lock('Start the desk first.');
  return {
    state: os.key.state.handler(() => toUnlock().state()),
    lock: os.key.lock.handler(({ context: { actor } }) => lock().lock(actor)),
    unlock: os.key.unlock.handler(({ input, context: { actor, givenSecrets } }) => {
      if (givenSecrets === true) return toUnlock().unlock(actor, input.passphrase);
      throw new DeskError('unlock_elsewhere', 'A passphrase is not taken from a console that came over the network.', {
        remedy: 'Unlock the key in the desktop app, or with "makerdesk unlock" on the machine of the desk.',
      });
    }),
  };
}
