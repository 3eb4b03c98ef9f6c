import type { ReactNode } from 'react';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Note } from '../../components/note.tsx';
import { BuildDialog } from './build-dialog.tsx';
import { type Check, UNCHECKED } from './checks-of.ts';
import styles from './compare-dialog.module.css';
import { CompareDialog } from './compare-dialog.tsx';
import type { DraftLine, SeenDraft } from './draft-line.ts';
import type { CellRange } from './grid-cells.ts';
import { editsBetween, type LadderValues, valuesOfLadder } from './ladder-values.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { PublishSeveral } from './publish-several.tsx';
import { RepriceDialog } from './reprice-dialog.tsx';
import { SourcesDialog } from './sources-dialog.tsx';

/** What lies over the page; at most one at a time. */
export type Asked =
  | { kind: 'build' }
  | { kind: 'several' }
  | { kind: 'reprice' }
  | { kind: 'sources' }
  | { kind: 'paste'; text: string; over: CellRange }
  | { kind: 'compare'; then: PublishedLadder }
  /** These three are about the draft as it was when they were asked, whatever it is when they are answered. */
  | { kind: 'sure'; checks: readonly Check[]; seen: SeenDraft }
  | { kind: 'follows'; checks: readonly Check[]; seen: SeenDraft }
  | { kind: 'discard'; others: readonly string[]; seen: SeenDraft };

export function LadderDialogs(props: {
  asked: Asked | null;
  onClose: () => void;
  line: DraftLine;
  chainId: number;
  pair: string;
  base: string;
  quote: string;
  /** The draft as it stands, and what prices are near: the reference or the mid of what is live. */
  values: LadderValues;
  price: string | null;
  live: PublishedLadder;
  hasReference: boolean;
}) {
  const { asked, onClose, line, chainId, pair } = props;
  if (asked === null) return null;
  if (asked.kind === 'build') {
    return <BuildDialog here={{ chainId, pair }} line={line} hasReference={props.hasReference} onClose={onClose} />;
  }
  if (asked.kind === 'paste') {
    const { base, quote, price, values } = props;
    return <PasteDialog {...asked} line={line} values={values} market={{ base, quote, price }} onClose={onClose} />;
  }
  if (asked.kind === 'reprice') return <RepriceDialog text={`${props.base} wider 1bp`} onClose={onClose} />;
  if (asked.kind === 'sources') {
    return <SourcesDialog chainId={chainId} pair={pair} quote={props.quote} onClose={onClose} />;
  }
  if (asked.kind === 'several') return <PublishSeveral onClose={onClose} />;
  if (asked.kind === 'compare') {
    const { then } = asked;
    return (
      <CompareDialog
        then={then}
        live={props.live}
        base={props.base}
        quote={props.quote}
        onClose={onClose}
        onLoad={() => {
          line.edit((now) => editsBetween(now, valuesOfLadder(then.ladder)));
          onClose();
        }}
      />
    );
  }
  const { seen } = asked;
  const overtaken = line.overtaken(seen);
  const publish = (keepFollowing: boolean) => {
    line.publish(keepFollowing, seen);
    onClose();
  };
  if (asked.kind === 'follows') {
    const { checks } = asked;
    return <FollowDialog pair={pair} checks={checks} overtaken={overtaken} onPublish={publish} onClose={onClose} />;
  }
  if (asked.kind === 'sure') {
    return (
      <SureDialog
        title={`Publish ${pair} ${asked.checks.includes(UNCHECKED) ? 'unchecked' : 'against the reference'}?`}
        keep="Keep it a draft"
        act="Publish it as it stands"
        overtaken={overtaken}
        onAct={() => publish(false)}
        onClose={onClose}
      >
        {asked.checks.map(({ title, detail }) => `${title}: ${detail}`).join(' ')}
      </SureDialog>
    );
  }
  return (
    <SureDialog
      title={`Discard the draft of ${pair}?`}
      keep="Keep the draft"
      act="Discard all of it"
      overtaken={overtaken}
      onAct={() => {
        line.discard(seen);
        onClose();
      }}
      onClose={onClose}
    >
      It also holds changes of {asked.others.join(', ')}, who is told that they are gone.
    </SureDialog>
  );
}

/** What publishing or discarding a draft means, said before it happens; `overtaken`: why it is not to happen any more. */
function SureDialog(props: {
  title: string;
  keep: string;
  act: string;
  overtaken: string | null;
  onAct: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog title={props.title} needs="trade" onClose={props.onClose}>
      <Lead>{props.children}</Lead>
      <Overtaken why={props.overtaken} />
      <DialogActions>
        <Button size="large" onClick={props.onClose}>
          {props.keep}
        </Button>
        <Button look="primary" size="large" disabled={props.overtaken !== null} onClick={props.onAct}>
          {props.act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Says that the draft is not the one that was asked about. */
function Overtaken({ why }: { why: string | null }) {
  if (why === null) return null;
  return (
    <div className={styles.between}>
      <Note level="stop" title={why}>
        Close this, look at the draft as it is now, and do it again if you still want it.
      </Note>
    </div>
  );
}

/** The same function at every drawing, so that only the first one moves the focus. */
const focusOnce = (button: HTMLButtonElement | null) => button?.focus();

/** Publishing by hand ends following, unless the person lets it go on: never without a word. */
function FollowDialog(props: {
  pair: string;
  checks: readonly Check[];
  overtaken: string | null;
  onPublish: (keepFollowing: boolean) => void;
  onClose: () => void;
}) {
  const { pair, checks, overtaken, onPublish, onClose } = props;
  return (
    <Dialog title={`${pair} follows the reference`} needs="trade" width="widest" onClose={onClose}>
      <Lead>
        <p>
          <b className="strong">Keep following:</b> the draft is published, its middle goes back onto the reference
          within two seconds, and each level keeps the distance from the middle that it has in the draft.
        </p>
        <p>
          <b className="strong">Stop following:</b> the draft is published and its prices stand still, whatever the
          reference does, until somebody publishes again or switches following on.
        </p>
        {checks.length > 0 && (
          <p className="attn">As it stands: {checks.map(({ title, detail }) => `${title}: ${detail}`).join(' ')}</p>
        )}
      </Lead>
      <Overtaken why={overtaken} />
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Keep it a draft
        </Button>
        <Button size="large" disabled={overtaken !== null} onClick={() => onPublish(false)}>
          Publish and stop following
        </Button>
        <Button
          ref={focusOnce}
          look="primary"
          size="large"
          disabled={overtaken !== null}
          onClick={() => onPublish(true)}
        >
          Publish and keep following
        </Button>
      </DialogActions>
    </Dialog>
  );
}
