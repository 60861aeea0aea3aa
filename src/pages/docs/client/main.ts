import { copyOnClick, createElement } from './dom.ts';
import { createFormInstaller } from './form.ts';
import { Login } from './login.ts';
import { installSearch } from './search.ts';

const LANGUAGE = 'waygate language';

const SECTIONS = '.operation, .objects, .guide';
const SLICE = 8;

installLanguage();
installSearch();
void installSections(new Login());
followReading();
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

/** Adds buttons, forms and addresses to up to two hundred sections, first to the visible one. */
async function installSections(user: Login): Promise<void> {
  const installForm = createFormInstaller(user);
  const read = document.querySelector(':target')?.closest<HTMLElement>(SECTIONS) ?? [];
  const sections = new Set([read, ...document.querySelectorAll<HTMLElement>(SECTIONS)].flat());
  let end = performance.now() + SLICE;
  for (const section of sections) {
    for (const field of section.querySelectorAll<HTMLAnchorElement>('a.permalink[id]'))
      field.href = `#${field.id}`;
    if (section.matches('.operation')) installForm(section);
    addCopyButtons(section);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    end = performance.now() + SLICE;
  }
}

function addCopyButtons(section: HTMLElement): void {
  for (const block of section.querySelectorAll('pre')) {
    const button = createElement('button', { type: 'button', class: 'button copy' }, 'Copy');
    copyOnClick(button, () => block.querySelector('code')?.textContent ?? '');
    block.before(button);
  }
}

function installLanguage(): void {
  const tabs = [...document.querySelectorAll<HTMLDetailsElement>('[data-samples] > details')];
  const languageOf = (tab: HTMLDetailsElement): string => tab.querySelector('summary')?.textContent ?? '';
  const open = (language: string): void => {
    for (const tab of tabs) if (languageOf(tab) === language) tab.open = true;
  };
  open(localStorage.getItem(LANGUAGE) ?? '');
  for (const tab of tabs) {
    tab.querySelector('summary')?.addEventListener('click', (event) => {
      if (tab.open) return;
      // The other samples of the page change their height: the clicked one stays where it is.
      event.preventDefault();
      const before = tab.getBoundingClientRect().top;
      open(languageOf(tab));
      localStorage.setItem(LANGUAGE, languageOf(tab));
      scrollBy(0, tab.getBoundingClientRect().top - before);
    });
  }
}

/** Scrolls a box as `scrollIntoView` does, after which Chromium would begin with the link at the next Tab. */
function showIn(box: Element | null, link: Element): void {
  if (box === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

function followReading(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.tree-operations a')];
  const sections = new IntersectionObserver(
    (entries) => {
      const read = entries.find(({ isIntersecting }) => isIntersecting)?.target.id;
      const current = links.find(({ hash }) => hash === `#${read}`);
      if (current === undefined) return;
      for (const link of links) link.removeAttribute('aria-current');
      current.setAttribute('aria-current', 'location');
      if (matchMedia('(min-width: 56rem)').matches) showIn(current.closest('.tree'), current);
    },
    { rootMargin: '-15% 0px -80% 0px' },
  );
  for (const section of document.querySelectorAll('[data-operation]')) sections.observe(section);
}
