import { EmptyPage } from '../../components/empty-page.tsx';

/** The place of hedging; this desk does not hedge yet. */
export function HedgePage() {
  return (
    <EmptyPage name="Hedge" title="This desk does not hedge yet" go={{ to: '/fills', text: 'Fills' }}>
      Fills change what the maker holds, and nothing brings it back by itself. Balances are in the strip, fills and what
      they were worth on Fills.
    </EmptyPage>
  );
}
