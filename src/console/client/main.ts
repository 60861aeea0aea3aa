// The pages are complete without this script. It refreshes what is marked, while the page is looked at.
void refreshSections();
// On a small screen the navigation would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

/** Milliseconds between two looks at the page. */
const INTERVAL = 3_000;

/** Loads the page again while it is looked at, and replaces its marked sections by those that have changed. */
async function refreshSections(): Promise<void> {
  if (document.querySelector('[data-section]') === null) return;
  /** The HTML that was loaded last, by section. */
  const loaded = new Map<string, string>();
  for (showState('live'); ; await new Promise((resolve) => setTimeout(resolve, INTERVAL))) {
    if (document.hidden) continue;
    const response = await fetch(location.href).catch(() => null);
    const isEnded = response !== null && (response.redirected || response.status === 404);
    showState(isEnded ? 'ended: reload the page' : response?.ok === true ? 'live' : 'not live');
    if (isEnded) return;
    if (response?.ok !== true) continue;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const { dataset, lastElementChild } of page.querySelectorAll<HTMLElement>('[data-section]')) {
      const [id = '', html = ''] = [dataset['section'], lastElementChild?.innerHTML];
      if (loaded.get(id) !== html && replaceSection(id, html)) loaded.set(id, html);
    }
  }
}

function showState(text: string): void {
  const element = document.querySelector('.live-state');
  if (element !== null && element.textContent !== text) element.textContent = text;
}

/** The HTML is the gateway's own, as that of the page. @returns `false` if the section is in use */
function replaceSection(id: string, html: string): boolean {
  const content = document.querySelector(`[data-section="${CSS.escape(id)}"] > .section-content`);
  if (content === null || isInUse(content)) return false;
  content.innerHTML = html;
  return true;
}

/** Whether the keyboard, or a selection of text, is within an element. */
function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}
