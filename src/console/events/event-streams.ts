import type { Clock } from '../../ports.ts';
import { encodeText } from '../session/secrets.ts';

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

/** What one stream sends. */
export interface EventSource {
  /** Identifies the session. */
  readonly owner: string;
  /** Renders the live sections of the page, by id; `null` once the page no longer exists. */
  render(): Promise<ReadonlyMap<string, string> | null>;
  /** Whether the client may still see the page. */
  isAllowed(): boolean;
}

/** The streams of server-sent events (HTML Standard, 9.2) that keep open pages up to date. */
export interface EventStreams {
  /** Opens a stream, and ends the oldest one of the session if it has too many; `null` if all sessions have too many. */
  open(source: EventSource): Response | null;
  /** Ends all streams, and refuses new ones. */
  close(): void;
}

export function createEventStreams(clock: Clock): EventStreams {
  const open = new Set<OpenStream>();
  let isClosed = false;
  return {
    open(source) {
      if (isClosed) return null;
      const own = [...open].filter(({ owner }) => owner === source.owner);
      if (own.length >= MAX_OWN_STREAMS) own[0]?.end({ isFinal: true });
      if (open.size >= MAX_STREAMS) return null;
      return new Response(createEventStream(source, clock, open), { headers: EVENT_HEADERS });
    },
    close() {
      isClosed = true;
      for (const stream of open) stream.end({ isFinal: false });
    },
  };
}

interface OpenStream extends Pick<EventSource, 'owner'> {
  /** @param isFinal whether the browser is told not to open it again */
  end({ isFinal }: { readonly isFinal: boolean }): void;
}

const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would buffer the stream.
  'x-accel-buffering': 'no',
};

/**
 * One stream. A client that reads slowly skips steps: at most one event waits for it. One that reads nothing loses its stream,
 * because it would keep others from theirs.
 *
 * @param open holds the stream while it is open
 */
function createEventStream(
  source: EventSource,
  clock: Clock,
  open: Set<OpenStream>,
): ReadableStream<Uint8Array> {
  const sent = new Map<string, string>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelTimer = (): void => {};
  let idleSteps = 0;
  let unreadSteps = 0;

  const stream: OpenStream = {
    owner: source.owner,
    end({ isFinal }) {
      cancelTimer();
      if (isFinal) send(formatEvent('end', ''));
      controller?.close();
      controller = undefined;
      open.delete(stream);
    },
  };

  function send(text: string): void {
    controller?.enqueue(encodeText(text));
  }

  async function step(): Promise<void> {
    const isRead = (controller?.desiredSize ?? 0) > 0;
    unreadSteps = isRead ? 0 : unreadSteps + 1;
    if (unreadSteps > MAX_UNREAD_STEPS) return stream.end({ isFinal: false });
    if (isRead || !source.isAllowed()) {
      const sections = source.isAllowed() ? await source.render().catch(() => null) : null;
      // The client may have gone meanwhile.
      if (controller === undefined) return;
      if (sections === null) return stream.end({ isFinal: true });
      const text = formatChangedSections(sections, sent);
      idleSteps = text === '' ? idleSteps + 1 : 0;
      if (text !== '') send(text);
      else if (idleSteps % HEARTBEAT_STEPS === 0) send(': alive\n\n');
    }
    if (controller !== undefined) cancelTimer = clock.after(STEP, () => void step());
  }

  return new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
      open.add(stream);
      void step();
    },
    cancel() {
      controller = undefined;
      stream.end({ isFinal: false });
    },
  });
}

/** Formats the sections that differ from what was sent last. @param sent is updated */
function formatChangedSections(sections: ReadonlyMap<string, string>, sent: Map<string, string>): string {
  let text = '';
  for (const [id, html] of sections) {
    if (sent.get(id) === html) continue;
    sent.set(id, html);
    text += formatEvent('section', JSON.stringify({ id, html }));
  }
  return text;
}

/** JSON contains no line break, so the data is one line. */
function formatEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
