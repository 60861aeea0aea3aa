import { copyOnClick, createElement } from './dom.ts';
import { installForms } from './form.ts';
import { installSearch } from './search.ts';

// The pages are complete without this script. It adds preferences, the search, the copying of code, and requests.
installPreferences();
installSearch();
installCopyButtons();
installForms();
installCurrentOperation();
// On a small screen the tree would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

/** Adds a button to each code sample that copies it. */
function installCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('[data-samples] pre')) {
    const button = createElement('button', { type: 'button', class: 'button copy' }, 'Copy');
    copyOnClick(button, () => block.querySelector('code')?.textContent ?? '');
    block.before(button);
  }
}

/** Marks the operation that is read in the list of the tree. */
function installCurrentOperation(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('[data-operations] a')].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  if (links.size === 0) return;
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      const link = entered === undefined ? undefined : links.get(entered.target.id);
      if (link === undefined || link === current) return;
      current?.removeAttribute('aria-current');
      link.setAttribute('aria-current', 'location');
      // Scrolls the tree alone: `scrollIntoView` would scroll the page too.
      const tree = link.closest('.tree');
      if (tree !== null) {
        const offset = link.getBoundingClientRect().top - tree.getBoundingClientRect().top;
        if (offset < 0 || offset > tree.clientHeight - 40) tree.scrollTop += offset - tree.clientHeight / 2;
      }
      current = link;
    },
    // The line that a section crosses while it is read stands in the upper third of the window.
    { rootMargin: '-30% 0px -69% 0px' },
  );
  for (const section of document.querySelectorAll('[data-operation]')) observer.observe(section);
}

/** Choices of the reader that are kept in the browser. */
const KEYS = { theme: 'waygate-theme', language: 'waygate-language' } as const;

/** Adds the switch of the theme, and opens the code samples in the language that was chosen last. */
function installPreferences(): void {
  installTheme();
  installLanguage();
}

const THEMES = ['auto', 'light', 'dark'] as const;

/** A button that goes on to the next theme. */
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
