import { Segmented } from '../../components/segmented.tsx';
import { setTheme, type Theme, useTheme } from '../../state/theme.ts';

const THEMES: readonly { value: Theme; text: string }[] = [
  { value: 'dark', text: 'Dark' },
  { value: 'light', text: 'Light' },
];

/** How the console looks on this computer. */
export function AppearanceSection() {
  const theme = useTheme();
  return (
    <section className="setting" aria-label="Theme">
      <header>
        <h3>Theme</h3>
        <Segmented label="Theme" options={THEMES} value={theme} onChoose={setTheme} />
        <span className="quiet">Motion and contrast follow the system; Ctrl + and Ctrl − change the size.</span>
      </header>
    </section>
  );
}
