import type { Draft, DraftEdit, PublishedLadder } from '../../../electron/contract/book.ts';
import { countText } from '../../components/figures/counts.ts';
import type { ConsoleClient } from '../../state/connection.ts';
import { createEmitter } from '../../state/emitter.ts';
import { type CommandRefusal, refusalOf } from '../../state/refusal-of.ts';
import { keysText } from '../../state/shortcuts.ts';
import type { ToastStore } from '../../state/toasts.ts';
import { editedDraft } from './edited-draft.ts';
import { afterEdit, editsBetween, inverseOf, type LadderValues, valuesOfDraft } from './ladder-values.ts';

export interface DraftLineState {
  /** As everybody sees it, with this window's edits that are on their way; null before the desk told it. */
  draft: Draft | null;
  /** The newest ladder that the desk told of as live, with a draft that nobody had changed; null before there was one. */
  live: { revision: number; values: LadderValues } | null;
  refusal: CommandRefusal | null;
  /** From the press on until it is published, or is not to be. */
  publishing: boolean;
}

interface Options {
  ladders: Pick<ConsoleClient['ladders'], 'draft' | 'edit' | 'discard' | 'rebase' | 'publish'>;
  chainId: number;
  pair: string;
  /** Tells this window apart from others of the same person. */
  session: string;
  actor: () => string;
  /** Whether the ladder follows the reference, so that figures change in a draft without anybody's word in it. */
  follows: () => boolean;
  notice: ToastStore['show'];
  onPublished: (ladder: PublishedLadder) => void;
}

type Batch = { edits: DraftEdit[]; seen: number };

/** An edit or an undo that the desk has not answered, shown as if it were taken; and what became of it then. */
interface OnTheWay extends Batch {
  /** Nothing was left of it to be sent. */
  isEmpty: boolean;
  refusal: CommandRefusal | null;
}

/** A draft as a person had it before them when they asked for something. */
export interface SeenDraft {
  /** What the desk had told by then. */
  readonly version: number;
  /** What this window had on its way by then. */
  readonly onTheWay: readonly OnTheWay[];
  readonly moved: number;
}

/** How often an edit is made again of a ladder that moves by itself, before the person is told. */
const MOST_AGAIN = 20;
/** Answers after which a command may have been carried out. */
const UNKNOWN: readonly string[] = ['no_answer', 'internal', 'command_lost'];

/**
 * The shared draft of a pair on this window: what is typed shows at once, goes to the desk one batch after the other,
 * and never overwrites what somebody else wrote unseen.
 */
export class DraftLine {
  readonly #options: Options;
  readonly #changes = createEmitter();
  #state: DraftLineState = { draft: null, live: null, refusal: null, publishing: false };
  /** The last word of the desk that is shown, and one that came while edits were on their way. */
  #told: Draft | null = null;
  #held: Draft | null = null;
  #live: (NonNullable<DraftLineState['live']> & { of: Draft }) | null = null;
  #onTheWay: OnTheWay[] = [];
  #line: Promise<unknown> = Promise.resolve();
  /** How many versions the reference alone brought while edits of this window were on their way. */
  #moved = 0;
  /** The draft of the publish that is under way, as it was at the press. */
  #underWay: SeenDraft | null = null;
  /** While the desk is asked to publish, what it tells is this window's own doing. */
  #isPublishing = false;
  /** Whether the publish under way was undone or discarded before the desk was asked. */
  #isTakenBack = false;
  /** The revision this window published last. */
  #ownRevision = 0;
  /** While this window discards, the loss is its own doing. */
  #discarding = false;
  #past: { undo: PastEdit[]; redo: PastEdit[] } = { undo: [], redo: [] };

  constructor(options: Options) {
    this.#options = options;
  }

  readonly subscribe = this.#changes.subscribe;

  readonly state = (): DraftLineState => this.#state;

