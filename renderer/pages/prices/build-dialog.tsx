import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { BuiltLadder } from '../../../electron/contract/ladder-build.ts';
import { Dialog } from '../../components/dialog.tsx';
import { plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { BuildFields } from './build-fields.tsx';
import { type BuildInput, NEW_BUILD, readBuild } from './build-input.ts';
import { BuildPairs } from './build-pairs.tsx';
import type { DraftLine } from './draft-line.ts';
import { editsBetween, valuesOfLadder } from './ladder-values.ts';
import { openLine } from './use-draft.ts';

/** Typed last, for the next time the form is opened. */
let typedLast: BuildInput = NEW_BUILD;

/** Builds the ladders of one pair or many from one form, shows them, and puts them into drafts: nothing is published here. */
export function BuildDialog(props: {
  here: { chainId: number; pair: string };
  line: DraftLine;
  hasReference: boolean;
  onClose: () => void;
}) {
  const { here, line, hasReference, onClose } = props;
  const deskConsole = useConsole();
  const { connection, queries, toasts } = deskConsole;
  const cache = useQueryClient();
  const listed = useDesk((view) => view.listed);
  const [input, setInput] = useState<BuildInput>(() => ({
    ...typedLast,
    mid: typedLast.mid === 'typed' || (typedLast.mid === 'reference' && !hasReference) ? 'live' : typedLast.mid,
  }));
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set([pairKey(here)]));
  const take = (next: BuildInput) => {
    typedLast = next;
    setInput(next);
  };
  const pairs = listed.filter((pair) => ticked.has(pairKey(pair))).map(({ chainId, pair }) => ({ chainId, pair }));
  const { form, faults } = readBuild(input);
  const asked = useDeferredValue(form);
  const build = useQuery(
    queries.ladders.build.queryOptions({
      input: { pairs, form: asked ?? { ...EMPTY_FORM } },
      enabled: asked !== null && pairs.length > 0,
      placeholderData: keepPreviousData,
    }),
  );
  const built = form === null || pairs.length === 0 ? [] : (build.data ?? []);
  const usable = built.filter((one) => one.ladder !== null && ticked.has(pairKey(one)));
  const command = useCommand(async () => {
    for (const one of usable) await putIntoDraft(one);
    await cache.invalidateQueries({ queryKey: queries.ladders.drafts.key() });
    const title =
      usable.length === 1 ? 'The ladder is in the draft' : `${plural(usable.length, 'ladder')} are in their drafts`;
    toasts.show({ level: 'done', title, detail: 'Nothing is published yet.' });
    onClose();
  });
  const putIntoDraft = async ({ chainId, pair, ladder }: BuiltLadder) => {
    if (ladder === null) return;
    if (chainId === here.chainId && pair === here.pair) {
      line.edit((now) => editsBetween(now, valuesOfLadder(ladder)));
      return;
    }
    const other = openLine(deskConsole, { chainId, pair });
    other.heard(await connection.client.ladders.draft({ chainId, pair }), true);
    other.edit((now) => editsBetween(now, valuesOfLadder(ladder)));
    await other.settled();
    const { refusal } = other.state();
    if (refusal !== null) toasts.show({ level: 'stop', title: `${pair}: ${refusal.sentence}`, detail: refusal.remedy });
  };
  return (
    <Dialog title="Build ladders" className="is-build" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (usable.length > 0) command.run();
        }}
      >
        <BuildFields input={input} faults={faults} single={pairs.length <= 1} onInput={take} />
        <BuildPairs built={built} ticked={ticked} onTicked={setTicked} />
        {build.error !== null && form !== null && <RefusalNote refusal={refusalOf(build.error)} />}
        {command.refusal !== null && <RefusalNote refusal={command.refusal} />}
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Keep the drafts as they are
          </button>
          <button type="submit" className="button is-large is-primary" disabled={usable.length === 0 || command.busy}>
            Put into {usable.length === 1 ? 'the draft' : plural(usable.length, 'draft')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const EMPTY_FORM = {
  mid: { from: 'live' },
  ...{ spreadBps: '1', stepBps: '1', levels: 1 },
  size: { of: 'live' },
  shape: { kind: 'flat' },
} as const;
