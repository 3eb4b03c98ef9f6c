import type { DesksView, HaltStage, OwnDeskState } from '../contract/desks-elsewhere.ts';
import { createEmitter } from '../contract/emitter.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { pause } from '../time/pause.ts';
import { DeskElsewhere } from './desk-elsewhere.ts';
import { type ListedDesk, MOST_DESKS, readListedDesks, sealedFor, writeListedDesks } from './desk-list-file.ts';
import { quotesNothing } from './state-watch.ts';
import type { TokenVault } from './token-vault.ts';

/** What is journaled where everything is halted at once. */
const REASON = 'HALT ALL of the desktop app';

/** How long after a halt that the own desk did not confirm the next is sent. */
const AGAIN_MS = 1_000;

/** The app's own desk, which is halted with the others. */
export interface OwnDesk {
  state(): OwnDeskState;
  /** Halts it. Where it does not acknowledge that a person is asked whether to end its process. */
  halt(reason: string): void;
  /** Halts it once more, and asks nobody. */
  haltAgain(reason: string): void;
}

/** A desk of the list, and how it is followed. */
interface Row {
  listed: ListedDesk;
  desk: DeskElsewhere;
}

/** The desks elsewhere that the app has in its list: each is followed and halted by itself, so that none waits for another. */
export class DesksElsewhere {
  readonly #file: string;
  readonly #vault: TokenVault;
  readonly #now: () => number;
  readonly #own: OwnDesk;
  readonly #removed: (name: string) => void;
  readonly #changes = createEmitter<DesksView>((error) => console.error(error));
  /** What changes the list is done one after the other. */
  readonly #turns = new SerialQueue();
  #rows: readonly Row[] = [];
  #ownHalt: HaltStage | null = null;
  #unread: string | null = null;

  /** `file` has the list. `removed`: a desk is not in it any more under this name, address or token. */
  constructor(options: {
    file: string;
    vault: TokenVault;
    now: () => number;
    own: OwnDesk;
    removed: (name: string) => void;
  }) {
    this.#file = options.file;
    this.#vault = options.vault;
    this.#now = options.now;
    this.#own = options.own;
    this.#removed = options.removed;
    try {
      this.#rows = readListedDesks(options.file, options.vault).map((listed) => this.#rowOf(listed));
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      this.#unread = `${error.message} ${error.remedy}`;
    }
  }