  /** What a person has before them now: whatever they answer later is about this. */
  seen(): SeenDraft {
    return { version: this.#told?.version ?? 0, onTheWay: this.#onTheWay, moved: this.#moved };
  }

  /** Why what a person has seen is not to be published any more, or null. */
  overtaken(seen: SeenDraft): string | null {
    const refused = refusedOf(seen);
    if (refused !== null) return refused.sentence;
    if (this.#told === null || this.#onTheWay.length > 0) return null; // not known yet
    const isSame = this.#told.version === versionOf(seen) + this.#moved - seen.moved;
    return isSame ? null : 'The draft was changed after this was asked.';
  }

  /** The desk tells of the draft; `first` of a stream counts whatever its version. */
  heard(draft: Draft, first: boolean): void {
    if (!first && this.#told !== null && draft.version < this.#told.version) return;
    if (this.#onTheWay.length > 0) {
      this.#held = draft;
      return;
    }
    this.#tellOfLoss(draft);
    this.#told = draft;
    this.#show();
  }

  /**
   * Writes into the draft what `make` says of the ladder as it stands. `seen` is what was on the screen when the person
   * began; by default what is now. Where only the reference moved the figures meanwhile, it is made again of those.
   */
  edit(make: (now: LadderValues) => DraftEdit[], seen = this.seen()): void {
    const { draft } = this.#state;
    if (draft === null || this.#told === null) return;
    const edits = make(valuesOfDraft(draft));
    if (edits.length === 0) return;
    // What this window has on its way is its own: the desk refuses only over a word of somebody else.
    this.#send({ edits, seen: seen.version, isEmpty: false, refusal: null }, async (batch) => {
      const past = await this.#askOrMakeAgain(batch, make);
      batch.isEmpty = past === null;
      if (past === null) return;
      this.#past.undo.push(past);
      this.#past.redo = [];
    });
  }

  /** Resolves once everything that was asked for is answered. */
  async settled(): Promise<void> {
    await this.#line;
  }

  /** Also takes back a publish that waits for its check. */
  undo(): void {
    this.#takeBack();
    this.#replay('undo');
  }

  redo(): void {
    this.#replay('redo');
  }

  /** Begins anew on what is live; what was there can be undone into it again. Also takes back a publish that waits for its check. */
  discard(seen = this.seen()): void {
    const { ladders, chainId, pair, notice, follows } = this.#options;
    this.#takeBack();
    this.#command('discarded', seen, async (version) => {
      const draft = this.#told;
      this.#discarding = true;
      const fresh = await ladders.discard({ chainId, pair, seen: version }).finally(() => {
        this.#discarding = false;
      });
      this.#told = fresh;
      const after = valuesOfDraft(fresh);
      const words = draft === null ? null : wordsOnto(draft, after);
      const title = `Draft of ${pair} discarded`;
      // What nobody wrote is of a ladder that is not live any more: it does not become the word of whoever undoes this.
      const whole = draft?.baseRevision === fresh.baseRevision ? valuesOfDraft(draft) : null;
      const before = whole ?? words?.edits.reduce(afterEdit, after);
      if (before === undefined) {
        const detail = 'It cannot be brought back: it had other levels than the ladder that is live by now.';
        notice({ level: 'note', title, detail });
        return;
      }
      const done = editsBetween(before, after);
      if (done.length > 0) this.#past.undo.push({ ...pastEdit(before, done, after), base: fresh.baseRevision, words });
      const until = follows() && words === null ? ', until the ladder moves with the reference' : '';
      notice({ level: 'note', title, detail: `${keysText('undo')} in the ladder brings it back${until}.` });
    });
  }

