import { encodeText } from '../../hash.ts';
import type { Clock } from '../../ports.ts';

/** Open streams of one gateway. Each renders its page's live sections at every step. */
const MAX_STREAMS = 20;
/** Open streams of one session. Browsers open six connections to a host over HTTP/1.1, and a stream keeps one. */
const MAX_OWN_STREAMS = 4;
/** Milliseconds between two steps of a stream. */
const STEP = 3_000;
/** Steps after which an idle stream gets a comment, so that proxies keep it open. */
const HEARTBEAT_STEPS = 5;
/** Steps after which a client that does not read is gone: a phone without network closes no connection. */
const MAX_UNREAD_STEPS = 20;

const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would buffer the stream.
  'x-accel-buffering': 'no',
};

/** What one stream sends. */
interface EventSource {
  /** Identifies the session. */
  readonly owner: string;
  /** Renders the live sections of the page, by id; `null` once the page no longer exists. */
  render(): Promise<ReadonlyMap<string, string> | null>;
  /** Whether the client may still see the page. */
  isAllowed(): boolean;
}

/** The streams of server-sent events (HTML Standard, 9.2) that keep open pages up to date. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  readonly #clock: Clock;
  readonly #stopping: AbortSignal;

  /** @param stopping ends all streams, and refuses new ones */
  constructor(clock: Clock, stopping: AbortSignal) {
    this.#clock = clock;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const stream of this.#open) stream.end({ isFinal: false });
    });
  }

  /** Opens a stream, and ends the oldest one of the session if it has too many; `null` if all sessions have too many. */
  open(source: EventSource): Response | null {
    if (this.#stopping.aborted) return null;
    const own = [...this.#open].filter(({ owner }) => owner === source.owner);
    if (own.length >= MAX_OWN_STREAMS) own[0]?.end({ isFinal: true });
    if (this.#open.size >= MAX_STREAMS) return null;
    const stream = openStream(source, this.#clock, () => this.#open.delete(stream));
    this.#open.add(stream);
    return new Response(stream.body, { headers: EVENT_HEADERS });
  }
}

interface EventStream {
  readonly owner: string;
  readonly body: ReadableStream<Uint8Array>;
  /** @param isFinal whether the browser is told not to open it again */
  end(how: { readonly isFinal: boolean }): void;
}

/**
 * Opens one stream. A client that reads slowly skips steps: at most one event waits for it. One that reads nothing loses its
 * stream, because it would keep others from theirs.
 */
function openStream(source: EventSource, clock: Clock, onEnd: () => void): EventStream {
  /** The HTML that the client has, by section. */
  const sent = new Map<string, string>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelTimer = (): void => {};
  let idleSteps = 0;
  let unreadSteps = 0;

  const send = (text: string): void => controller?.enqueue(encodeText(text));

  const end: EventStream['end'] = ({ isFinal }) => {
    cancelTimer();
    if (isFinal) send(formatEvent('end', ''));
    controller?.close();
    controller = undefined;
    onEnd();
  };

  /** Formats the sections that differ from what was sent last. */
  const formatChanges = (sections: ReadonlyMap<string, string>): string => {
    const changed = [...sections].filter(([id, html]) => sent.get(id) !== html);
    for (const [id, html] of changed) sent.set(id, html);
    return changed.map(([id, html]) => formatEvent('section', JSON.stringify({ id, html }))).join('');
  };

  const step = async (): Promise<void> => {
    const isRead = (controller?.desiredSize ?? 0) > 0;
    unreadSteps = isRead ? 0 : unreadSteps + 1;
    if (unreadSteps > MAX_UNREAD_STEPS) return end({ isFinal: false });
    if (isRead || !source.isAllowed()) {
      const sections = source.isAllowed() ? await source.render().catch(() => null) : null;
      // The client may have gone meanwhile.
      if (controller === undefined) return;
      if (sections === null) return end({ isFinal: true });
      const text = formatChanges(sections);
      idleSteps = text === '' ? idleSteps + 1 : 0;
      if (text !== '') send(text);
      else if (idleSteps % HEARTBEAT_STEPS === 0) send(': alive\n\n');
    }
    if (controller !== undefined) cancelTimer = clock.after(STEP, () => void step());
  };

  const body = new ReadableStream<Uint8Array>({
    start(created) {
      controller = created;
      // The caller knows the stream by then.
      queueMicrotask(() => void step());
    },
    cancel() {
      controller = undefined;
      end({ isFinal: false });
    },
  });
  return { owner: source.owner, body, end };
}

/** JSON contains no line break, so the data is one line. */
function formatEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
