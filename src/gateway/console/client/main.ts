// The pages are complete without this script. It refreshes what is marked, while the page is open.
removeNotice();
refreshSections();
// On a small screen the navigation would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');

/** Removes the notice of the last action from the address, so that a reload does not repeat it. */
function removeNotice(): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('notice')) return;
  url.searchParams.delete('notice');
  url.searchParams.delete('signed');
  history.replaceState(null, '', url);
}

interface SectionEvent {
  readonly id: string;
  readonly html: string;
}

/** Replaces the marked sections of the page when the gateway sends them. */
function refreshSections(): void {
  const { live, page } = document.body.dataset;
  if (live === undefined) return;
  const url = new URL(live, location.href);
  url.searchParams.set('page', page ?? '');
  let source: EventSource | undefined;
  const close = (): void => {
    source?.close();
    source = undefined;
  };
  // The gateway opens few streams for a session. A page whose stream has ended gets one again when it is looked at.
  const follow = (): void => {
    if (document.hidden) close();
    else source ??= openStream(url, close);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  // A page in the cache of the browser would keep its stream open.
  addEventListener('pagehide', close);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** Opens the stream of a page. @param onEnd called when the gateway has ended it */
function openStream(url: URL, onEnd: () => void): EventSource {
  const source = new EventSource(url);
  source.addEventListener('open', () => showState('live'));
  // A browser opens a stream again that was interrupted, but not one that was refused.
  source.addEventListener('error', () =>
    showState(source.readyState === EventSource.CLOSED ? 'not live' : 'connecting'),
  );
  source.addEventListener('section', ({ data }) => {
    const event: SectionEvent = JSON.parse(String(data));
    replaceSection(event);
  });
  source.addEventListener('end', () => {
    onEnd();
    showState('ended: reload the page');
  });
  return source;
}

function showState(text: string): void {
  const element = document.querySelector('.live-state');
  if (element !== null && element.textContent !== text) element.textContent = text;
}

/** The HTML is the gateway's own, as that of the page. A section that is in use waits for its next change. */
function replaceSection({ html, id }: SectionEvent): void {
  const content = document.querySelector(`[data-section="${CSS.escape(id)}"] > .section-content`);
  if (content === null || content.innerHTML === html || isInUse(content)) return;
  const folds = [...content.querySelectorAll('details')];
  const open = new Set(folds.flatMap((fold, index) => (fold.open ? [foldKey(fold, index)] : [])));
  content.innerHTML = html;
  for (const [index, fold] of [...content.querySelectorAll('details')].entries()) {
    fold.open = open.has(foldKey(fold, index));
  }
}

/** Whether the keyboard, or a selection of text, is within an element. */
function isInUse(element: Element): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode);
}

/** Folds keep their state by their id, or else by their place. */
function foldKey({ id }: HTMLDetailsElement, index: number): string {
  return id === '' ? String(index) : id;
}