  /** Carries the changes over to the revision that is live. */
  rebase(): void {
    const { ladders, chainId, pair } = this.#options;
    this.#command('brought onto what is live', this.seen(), async (version) => {
      this.#told = await ladders.rebase({ chainId, pair, seen: version });
      this.#past = { undo: [], redo: [] };
    });
  }

  /**
   * Publishes the draft if it is what the person has seen; by default what is on the screen now. With `keepFollowing` a
   * ladder that follows the reference goes on in its new shape; else that ends, and is told. `isReady` is asked once all
   * that was on its way by then has arrived: false, and nothing is published. What is typed meanwhile is sent after that,
   * so that it is no part of it. Of two at once the second publishes nothing.
   */
  publish(keepFollowing = false, seen = this.seen(), isReady: () => Promise<boolean> = async () => true): void {
    const { ladders, chainId, pair, notice, onPublished, follows } = this.#options;
    if (this.#underWay !== null) {
      this.#tellOfSecond(this.#underWay);
      return;
    }
    this.#underWay = seen;
    this.#isTakenBack = false;
    this.#set({ publishing: true });
    const ends = follows() && !keepFollowing;
    const about = this.#aboutPublish();
    const publish = async (own: number) => {
      if (!(await isReady())) return;
      if (this.#isTakenBack) {
        const detail = 'It was undone or discarded before it was sent.';
        notice({ level: 'look', title: `${pair} was not published`, detail, about });
        return;
      }
      this.#isPublishing = true;
      // Where it goes on following, that the reference moved under an edit on its way is what was asked for.
      const version = keepFollowing ? own + this.#moved - seen.moved : own;
      const published = await ladders.publish({ chainId, pair, version, keepFollowing });
      this.#past = { undo: [], redo: [] };
      this.#ownRevision = published.revision;
      const goesOn = keepFollowing ? 'It goes on following the reference in its new shape.' : undefined;
      const detail = ends ? 'It does not follow the reference any more.' : goesOn;
      const title = `${pair} revision ${countText(published.revision)} published`;
      notice({ level: 'done', title, detail, about });
      onPublished(published);
    };
    this.#command('published', seen, publish, (refusal, wasAsked) => {
      this.#underWay = null;
      this.#isPublishing = false;
      this.#set({ publishing: false });
      if (refusal !== null) this.#tellUnpublished(refusal, wasAsked);
    });
  }

  /**
   * A command about the draft as the person has seen it; what came between is refused by the desk. Where one of the edits
   * they saw on their way was refused, somebody else's may have taken its version: nothing is asked of the desk then.
   * `ended` is told why it was refused, or null, and whether the desk was asked.
   */
  #command(
    done: string,
    seen: SeenDraft,
    run: (version: number) => Promise<void>,
    ended: (refusal: CommandRefusal | null, wasAsked: boolean) => void = () => {},
  ): void {
    this.#inTurn(async () => {
      const refused = refusedOf(seen);
      if (refused !== null) {
        this.#set({ refusal: { ...refused, sentence: `${refused.sentence} The draft was not ${done}.` } });
        ended(refused, false);
        return;
      }
      this.#set({ refusal: null });
      let refusal: CommandRefusal | null = null;
      try {
        await run(versionOf(seen));
        this.#show();
      } catch (error) {
        refusal = this.#refuse(error, []);
      }
      ended(refusal, true);
    });
  }

  #takeBack(): void {
    if (this.#underWay !== null && !this.#isPublishing) this.#isTakenBack = true;
  }

  #replay(from: 'undo' | 'redo'): void {
    if (this.#told === null) return;
    const { chainId, pair } = this.#options;
    const isBehind = this.#underWay !== null;
    this.#send({ edits: [], seen: this.#told.version, isEmpty: false, refusal: null }, async (batch) => {
      // It stays there until the desk has done it, so that one that was refused can be asked for again.
      const stack = this.#past[from];
      const past = stack.at(-1);
      if (past?.isDoubtful) this.#takeUp(await this.#options.ladders.draft({ chainId, pair }));
      const now = this.#values();
      if (past === undefined || now === null || this.#told === null) {
        batch.isEmpty = true;
        if (past === undefined && isBehind && from === 'undo') {
          const detail = 'What was before it is among the revisions.';
          this.#options.notice({ level: 'look', title: `Not undone: ${pair} was published first`, detail });
        }
        return;
      }
      const not = from === 'undo' ? 'Not undone' : 'Not done again';
      const told = this.#told;
      const words = this.#options.follows() ? (past.words ?? null) : null;
      if (words === null ? past.base !== told.baseRevision : !isShaped(now, words)) {
        // All that came before it was done to that ladder as well.
        this.#past = { undo: [], redo: [] };
        const title = `${not}: the ladder has moved since`;
        const detail = 'What was typed before that is not taken back any more.';
        this.#options.notice({ level: 'note', title, detail });
        batch.refusal = { code: 'draft_changed', sentence: `${title}.`, remedy: detail, faults: [] };
        return;
      }
      if (words === null ? !isStillSo(past, now) : words.edits.some((edit) => isWritten(told, edit))) {
        stack.pop();
        const title = past.isDoubtful
          ? `${not} a second time: it was done before, or somebody has changed it since`
          : `${not}: somebody has changed it since`;
        const detail = `${past.isDoubtful ? 'What is there' : 'Their change'} stays. Type over it if you want another figure there.`;
        this.#options.notice({ level: 'look', title, detail });
        batch.refusal = { code: 'draft_changed', sentence: `${title}.`, remedy: detail, faults: [] };
        return;
      }
      const back: Batch = { edits: words?.edits ?? past.back, seen: told.version };
      past.isDoubtful = true;
      const done = await (words === null ? this.#ask(back) : this.#askOrMakeAgain(back, () => back.edits));
      stack.pop();
      if (done !== null) this.#past[from === 'undo' ? 'redo' : 'undo'].push(done);
    });
  }

  /** Shows an edit at once, and has the desk asked in its turn. */
  #send(batch: OnTheWay, ask: (batch: OnTheWay) => Promise<void>): void {
    this.#onTheWay = [...this.#onTheWay, batch];
    this.#show();
    this.#inTurn(async () => {
      try {
        await ask(batch);
      } catch (error) {
        batch.refusal = this.#refuse(error, batch.edits);
      } finally {
        this.#arrived(batch);
      }
    });
  }

  /** The reference may move once more while the answer is on its way: each time it is made again, so that a slow line gets there too. */
  async #askOrMakeAgain(batch: Batch, make: (now: LadderValues) => DraftEdit[]): Promise<PastEdit | null> {
    const { ladders, chainId, pair, follows } = this.#options;
    let next = batch;
    for (let again = 0; ; again++) {
      try {
        return await this.#ask(next);
      } catch (error) {
        if (refusalOf(error).code !== 'draft_changed' || !follows() || again === MOST_AGAIN) throw error;
        const fresh = await ladders.draft({ chainId, pair });
        const edits = make(valuesOfDraft(fresh));
        if (edits.some((edit) => isWritten(fresh, edit))) throw error;
        this.#takeUp(fresh);
        if (edits.length === 0) return null;
        next = { edits, seen: fresh.version };
      }
    }
  }

  /** Takes up the draft as the desk had it when it was asked, beside its stream. */
  #takeUp(fresh: Draft): void {
    if (this.#told !== null && wordsOf(this.#told) === wordsOf(fresh))
      this.#moved += fresh.version - this.#told.version;
    this.#told = fresh;
  }

  async #ask({ edits, seen }: Batch): Promise<PastEdit> {
    const { ladders, chainId, pair, session, actor, follows } = this.#options;
    const told = this.#told;
    const before = this.#values();
    const answer = await ladders.edit({ chainId, pair, edits, seen, session });
    const own = told && edits.reduce((now, edit) => editedDraft(now, edit, actor()), told);
    // Whether only the reference came before it.
    if (told !== null && own !== null && follows() && wordsOf(own) === wordsOf(answer))
      this.#moved += answer.version - told.version - 1;
    this.#told = answer;
    this.#set({ refusal: null });
    const after = valuesOfDraft(answer);
    return { ...pastEdit(before ?? after, edits, after), base: answer.baseRevision };
  }

  #arrived(batch: OnTheWay): void {
    this.#onTheWay = this.#onTheWay.filter((other) => other !== batch);
    const held = this.#held;
    if (this.#onTheWay.length === 0 && held !== null) {
      this.#held = null;
      if (this.#told === null || held.version >= this.#told.version) this.#told = held;
    }
    this.#show();
  }

  #inTurn(act: () => Promise<void>): void {
    this.#line = this.#line.then(act);
  }

  #values(): LadderValues | null {
    return this.#told === null ? null : valuesOfDraft(this.#told);
  }

  #refuse(error: unknown, edits: readonly DraftEdit[]): CommandRefusal {
    const told = refusalOf(error);
    const [only] = edits;
    const lost = edits.length === 1 && only?.kind === 'set' ? ` You wanted ${only.value}.` : '';
    const refusal = { ...told, sentence: told.sentence + lost };
    this.#set({ refusal });
    return refusal;
  }

  /** What the bar says of it goes with the next edit; this stays, so that nobody believes a price to be live that is not. */
  #tellUnpublished({ code, sentence, remedy, faults }: CommandRefusal, wasAsked: boolean): void {
    const { pair, notice } = this.#options;
    const about = this.#aboutPublish();
    if (code === 'command_done') {
      notice({ level: 'done', title: `${pair} is published`, about });
      return;
    }
    const named = faults.length === 0 ? '' : `Checks says what and where: ${countText(faults.length)} to fix.`;
    notice({
      level: 'look',
      isKept: true,
      about,
      title:
        wasAsked && UNKNOWN.includes(code)
          ? `It is not known whether ${pair} was published`
          : `What you published of ${pair} was not taken`,
      detail: [sentence, named, remedy].filter(Boolean).join(' '),
    });
  }

  #aboutPublish(): string {
    return `publish ${this.#options.chainId} ${this.#options.pair}`;
  }

  /** Publish was pressed again while `first` is under way: what was typed between the two is not published. */
  #tellOfSecond(first: SeenDraft): void {
    if (this.#onTheWay.every((batch) => first.onTheWay.includes(batch))) return;
    const { pair, notice } = this.#options;
    const title = `What you changed last in ${pair} was not published`;
    const detail = 'The publish before it was still on its way. It stands in the draft: look at it, and publish again.';
    notice({ level: 'look', title, detail, about: title });
  }

  /** Somebody else published or discarded a draft that held changes of ours. */
  #tellOfLoss(next: Draft): void {
    const { actor, pair, notice } = this.#options;
    const own = (draft: Draft | null) =>
      [...(draft?.bids ?? []), ...(draft?.asks ?? [])].some(
        ({ price, amount }) => price.editor === actor() || amount.editor === actor(),
      );
    if (this.#told === null || !own(this.#told) || own(next)) return;
    if (this.#discarding || this.#isPublishing || next.baseRevision === this.#ownRevision) return;
    const isLive = next.baseRevision > this.#told.baseRevision;
    notice({
      level: 'note',
      title: isLive
        ? `Somebody published ${pair}: revision ${countText(next.baseRevision)} is live with your changes`
        : `Somebody discarded the draft of ${pair}, and your changes with it`,
    });
  }

  #show(): void {
    const actor = this.#options.actor();
    const edits = this.#onTheWay.flatMap((batch) => batch.edits);
    const told = this.#told;
    const draft = told && edits.reduce((now, edit) => editedDraft(now, edit, actor), told);
    const isNews = told?.isLive === true && told !== this.#live?.of;
    if (isNews) this.#live = { of: told, revision: told.baseRevision, values: valuesOfDraft(told) };
    this.#set({ draft, live: this.#live });
  }

  #set(change: Partial<DraftLineState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit();
  }
}

