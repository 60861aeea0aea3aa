// Pages are complete without this script, which refreshes marked parts of a visible page.
showLocalTimes(document);
void refreshSections();
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

const INTERVAL = 3_000;

async function refreshSections(): Promise<void> {
  if (document.querySelector('[data-section]') === null) return;
  const loaded = new Map<string, string>();
  for (showState('live'); ; await new Promise((resolve) => setTimeout(resolve, INTERVAL))) {
    if (document.hidden) continue;
    const response = await fetch(location.href).catch(() => null);
    const isEnded = response !== null && (response.redirected || response.status === 404);
    if (isEnded) return showState('ended: reload the page');
    if (response?.ok !== true) {
      showState('not live');
      continue;
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    let isPaused = false;
    for (const { dataset, lastElementChild } of page.querySelectorAll<HTMLElement>('[data-section]')) {
      const [id = '', html = ''] = [dataset['section'], lastElementChild?.innerHTML];
      if (loaded.get(id) === html) continue;
      if (replaceSection(id, html)) loaded.set(id, html);
      else isPaused = true;
    }
    showState(isPaused ? 'paused while you type or select' : 'live');
  }
}

function showState(text: string): void {
  const element = document.querySelector('.live-state');
  if (element !== null && element.textContent !== text) element.textContent = text;
}

/** Replaces a section by the gateway's own HTML. @returns `false` if the section is in use */
function replaceSection(id: string, html: string): boolean {
  const content = document.querySelector(`[data-section="${CSS.escape(id)}"] > .section-content`);
  if (content === null || isInUse(content)) return false;
  const { activeElement } = document;
  const focused = activeElement !== null && content.contains(activeElement) ? nameOf(activeElement) : '';
  content.innerHTML = html;
  if (focused !== '') {
    const same = [...content.querySelectorAll<HTMLElement>('a, summary, button, [tabindex]')];
    same.find((element) => nameOf(element) === focused)?.focus({ preventScroll: true });
  }
  showLocalTimes(content);
  return true;
}

/** The text is UTC, as in the log. */
function showLocalTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-clock]'))
    element.title = new Date(element.dateTime).toLocaleString();
}

/** A text that is equal for a focused element and its copy in the next page. */
function nameOf(element: Element): string {
  const name = element.getAttribute('href') ?? element.getAttribute('aria-label') ?? element.textContent;
  return `${element.tagName} ${name}`;
}

function isInUse(element: Element): boolean {
  const { activeElement } = document;
  if (activeElement?.matches('input, textarea, select') === true && element.contains(activeElement))
    return true;
  if (element.querySelector('.ask[open]') !== null) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}
