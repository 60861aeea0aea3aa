// The pages are complete without this script. It refreshes what is marked, while the page is looked at.
showLocalTimes(document);
installCursor();
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

/** Shows one cursor in all plots. A range that is dragged across one of them selects the events of its time. */
function installCursor(): void {
  let start: number | null = null;
  const find = ({ clientX, target }: PointerEvent): readonly [HTMLElement, number] | null => {
    const drawing = target instanceof Element ? target.closest('.plot-drawing') : null;
    const plots = drawing?.closest<HTMLElement>('.plots') ?? null;
    if (drawing === null || plots === null) return null;
    const { left, width } = drawing.getBoundingClientRect();
    return [plots, Math.min(1, Math.max(0, (clientX - left) / width))];
  };
  document.addEventListener('pointermove', (event) => {
    const [plots, at] = find(event) ?? [];
    if (at !== undefined) plots?.style.setProperty('--cursor', `${100 * at}%`);
  });
  document.addEventListener('pointerdown', (event) => {
    start = find(event)?.[1] ?? null;
  });
  document.addEventListener('pointerup', (event) => {
    const [plots, end = 0] = find(event) ?? [];
    if (plots === undefined || start === null || Math.abs(end - start) < 0.01) return;
    const toTime = (at: number): string =>
      String(Math.round(Number(plots.dataset['from']) + at * Number(plots.dataset['length'])));
    const url = new URL(location.href);
    url.searchParams.set('from', toTime(Math.min(start, end)));
    url.searchParams.set('to', toTime(Math.max(start, end)));
    url.hash = 'events';
    location.assign(url);
  });
}

function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}
