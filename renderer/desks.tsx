import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import './styles/tokens.css';
import './styles/base.css';
import { DesksPage } from './pages/desks/desks-page.tsx';
import { openDesksLine } from './state/desks-line.ts';
import { followTheme } from './state/theme.ts';
import { followTimeZone } from './state/time-zone.ts';

// The list of desks elsewhere, in a window of its own: it is there without any desk of this computer.
followTheme(window);
followTimeZone(window);
const line = openDesksLine(window);

const place = document.getElementById('console');
if (place === null) throw new Error('desks.html has no place for the list.');
createRoot(place).render(
  <QueryClientProvider client={new QueryClient()}>
    <DesksPage line={line} />
  </QueryClientProvider>,
);
