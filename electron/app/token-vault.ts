import { safeStorage } from 'electron';

/** Seals what only the user of this computer may read again. */
export interface TokenVault {
  /** Why it does not, in a sentence; null where it does. */
  notKept: string | null;
  /** As base64. */
  seal(text: string): string;
  /** Null where it cannot be opened: it was sealed on another computer, or the keychain has forgotten it. */
  open(sealed: string): string | null;
}

/** Back ends of Chromium on Linux behind which there is no keychain, but a password that everybody knows. */
const NO_KEYCHAIN = ['basic_text', 'unknown'];

/** The keychain of the operating system. Where it would seal with a password that everybody knows it is none. Asked once the app is ready. */
export function systemVault(): TokenVault {
  const isPlain = process.platform === 'linux' && NO_KEYCHAIN.includes(safeStorage.getSelectedStorageBackend());
  const keeps = safeStorage.isEncryptionAvailable() && !isPlain;
  return {
    notKept: keeps ? null : 'This computer has no keychain that would seal them.',
    seal: (text) => safeStorage.encryptString(text).toString('base64'),
    open: (sealed) => {
      if (!keeps) return null;
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      } catch {
        return null;
      }
    },
  };
}
