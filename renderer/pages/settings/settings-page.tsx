import './settings.css';
import { Link, useRoute } from 'wouter';
import { AlertRows } from '../../components/alert-rows.tsx';
import { Waiting } from '../../components/empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { ChainsSection } from './chains-section.tsx';
import { CounterpartiesSection } from './counterparties-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { ServicesSection } from './services-section.tsx';
import { SignerSection } from './signer-section.tsx';
import { ToldPanel } from './told-panel.tsx';
import { useSettings } from './use-settings.ts';

const SECTIONS = [
  { id: 'chains', name: 'Chains', says: 'nodes, contracts, how quotes are served' },
  { id: 'counterparties', name: 'Counterparties', says: 'who may ask; secrets go in and never come out' },
  { id: 'services', name: 'Services', says: 'a key for higher limits goes in and never comes out' },
  { id: 'signer', name: 'Signer', says: 'the key, and for whom it signs' },
  { id: 'limits', name: 'Limits', says: 'a lower one counts at once' },
  { id: 'alerts', name: 'Alerts', says: 'the same on every console' },
  { id: 'appearance', name: 'Appearance', says: 'on this computer' },
] as const;

/** What is set up once: each section stands alone and is saved by itself. */
export function SettingsPage() {
  const [, route] = useRoute('/settings/:section');
  const section = SECTIONS.find(({ id }) => id === route?.section) ?? SECTIONS[0];
  return (
    <>
      <PageHead name="Settings" />
      <div className="page-body settings-page">
        <nav className="panel sections" aria-label="Sections">
          {SECTIONS.map(({ id, name }) => (
            <Link key={id} href={`/settings/${id}`} aria-current={id === section.id ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <Panel name={section.name} aside={section.says}>
          <div className="scroll">
            {section.id === 'alerts' && <AlertRows />}
            {section.id === 'appearance' && <AppearanceSection />}
            {section.id !== 'alerts' && section.id !== 'appearance' && <DeskSection id={section.id} />}
          </div>
        </Panel>
        {section.id === 'alerts' && <ToldPanel />}
      </div>
    </>
  );
}

function DeskSection({ id }: { id: 'chains' | 'counterparties' | 'services' | 'signer' | 'limits' }) {
  const { data, error, isPending, refetch, changed } = useSettings();
  if (isPending) return <Waiting rows={8} />;
  if (error !== null || data === undefined) return <QueryError error={error} again={() => void refetch()} />;
  const parts = { settings: data, onChanged: () => void changed() };
  if (id === 'chains') return <ChainsSection {...parts} />;
  if (id === 'counterparties') return <CounterpartiesSection {...parts} />;
  if (id === 'services') return <ServicesSection {...parts} />;
  if (id === 'signer') return <SignerSection {...parts} />;
  return <LimitsSection {...parts} />;
}
