import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleRightSchema, RIGHTS, type Right } from '../../../electron/contract/rights.ts';
import type { ListedToken } from '../../../electron/contract/tokens.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { momentText } from '../../components/figures/times.ts';
import { NotAllowed } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { Table } from '../../components/table.tsx';
import { useClient, useConsole, useQueries } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useMay } from '../../state/rights.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './people-section.module.css';
import settingsStyles from './settings-page.module.css';

/** Who has a token: people with a console of their own, and engines that push prices. */
export function PeopleSection() {
  return useMay('admin') ? <People /> : <NotAllowed right="admin" />;
}

function People() {
  const client = useClient();
  const { desk } = useConsole();
  const read = useQuery(useQueries().tokens.list.queryOptions({ staleTime: 0, refetchInterval: 10_000 }));
  const [adding, setAdding] = useState<'person' | 'engine' | null>(null);
  const [setting, setSetting] = useState<ListedToken | null>(null);
  const [revoking, setRevoking] = useState<ListedToken | null>(null);
  const time = (at: number | null) => (at === null ? '—' : momentText(at, desk.now()));
  const reread = () => void read.refetch();
  return (
    <>
      <ReadState read={read} unknown="Who has a token is not known; every token counts as before" />
      {read.data?.length === 0 && (
        <Empty title="Nobody but you">
          Whoever opens the address that the desk printed when it started is its owner. Everybody else gets a token of
          their own.
        </Empty>
      )}
      {read.data !== undefined && read.data.length > 0 && (
        <Table>
          <thead>
            <tr>
              <th>Name</th>
              <th>May</th>
              <th>Since</th>
              <th>By</th>
              <th>Last used</th>
              <th aria-label="Actions" className={styles.actions} />
            </tr>
          </thead>
          <tbody>
            {read.data.map((token) => (
              <tr key={token.name}>
                <td>
                  <b className="strong">{token.name}</b>
                </td>
                <td>{token.rights.split(',').join(', ')}</td>
                <td>{time(token.since)}</td>
                <td>{token.by ?? '—'}</td>
                <td>{time(token.lastUsedAt)}</td>
                <td className="right">
                  <Button look="quiet" onClick={() => setSetting(token)}>
                    Rights…
                  </Button>
                  <Button look="quiet" onClick={() => setRevoking(token)}>
                    Revoke…
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className={settingsStyles.foot}>
        <Button onClick={() => setAdding('person')}>Add somebody…</Button>
        <Button onClick={() => setAdding('engine')}>Add an engine that pushes prices…</Button>
      </div>
      {adding !== null && (
        <AddDialog
          of={adding}
          onClose={() => {
            setAdding(null);
            reread();
          }}
        />
      )}
      {setting !== null && (
        <RightsDialog
          token={setting}
          onClose={() => {
            setSetting(null);
            reread();
          }}
        />
      )}
      {revoking !== null && (
        <ConfirmDialog
          title={`Revoke the token of ${revoking.name}?`}
          keep="Leave it"
          act={`Revoke ${revoking.name}`}
          send={async () => {
            await client.tokens.revoke({ name: revoking.name });
            reread();
          }}
          onClose={() => setRevoking(null)}
        >
          It stops counting at once: consoles that are open with it are cut off, and pairs that it priced are closed.
          What was done with it stays in the journal under this name.
        </ConfirmDialog>
      )}
    </>
  );
}

type MadeToken = Awaited<ReturnType<ReturnType<typeof useClient>['tokens']['create']>>;

/** Names somebody and says what they may do, or names an engine, and shows the token this once. */
function AddDialog({ of, onClose }: { of: 'person' | 'engine'; onClose: () => void }) {
  const client = useClient();
  const isEngine = of === 'engine';
  const [name, setName] = useState('');
  const [chosen, setRights] = useState<readonly Right[]>(['look']);
  const [made, setMade] = useState<MadeToken | null>(null);
  const rights = isEngine ? 'prices' : chosen.join(',');
  const make = useCommand(async () => {
    setMade(await client.tokens.create({ name: name.trim(), rights }));
  });
  if (made !== null) return <MadeDialog name={name.trim()} isEngine={isEngine} made={made} onClose={onClose} />;
  return (
    <Dialog title={isEngine ? 'Add an engine' : 'Add somebody'} onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <Field
          label="Name"
          large
          autoFocus
          hint={isEngine ? 'stands beside every price it pushes' : 'stands in the journal with everything they do'}
          value={name}
          fault={faultOf(make.refusal, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        {isEngine ? (
          <p className="muted">
            It pushes prices from this computer, and has no console. Each price is judged as a person’s.
          </p>
        ) : (
          <RightsField rights={chosen} onChange={setRights} />
        )}
        {make.refusal !== null && (
          <RefusalNote refusal={make.refusal} elsewhere={faultsElsewhere(make.refusal, ['name'])} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            {isEngine ? 'Add none' : 'Add nobody'}
          </Button>
          <Button type="submit" look="primary" size="large" disabled={make.busy || name.trim() === '' || rights === ''}>
            Make the token
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}

/** A token as it is shown this once: a person's with the address of their console, an engine's beside where it pushes to. */
function MadeDialog(props: { name: string; isEngine: boolean; made: MadeToken; onClose: () => void }) {
  const { name, isEngine, made, onClose } = props;
  return (
    <Dialog title={`The token of ${name}`} onClose={onClose}>
      <Lead>Shown this once and kept nowhere: hand it over in private. Whoever has it is {name} to this desk.</Lead>
      <p className={`mono ${styles.token}`}>{made.console ?? made.token}</p>
      {isEngine && (
        <p>
          {made.prices === null ? (
            'Another program has the port for prices. Once it lets go of it, engines are let in there; Desk says so until then.'
          ) : (
            <>
              It pushes to <span className={`mono ${styles.token}`}>{made.prices}</span>
            </>
          )}
        </p>
      )}
      <DialogActions>
        <Button look="primary" size="large" onClick={onClose}>
          It is handed over
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Sets what somebody may do from now on; what their token is for beside a console, such as prices, it keeps. */
function RightsDialog({ token: { name, rights: before }, onClose }: { token: ListedToken; onClose: () => void }) {
  const client = useClient();
  const given = before.split(',');
  const [rights, setRights] = useState<readonly Right[]>(
    consoleRightSchema.options.filter((right) => given.includes(right)),
  );
  const wanted = [...rights, ...given.filter((right) => !consoleRightSchema.safeParse(right).success)].join(',');
  const set = useCommand(async () => {
    await client.tokens.setRights({ name, rights: wanted, seen: before });
    onClose();
  });
  return (
    <Dialog title={`What may ${name} do?`} onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          set.run();
        }}
      >
        <RightsField rights={rights} onChange={setRights} />
        <p className="muted">It counts at once; a console that is open with the token starts again.</p>
        {set.refusal !== null && (
          <RefusalNote refusal={set.refusal} elsewhere={faultsElsewhere(set.refusal, [])} showNow={onClose} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={set.busy || wanted === '' || wanted === before}>
            Set the rights of {name}
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}

function RightsField(props: { rights: readonly Right[]; onChange: (rights: readonly Right[]) => void }) {
  const { rights, onChange } = props;
  const toggle = (right: Right) =>
    onChange(consoleRightSchema.options.filter((one) => (one === right) !== rights.includes(one)));
  return (
    <fieldset className={styles.rights}>
      <legend className="label">May</legend>
      {consoleRightSchema.options.map((right) => (
        <label key={right}>
          <input type="checkbox" checked={rights.includes(right)} onChange={() => toggle(right)} />{' '}
          <b className="strong">{RIGHTS[right].name}</b> <span className="muted">{RIGHTS[right].says}</span>
        </label>
      ))}
    </fieldset>
  );
}
