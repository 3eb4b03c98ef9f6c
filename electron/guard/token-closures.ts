import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';

/**
 * Which tokens of a chain may be traded. A token is closed until the chain was asked about it as the book has it (spec
 * 2.6: with wrong decimals every amount is wrong), and while any room of the desk holds something against it.
 */
export class TokenClosures {
  readonly #proofs = new Map<Address, { decimals: number; fault: string | null }>();
  readonly #held = new Map<Address, Map<string, string>>();

  /** What the chain said of a token: null when it is as the book has it, else what is wrong, in a sentence. */
  checked({ address, decimals }: Pick<Token, 'address' | 'decimals'>, fault: string | null): void {
    this.#proofs.set(address, { decimals, fault });
  }

  /** Whether the chain was asked about the token as the book has it now. */
  wasChecked({ address, decimals }: Pick<Token, 'address' | 'decimals'>): boolean {
    return this.#proofs.get(address)?.decimals === decimals;
  }

  /** Closes a token for a cause, with a sentence for a person; null takes that cause back. */
  close(address: Address, cause: string, sentence: string | null): void {
    const causes = this.#held.get(address) ?? new Map<string, string>();
    if (sentence === null) causes.delete(cause);
    else causes.set(cause, sentence);
    if (causes.size === 0) this.#held.delete(address);
    else this.#held.set(address, causes);
  }

  /** The chain is configured anew: what was found before says nothing any more. */
  forget(): void {
    this.#proofs.clear();
  }

  /** Why nothing of the token is signed for, or null. */
  of(token: Token): string | null {
    const proof = this.#proofs.get(token.address);
    if (proof?.decimals !== token.decimals) {
      return `${token.symbol} was not checked on chain yet, so nothing is signed for it.`;
    }
    if (proof.fault !== null) return proof.fault;
    for (const sentence of this.#held.get(token.address)?.values() ?? []) return sentence;
    return null;
  }
}
