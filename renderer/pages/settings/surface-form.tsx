import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from '../first-start/first-start.module.css';
import ownStyles from './surface-form.module.css';
import type { Settings } from './use-settings.ts';

/** Where counterparties ask this desk: an address of this machine and a port, tried as they are saved. */
export function SurfaceForm({ chains }: { chains: Settings['desk']['chains'] }) {
  const surfaceUrl = useDesk((view) => view.surfaceUrl);
  const missed = useDesk((view) => view.attention.find(({ code }) => code === 'surface_port')) ?? null;
  return (
    <>
      {missed !== null && surfaceUrl !== null && <Missed {...missed} surfaceUrl={surfaceUrl} />}
      {surfaceUrl !== null && (
        <div className={styles.text}>
          <p className="with-mark">
            <Mark shape="done" tone="ok" />
            It listens on <span className="mono">{surfaceUrl}</span>
          </p>
          {chains.map(({ chainId, name, basePath }) => (
            <p key={chainId}>
              {name} under <span className="mono">{`${surfaceUrl}${basePath}`}</span>
            </p>
          ))}
        </div>
      )}
      <MoveForm key={surfaceUrl} surfaceUrl={surfaceUrl} />
    </>
  );
}

/** The port is another program's: the one that stands in for it can be kept. */
function Missed({ title, detail, surfaceUrl }: { title: string; detail: string; surfaceUrl: string }) {
  const client = useClient();
  const { hostname, port } = new URL(surfaceUrl);
  const stay = useCommand(() => client.settings.moveSurface({ host: bareHost(hostname), port: Number(port) }));
  return (
    <>
      <Note
        level="stop"
        title={`${title}.`}
        actions={
          <Button disabled={stay.busy} onClick={() => stay.run()}>
            Stay on port {port}
          </Button>
        }
      >
        {detail}
      </Note>
      {stay.refusal !== null && <RefusalNote refusal={stay.refusal} />}
    </>
  );
}

/** An address of version 6 stands in brackets in a URL alone. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function MoveForm({ surfaceUrl }: { surfaceUrl: string | null }) {
  const client = useClient();
  const now = surfaceUrl === null ? null : new URL(surfaceUrl);
  const [host, setHost] = useState(now === null ? '127.0.0.1' : bareHost(now.hostname));
  const [port, setPort] = useState(now?.port ?? '8787');
  const typed = readWhole(port, 1, 65_535);
  const move = useCommand(async () => {
    if (typed.value !== null) await client.settings.moveSurface({ host: host.trim(), port: typed.value });
  });
  const isOther = now === null || host.trim() !== bareHost(now.hostname) || port.trim() !== now.port;
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.value !== null) move.run();
      }}
    >
      <div className={ownStyles.where}>
        <Field
          label="Address"
          large
          className="mono"
          hint="127.0.0.1 is this machine alone; others ask through a reverse proxy"
          value={host}
          fault={faultOf(move.refusal, 'host')}
          onChange={(event) => setHost(event.target.value)}
        />
        <Field
          label="Port"
          large
          className="mono"
          inputMode="numeric"
          value={port}
          fault={typed.fault ?? faultOf(move.refusal, 'port')}
          onChange={(event) => setPort(event.target.value)}
        />
      </div>
      {move.refusal !== null && (
        <RefusalNote refusal={move.refusal} elsewhere={faultsElsewhere(move.refusal, ['host', 'port'])} />
      )}
      <div className={styles.row}>
        <Button type="submit" size="large" disabled={!isOther || typed.value === null || move.busy}>
          Listen there
        </Button>
        <span className="muted">The next start of the app listens there too.</span>
      </div>
    </form>
  );
}
