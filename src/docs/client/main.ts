import { copyOnClick, createElement } from './dom.ts';
import { installForms } from './form.ts';
import { installLanguage } from './language.ts';
import { installSearch } from './search.ts';

// The pages are complete without this script. It adds the search, the copying of code, and requests.
installLanguage();
installSearch();
installCopyButtons();
installForms();
installCurrentOperation();
// On a small screen the tree would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

function installCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('[data-samples] pre, .guide pre')) {
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
