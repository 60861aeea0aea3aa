import { createElement } from './dom.ts';

/** Choices of the reader that are kept in the browser. */
const KEYS = { theme: 'waygate-theme', language: 'waygate-language' } as const;

/** Adds the switch of the theme, and opens the code samples in the language that was chosen last. */
export function installPreferences(): void {
  installTheme();
  installLanguage();
}

const THEMES = ['auto', 'light', 'dark'] as const;

function installTheme(): void {
  const button = createElement('button', { type: 'button', class: 'theme' });
  const apply = (theme: (typeof THEMES)[number]): void => {
    document.documentElement.dataset['theme'] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  let theme = THEMES.find((each) => each === read(KEYS.theme)) ?? 'auto';
  apply(theme);
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    apply(theme);
    write(KEYS.theme, theme);
  });
  document.querySelector('.downloads')?.append(button);
}

function installLanguage(): void {
  const tabs = [...document.querySelectorAll<HTMLDetailsElement>('[data-samples] > details')];
  const languageOf = (tab: HTMLDetailsElement): string => tab.querySelector('summary')?.textContent ?? '';
  // Tabs of one operation have one name, so opening one closes the others.
  const open = (language: string): void => {
    for (const tab of tabs) if (languageOf(tab) === language) tab.open = true;
  };
  const stored = read(KEYS.language);
  if (stored !== null) open(stored);
  for (const tab of tabs) {
    tab.querySelector('summary')?.addEventListener('click', (event) => {
      if (tab.open) return;
      // The other samples of the page change their height: the clicked one stays where it is.
      event.preventDefault();
      const before = tab.getBoundingClientRect().top;
      open(languageOf(tab));
      scrollBy(0, tab.getBoundingClientRect().top - before);
      write(KEYS.language, languageOf(tab));
    });
  }
}

/** A browser may refuse its storage. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice lasts until the page is left.
  }
}
