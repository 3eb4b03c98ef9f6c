import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CounterpartyFields, type CounterpartyTexts } from '../../components/counterparty-fields.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import type { SetUp } from './set-up.ts';

const FIELDS = ['domain', 'accessKey', 'secretKey'];
const EMPTY: CounterpartyTexts = {
  domain: '',
  accessKey: '',
  secretKey: '',
  signedPath: 'full',
  oneOrderPerSignature: true,
};

/** Who may ask for quotes, and the keys their requests are signed with. */
export function CounterpartyStep({ settings, chain, onChanged }: SetUp) {
  const client = useClient();
  const [texts, setTexts] = useState(EMPTY);
  const { counterparties } = settings.desk;
  const save = useCommand(async () => {
    await client.settings.saveCounterparty({ counterparty: { ...texts, domain: texts.domain.trim() }, seen: null });
    setTexts(EMPTY);
    onChanged();
  });
  const isWhole = texts.domain.trim() !== '' && texts.accessKey !== '' && texts.secretKey !== '';
  return (
    <>
      {counterparties.map(({ domain }) => {
        const print = settings.secrets.find((secret) => secret.domain === domain)?.fingerprint ?? null;
        return (
          <section key={domain} className={styles.part} aria-label={domain}>
            <header>
              <Mark shape={print === null ? 'refused' : 'done'} tone={print === null ? 'stop' : 'ok'} />
              <h3>{domain}</h3>
              <span className="muted fill">
                {print === null ? 'no secret kept: its requests are refused' : `secret kept, fingerprint ${print}`}
              </span>
              <Button asChild look="quiet">
                <Link href="/settings/counterparties">Change it</Link>
              </Button>
            </header>
          </section>
        );
      })}
      <form
        className={styles.stack}
        aria-label="Add a counterparty"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) save.run();
        }}
      >
        <div className={styles.pairOfFields}>
          <CounterpartyFields
            texts={texts}
            set={(change) => setTexts({ ...texts, ...change })}
            faultOf={(field) => faultOf(save.refusal, field)}
            prefix={chain === null ? 'its prefix, such as /1' : chain.basePath}
          />
        </div>
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} showNow={onChanged} />
        )}
        <div className={styles.row}>
          <Button
            type="submit"
            look={counterparties.length === 0 ? 'primary' : undefined}
            size="large"
            disabled={!isWhole || save.busy}
          >
            Keep the credentials
          </Button>
        </div>
      </form>
    </>
  );
}