  view(): DesksView {
    return {
      own: { state: this.#own.state(), halt: this.#ownHalt },
      desks: this.#rows.map(({ listed: { name, url, token, sealed }, desk }) => ({
        name,
        url: url.origin,
        token: token === null ? 'none' : sealed === null ? 'here' : 'kept',
        ...desk.followed(),
      })),
      notKept: this.#vault.notKept,
      unread: this.#unread,
    };
  }

  /** Tells the view now and whenever it changes; what it returns ends that. */
  subscribe(listener: (view: DesksView) => void): () => void {
    const end = this.#changes.subscribe(listener);
    listener(this.view());
    return end;
  }

  /** The desk of this name; undefined where there is none any more. */
  find(name: string): ListedDesk | undefined {
    return this.#rows.find(({ listed }) => listed.name === name)?.listed;
  }

  /** Rejects with DeskError `desk_listed`, `too_many_desks`, `list_unread`, `not_written`. */
  add({ name, url, token }: { name: string; url: string; token: string }): Promise<void> {
    return this.#turns.run(async () => {
      this.#expectFree(name, null);
      if (this.#rows.length >= MOST_DESKS) {
        throw new DeskError(
          'too_many_desks',
          `There are ${MOST_DESKS} desks in the list, and there is no room for more.`,
        );
      }
      const listed = this.#given(name, new URL(url), token);
      await this.#write([...this.#rows.map((row) => row.listed), listed]);
      this.#rows = [...this.#rows, this.#rowOf(listed)];
      this.#tell();
    });
  }

  /** A halt that was not confirmed goes on under the new terms. Rejects as `add`, and with `unknown_desk`, `no_token`. */
  change(to: { of: string; name: string; url: string; token: string | null }): Promise<void> {
    return this.#turns.run(async () => {
      const before = this.#row(to.of);
      this.#expectFree(to.name, to.of);
      const listed = this.#changedTo(before.listed, to);
      await this.#write(this.#rows.map((row) => (row === before ? listed : row.listed)));
      const after = this.#rowOf(listed);
      this.#rows = this.#rows.map((row) => (row === before ? after : row));
      if (before.desk.isHalting()) after.desk.halt(REASON);
      before.desk.close();
      this.#removed(to.of);
      this.#tell();
    });
  }

  /** Rejects with DeskError `unknown_desk`, `list_unread`, `not_written`. */
  remove(name: string): Promise<void> {
    return this.#turns.run(async () => {
      const gone = this.#row(name);
      const rest = this.#rows.filter((row) => row !== gone);
      await this.#write(rest.map((row) => row.listed));
      this.#rows = rest;
      gone.desk.close();
      this.#removed(name);
      this.#tell();
    });
  }

  /** Halts the app's own desk and all others at once. Asks for nothing and waits for nobody. */
  haltAll(): void {
    for (const { desk } of this.#rows) desk.halt(REASON);
    this.#own.halt(REASON);
    void this.#haltOwn();
  }

  /** Halts one of them as HALT ALL does; one that is not in the list any more is not. `press`: of its console. */
  halt(name: string, reason: string, press?: string): void {
    this.#rows.find(({ listed }) => listed.name === name)?.desk.halt(reason, press);
  }

  /** Throws DeskError `unknown_desk`. */
  letBe(name: string): void {
    this.#row(name).desk.letBe();
  }

  /** The state of the app's own desk is another. */
  ownChanged(): void {
    const isStopped = quotesNothing(this.#own.state());
    if (this.#ownHalt !== null && this.#ownHalt.stage !== 'confirmed' && isStopped) {
      this.#ownHalt = { stage: 'confirmed', at: this.#ownHalt.at, confirmedAt: this.#now(), durable: true };
    } else if (this.#ownHalt?.stage === 'confirmed' && !isStopped) this.#ownHalt = null;
    this.#tell();
  }

  /** Until it has confirmed, or HALT ALL is pressed again. */
  async #haltOwn(): Promise<void> {
    const at = this.#now();
    let mine: HaltStage = { stage: 'asked', at };
    this.#ownHalt = mine;
    this.ownChanged();
    for (let tries = 1; ; tries += 1) {
      await pause(AGAIN_MS, undefined, { ref: false });
      if (this.#ownHalt !== mine) return;
      mine = { stage: 'unconfirmed', at, tries, why: 'It does not answer.' };
      this.#ownHalt = mine;
      this.#own.haltAgain(REASON);
      this.#tell();
    }
  }

  close(): void {
    for (const { desk } of this.#rows) desk.close();
  }

  #rowOf(listed: ListedDesk): Row {
    return { listed, desk: new DeskElsewhere(listed, { now: this.#now, changed: () => this.#tell() }) };
  }

  #row(name: string): Row {
    const row = this.#rows.find(({ listed }) => listed.name === name);
    if (row !== undefined) return row;
    throw new DeskError('unknown_desk', `There is no desk ${name} in the list any more.`);
  }

  #given(name: string, url: URL, token: string): ListedDesk {
    return { name, url, token, sealed: sealedFor(url, token, this.#vault) };
  }

  #changedTo(before: ListedDesk, to: { name: string; url: string; token: string | null }): ListedDesk {
    const url = new URL(to.url);
    if (to.token !== null) return this.#given(to.name, url, to.token);
    if (url.origin === before.url.origin) return { ...before, name: to.name };
    throw new DeskError('no_token', 'The token was given for another address, and is not sent to this one.', {
      remedy: 'Give the token that the desk at this address takes.',
    });
  }

  #expectFree(name: string, but: string | null): void {
    if (name === but || this.#rows.every(({ listed }) => listed.name !== name)) return;
    throw new DeskError('desk_listed', `There is a desk ${name} in the list already.`, {
      remedy: 'Choose another name.',
    });
  }

  async #write(desks: readonly ListedDesk[]): Promise<void> {
    if (this.#unread !== null) throw new DeskError('list_unread', this.#unread);
    await writeListedDesks(this.#file, desks);
  }

  #tell(): void {
    this.#changes.emit(this.view());
  }
}