/** The version of the draft if only what the person saw on its way has come to it since. */
function versionOf({ version, onTheWay }: SeenDraft): number {
  return version + onTheWay.filter(({ isEmpty }) => !isEmpty).length;
}

/** Why something that the person saw on its way was not taken, or null. */
function refusedOf({ onTheWay }: SeenDraft): CommandRefusal | null {
  return onTheWay.find(({ refusal }) => refusal !== null)?.refusal ?? null;
}

/** What people have written into a draft, and where: the same in two drafts that only the reference tells apart. */
function wordsOf({ bids, asks }: Draft): string {
  const sides = [bids, asks].map((levels) =>
    levels.map(({ price, amount }) =>
      [price, amount].map(({ editor, value }) => (editor === null ? null : [editor, value])),
    ),
  );
  return JSON.stringify(sides);
}

/** Whether the edit would replace a word of somebody, not just a figure that is live. */
function isWritten(draft: Draft, edit: DraftEdit): boolean {
  const level = draft[edit.side][edit.level];
  if (level === undefined || edit.kind === 'insert') return false;
  const cells = edit.kind === 'set' ? [level[edit.field]] : [level.price, level.amount];
  return cells.some(({ editor }) => editor !== null);
}

type Side = DraftEdit['side'];

/** How to take something back, and what must still stand in the draft for that to be right. */
interface PastEdit {
  back: DraftEdit[];
  left: { side: Side; level: number; field: 'price' | 'amount'; value: string }[];
  /** How many levels the sides whose levels moved had afterwards. */
  levels: Partial<Record<Side, number>>;
  /** The revision that the draft was begun on then. */
  base: number;
  /** Of a discard: what people had written, which is brought back onto a ladder that moved with the reference; null where levels had changed. */
  words?: Words | null;
  /** The desk was asked to take it back and did not say that it has: it may have, and is asked how the draft stands before it is asked again. */
  isDoubtful?: boolean;
}

