import { Address } from '../../components/figures/address.tsx';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import type { SectionProps } from './section-props.ts';

/** The key of the desk: whose it is, and what it binds on each chain. The key itself is never shown. */
export function SignerSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const make = useCommand(async () => {
    await client.settings.makeKey();
    onChanged();
  });
  const { address, why } = settings.signer;
  return (
    <>
      {address === null ? (
        <Note
          level="look"
          title="This desk has no key yet."
          actions={
            <button type="button" className="button" disabled={make.busy} onClick={() => make.run()}>
              Make a key
            </button>
          }
        >
          {why}
        </Note>
      ) : (
        <section className="setting" aria-label="Signer">
          <header>
            <Mark shape="done" tone="ok" />
            <h3>Signer</h3>
            <Address hex={address} of="signer’s address" />
            <span className="quiet">a keystore of the Web3 Secret Storage form, in {settings.folder}</span>
          </header>
        </section>
      )}
      {make.refusal !== null && <RefusalNote refusal={make.refusal} />}
      {settings.desk.chains.map(({ chainId, name, maker, signer }) => {
        const ours = address !== null && signer.toLowerCase() === address.toLowerCase();
        return (
          <section key={chainId} className="setting" aria-label={`Maker on ${name}`}>
            <header>
              <Mark shape={ours ? 'done' : 'refused'} tone={ours ? 'ok' : 'stop'} />
              <h3>{name}</h3>
              <span className="quiet">
                maker <Address hex={maker} of="maker’s address" />,{' '}
                {maker.toLowerCase() === signer.toLowerCase()
                  ? 'which signs for itself'
                  : 'a contract that is asked by EIP-1271 whether our signature binds it'}
                {ours ? '' : '; the desk file names another signer'}
              </span>
            </header>
          </section>
        );
      })}
    </>
  );
}
