import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { BuildDialog } from './build-dialog.tsx';
import type { Check } from './checks-of.ts';
import { CompareDialog } from './compare-dialog.tsx';
import type { DraftLine } from './draft-line.ts';
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
  | { kind: 'sure'; checks: readonly Check[] }
  | { kind: 'follows'; checks: readonly Check[] }
  | { kind: 'discard'; others: readonly string[] };

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
  if (asked.kind === 'follows') {
    const publish = (keepFollowing: boolean) => {
      line.publish(keepFollowing);
      onClose();
    };
    return <FollowDialog pair={pair} checks={asked.checks} onPublish={publish} onClose={onClose} />;
  }
  if (asked.kind === 'sure') {
    return (
      <ConfirmDialog
        needs="trade"
        title={`Publish ${pair} against the reference?`}
        keep="Keep it a draft"
        act="Publish it as it stands"
        send={async () => line.publish()}
        onClose={onClose}
      >
        {asked.checks.map(({ title, detail }) => `${title}: ${detail}`).join(' ')}
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      needs="trade"
      title={`Discard the draft of ${pair}?`}
      keep="Keep the draft"
      act="Discard all of it"
      send={async () => line.discard()}
      onClose={onClose}
    >
      It also holds changes of {asked.others.join(', ')}, who is told that they are gone.
    </ConfirmDialog>
  );
}

/** Publishing by hand ends following, unless the person lets it go on: never without a word. */
function FollowDialog(props: {
  pair: string;
  checks: readonly Check[];
  onPublish: (keepFollowing: boolean) => void;
  onClose: () => void;
}) {
  const { pair, checks, onPublish, onClose } = props;
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
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Keep it a draft
        </Button>
        <Button size="large" onClick={() => onPublish(false)}>
          Publish and stop following
        </Button>
        <Button ref={(button) => button?.focus()} look="primary" size="large" onClick={() => onPublish(true)}>
          Publish and keep following
        </Button>
      </DialogActions>
    </Dialog>
  );
}