/** What people had written into the cells of a draft, and how many levels its sides had. */
interface Words {
  edits: DraftEdit[];
  levels: Record<Side, number>;
}

/** What people have written into a draft, where it has the levels of the ladder that is live: as they would be typed into that. Null where not. */
function wordsOnto(draft: Draft, live: LadderValues): Words | null {
  const levels = { bids: live.bids.length, asks: live.asks.length };
  const edits: DraftEdit[] = [];
  for (const side of ['bids', 'asks'] as const) {
    if (draft[side].length !== levels[side]) return null;
    for (const [level, cells] of draft[side].entries()) {
      for (const field of ['price', 'amount'] as const) {
        const { editor, value, published } = cells[field];
        if (published === null) return null;
        if (editor !== null) edits.push({ kind: 'set', side, level, field, value });
      }
    }
  }
  return { edits, levels };
}

function isShaped(now: LadderValues, { levels }: Words): boolean {
  return now.bids.length === levels.bids && now.asks.length === levels.asks;
}

/** What was done to a draft, for undo. `after` is the draft that it made. */
function pastEdit(before: LadderValues, edits: readonly DraftEdit[], after: LadderValues): Omit<PastEdit, 'base'> {
  const left: PastEdit['left'] = [];
  const levels: PastEdit['levels'] = {};
  for (const edit of edits) {
    if (edit.kind !== 'set') levels[edit.side] = after[edit.side].length;
    if (edit.kind === 'remove') continue;
    for (const field of edit.kind === 'set' ? [edit.field] : (['price', 'amount'] as const)) {
      const value = after[edit.side][edit.level]?.[field === 'price' ? 0 : 1];
      if (value !== undefined) left.push({ side: edit.side, level: edit.level, field, value });
    }
  }
  return { back: inverseOf(before, edits), left, levels };
}

/** Whether everything still is as the edit left it: somebody else's later word is not taken back with ours. */
function isStillSo({ left, levels }: PastEdit, now: LadderValues): boolean {
  for (const side of ['bids', 'asks'] as const) {
    if (levels[side] !== undefined && levels[side] !== now[side].length) return false;
  }
  return left.every(({ side, level, field, value }) => now[side][level]?.[field === 'price' ? 0 : 1] === value);
}
