import type { Clock } from '../../ports.ts';
import { encodeText } from '../admin/secrets.ts';

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
    const stream = new EventStream(source, this.#clock, () => this.#open.delete(stream));
    this.#open.add(stream);
    return new Response(stream.start(), { headers: EVENT_HEADERS });
  }
}

/**
 * One stream. A client that reads slowly skips steps: at most one event waits for it. One that reads nothing loses its stream,
 * because it would keep others from theirs.
 */
class EventStream {
  readonly owner: string;
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  /** The HTML that the client has, by section. */
  readonly #sent = new Map<string, string>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #cancelTimer = (): void => {};
  #idleSteps = 0;
  #unreadSteps = 0;

  constructor(source: EventSource, clock: Clock, onEnd: () => void) {
    this.owner = source.owner;
    this.#source = source;
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  start(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        void this.#step();
      },
      cancel: () => {
        this.#controller = undefined;
        this.end({ isFinal: false });
      },
    });
  }

  /** @param isFinal whether the browser is told not to open it again */
  end({ isFinal }: { readonly isFinal: boolean }): void {
    this.#cancelTimer();
    if (isFinal) this.#send(formatEvent('end', ''));
    this.#controller?.close();
    this.#controller = undefined;
    this.#onEnd();
  }

  #send(text: string): void {
    this.#controller?.enqueue(encodeText(text));
  }

  async #step(): Promise<void> {
    const isRead = (this.#controller?.desiredSize ?? 0) > 0;
    this.#unreadSteps = isRead ? 0 : this.#unreadSteps + 1;
    if (this.#unreadSteps > MAX_UNREAD_STEPS) return this.end({ isFinal: false });
    if (isRead || !this.#source.isAllowed()) {
      const sections = this.#source.isAllowed() ? await this.#source.render().catch(() => null) : null;
      // The client may have gone meanwhile.
      if (this.#controller === undefined) return;
      if (sections === null) return this.end({ isFinal: true });
      const text = this.#formatChanges(sections);
      this.#idleSteps = text === '' ? this.#idleSteps + 1 : 0;
      if (text !== '') this.#send(text);
      else if (this.#idleSteps % HEARTBEAT_STEPS === 0) this.#send(': alive\n\n');
    }
    if (this.#controller !== undefined) this.#cancelTimer = this.#clock.after(STEP, () => void this.#step());
  }

  /** Formats the sections that differ from what was sent last. */
  #formatChanges(sections: ReadonlyMap<string, string>): string {
    const changed = [...sections].filter(([id, html]) => this.#sent.get(id) !== html);
    for (const [id, html] of changed) this.#sent.set(id, html);
    return changed.map(([id, html]) => formatEvent('section', JSON.stringify({ id, html }))).join('');
  }
}

/** JSON contains no line break, so the data is one line. */
function formatEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
