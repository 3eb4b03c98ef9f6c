import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import checkListStyles from '../../components/check-list.module.css';
import { ReadState } from '../../components/empty.tsx';
import { Input } from '../../components/field.tsx';
import { useQueries } from '../../state/console.tsx';
import { TakerDialog, TakersList } from '../service/takers-list.tsx';
import styles from './first-start.module.css';
import type { SetUpOnChain } from './set-up.ts';

/** The execution contracts that orders may name: those of the preset, those that the service names, and those typed here. */
export function TakersStep({ chain: { chainId }, onChanged }: SetUpOnChain) {
  const state = useQuery(useQueries().service.state.queryOptions({ input: { chainId }, refetchInterval: 5_000 }));
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const typed = text.trim().toLowerCase();
  const isAddress = /^0x[0-9a-f]{40}$/.test(typed);
  const changed = () => {
    void state.refetch();
    setText('');
    onChanged();
  };
  return (
    <>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (isAddress) setAsked(typed);
        }}
      >
        <Input
          aria-label="Address of a taker"
          large
          className="mono"
          placeholder="0x… another execution contract"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" size="large" disabled={!isAddress}>
          Take it…
        </Button>
      </form>
      <ReadState read={state} rows={4} />
      {state.data !== undefined && (
        <ul className={checkListStyles.list}>
          <TakersList chainId={chainId} takers={state.data.takers} onChanged={changed}>
            {state.data.takers.fault !== null && <li>{state.data.takers.fault}</li>}
          </TakersList>
        </ul>
      )}
      {asked !== null && (
        <TakerDialog
          chainId={chainId}
          asked={{ address: asked, taken: true, look: null, keep: 'Go on without it' }}
          onDone={changed}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
