import { type ReactNode, useState } from 'react';
import type { ServiceState } from '../../../electron/contract/service-view.ts';
import { Button } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { Lead } from '../../components/dialog.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Mark } from '../../components/mark.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useClient } from '../../state/console.tsx';
import { storiesOf } from '../../state/story.ts';
import styles from './takers-list.module.css';

type Takers = ServiceState['takers'];

/** What a person is asked about one execution contract. */
interface Asked {
  address: string;
  taken: boolean;
  /** What is at that address. */
  look: string | null;
  /** The answer that leaves it as it is. */
  keep: string;
}

/**
 * The execution contracts that orders may name, and those that the service names beside them: each waits for a person. What a
 * person has to decide stands first, then `children`, then what is decided.
 */
export function TakersList(props: { chainId: number; takers: Takers; onChanged: () => void; children: ReactNode }) {
  const { chainId, takers, onChanged, children } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const { list, waiting = [], never = [], leftOut = [], unnamed = [] } = takers;
  const ask = (address: string, taken: boolean, keep: string, look: string | null = null) => {
    return () => setAsked({ address, taken, look, keep });
  };
  return (
    <>
      {waiting.map(({ address, look }) => (
        <Row key={address} chainId={chainId} mark="look" tone="attn" address={address} what="waits for you">
          {look ?? 'What is at this address was not looked up yet.'} Until somebody takes it, orders for it are refused,
          and each refusal makes the service skip the pair for 15 minutes.
          <span className={styles.rowActions}>
            <Button onClick={ask(address, true, 'Let it wait', look)}>Take it…</Button>
            <Button look="quiet" onClick={ask(address, false, 'Let it wait', look)}>
              Leave it out…
            </Button>
          </span>
        </Row>
      ))}
      {never.map(({ address, is }) => (
        <Row key={address} chainId={chainId} mark="refused" tone="stop" address={address} what={`is ${is}`}>
          The service names it as a taker. No order ever names it: ask the service what happened, or whether it is still
          the service.
        </Row>
      ))}
      {children}
      {list.map((address) => (
        <Row
          key={address}
          chainId={chainId}
          mark="done"
          tone="ok"
          address={address}
          what="in force"
          action={
            <Button look="quiet" onClick={ask(address, false, 'Keep it in force')}>
              Leave it out…
            </Button>
          }
        >
          {unnamed.includes(address) && 'The service does not name it.'}
        </Row>
      ))}
      {leftOut.map((address) => (
        <Row
          key={address}
          chainId={chainId}
          mark="off"
          tone="muted"
          address={address}
          what="left out"
          action={
            <Button look="quiet" onClick={ask(address, true, 'Keep it out')}>
              Take it…
            </Button>
          }
        />
      ))}
      {asked !== null && (
        <TakerDialog chainId={chainId} asked={asked} onDone={onChanged} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function Row(props: {
  chainId: number;
  mark: Parameters<typeof Mark>[0]['shape'];
  tone: Parameters<typeof Mark>[0]['tone'];
  address: string;
  what: string;
  children?: ReactNode;
  /** Beside what is decided: the way back. */
  action?: ReactNode;
}) {
  const story = { kind: 'taker', chainId: props.chainId, address: props.address } as const;
  return (
    <li {...storiesOf(story)}>
      <Mark shape={props.mark} tone={props.tone} />
      <div className="fill">
        <b>Taker</b> <Address hex={props.address} of="contract" /> <span className="quiet">{props.what}</span>{' '}
        <ChangesLink of={story} />
        <p>{props.children}</p>
      </div>
      {props.action}
    </li>
  );
}

/** Asks why an execution contract is taken or left out; orders name it, or do not, from then on. */
export function TakerDialog(props: { chainId: number; asked: Asked; onDone: () => void; onClose: () => void }) {
  const { chainId, asked, onDone, onClose } = props;
  const { address, taken, look, keep } = asked;
  const client = useClient();
  return (
    <ReasonDialog
      needs="settings"
      title={taken ? 'Sign orders for this taker?' : 'Leave this taker out?'}
      question={taken ? 'How do you know that it is the service’s?' : 'Why (may stay empty)'}
      optional={!taken}
      keep={keep}
      act={taken ? 'Take it' : 'Leave it out'}
      send={async (reason) => {
        await client.service.setTaker({ chainId, address, taken, reason });
        onDone();
      }}
      onClose={onClose}
    >
      <Lead>
        <span className="mono">{address}</span>
      </Lead>
      <p>
        {look !== null && `${look} `}
        {taken
          ? 'Whoever controls it can fill every order that is signed for it from now on. Compare the address, digit by digit, with what the service publishes elsewhere than in its list.'
          : 'From now on no order names it, and you are not asked about it again. If the service fills with it, each request is refused and its pair skipped for 15 minutes.'}
      </p>
    </ReasonDialog>
  );
}
