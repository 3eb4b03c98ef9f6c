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
        <fieldset className="choice" aria-label="Theme">
          {THEMES.map(({ value, text }) => (
            <button
              key={value}
              type="button"
              className="button"
              aria-pressed={theme === value}
              onClick={() => setTheme(value)}
            >
              {text}
            </button>
          ))}
        </fieldset>
        <span className="quiet">Motion and contrast follow the system; Ctrl + and Ctrl − change the size.</span>
      </header>
    </section>
  );
}
