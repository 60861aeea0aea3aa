// The pages are complete without this script. It refreshes what is marked, while the page is looked at.
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
  showLocalTimes(content);
  return true;
}

function showLocalTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-clock]')) {
    const time = new Date(element.dateTime);
    const isShort = element.dataset['clock'] === 'short';
    const isToday = Date.now() - time.getTime() < 86_400_000;
    if (isShort) element.textContent = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    else element.textContent = isToday ? time.toLocaleTimeString() : time.toLocaleString();
  }
}

function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}
