import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient, useDesk } from '../../state/console.tsx';
import { readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import type { SetUp } from './set-up.ts';

/** Where the counterparty asks this desk: an address of this machine and a port, tried as they are saved. */
export function SurfaceStep({ chain }: SetUp) {
  const surfaceUrl = useDesk((view) => view.surfaceUrl);
  return (
    <>
      {surfaceUrl !== null && (
        <p className={`${styles.text} with-mark`}>
          <Mark shape="done" tone="ok" />
          It listens on <span className="mono">{surfaceUrl}</span>
          {chain !== null && (
            <>
              , for {chain.name} under <span className="mono">{`${surfaceUrl}${chain.basePath}`}</span>
            </>
          )}
          .
        </p>
      )}
      <MoveForm key={surfaceUrl} surfaceUrl={surfaceUrl} />
    </>
  );
}

function MoveForm({ surfaceUrl }: { surfaceUrl: string | null }) {
  const client = useClient();
  const now = surfaceUrl === null ? null : new URL(surfaceUrl);
  const [host, setHost] = useState(now?.hostname.replace(/^\[|\]$/g, '') ?? '127.0.0.1');
  const [port, setPort] = useState(now?.port ?? '8787');
  const typed = readWhole(port, 1, 65_535);
  const move = useCommand(async () => {
    if (typed.value !== null) await client.settings.moveSurface({ host: host.trim(), port: typed.value });
  });
  const isOther = now === null || host.trim() !== now.hostname || port.trim() !== now.port;
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.value !== null) move.run();
      }}
    >
      <div className={styles.pairOfFields}>
        <Field
          label="Address"
          large
          className="mono"
          hint="127.0.0.1 is this machine alone; the way out is a reverse proxy"
          value={host}
          fault={faultOf(move.refusal, 'host')}
          onChange={(event) => setHost(event.target.value)}
        />
        <Field
          label="Port"
          large
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
