import { type CacheOutcome, fieldValue, type RequestHead } from '../../../base/http/message.ts';
import { detachString, takeSmallest } from '../../../base/memoize.ts';

/** Requests of a client in the last minutes. */
export interface ClientCounts {
  readonly client: string;
  readonly agent: string;
  /** What over half of its requests ask; empty without such an operation. */
  readonly operation: string;
  readonly requests: number;
  /** Requests that were no hits. */
  readonly misses: number;
  readonly clientErrors: number;
  /** Requests that a rate limit of the gateway refused. */
  readonly limited: number;
  /** Name of the last such limit. */
  readonly policy: string;
  /** Different values of `User-Agent` in the refused ones, at most {@link MAX_AGENTS} of five minutes. */
  readonly agents: readonly string[];
}

interface CountedRequest {
  readonly client: string;
  readonly head: RequestHead;
}

type Counted = { -readonly [Key in keyof Omit<ClientCounts, 'agents'>]: ClientCounts[Key] } & {
  agents: Set<string> | null;
  votes: number;
  /** Requests for `operation` since it has been counted. */
  asked: number;
};

const WINDOW = 300_000;
const MAX_CLIENTS = 64;
const MAX_TEXT = 200;
export const MAX_AGENTS = 20;

/** The busiest clients of five to ten minutes. A client with more than one request in 64 is always among them, whatever others send. */
export class BusyClients {
  #window = new Window();
  #before = new Window();
  #end = Number.NEGATIVE_INFINITY;

  count(
    { client, head }: CountedRequest,
    operation: string,
    status: number,
    outcome: CacheOutcome,
    now: number,
  ): void {
    if (now >= this.#end) {
      this.#before = now >= this.#end + WINDOW ? new Window() : this.#window;
      this.#window = new Window();
      this.#end = now + WINDOW;
    }
    const window = this.#window;
    const counted = window.clients.get(client) ?? addClient(window.clients, client, head, operation);
    window.requests += 1;
    counted.requests += 1;
    if (outcome !== 'hit' && outcome !== 'stale') counted.misses += 1;
    if (status >= 400 && status < 500) {
      window.clientErrors += 1;
      counted.clientErrors += 1;
    }
    // The operation of most requests survives the others' votes (Boyer and Moore 1981).
    if (counted.operation === operation) {
      counted.votes += 1;
      counted.asked += 1;
    } else if (counted.votes > 0) counted.votes -= 1;
    else Object.assign(counted, { operation, votes: 1, asked: 1 });
  }

  countLimited({ client, head }: CountedRequest, policy: string): void {
    // A client refused by a limit was counted, unless busier ones took its place.
    const counted = this.#window.clients.get(client);
    if (counted === undefined) return;
    counted.limited += 1;
    counted.policy = policy;
    counted.agents ??= new Set();
    if (counted.agents.size < MAX_AGENTS) counted.agents.add(readAgent(head));
  }

  /** The busiest first, and the sums of all clients. */
  read(): {
    readonly requests: number;
    readonly clientErrors: number;
    readonly clients: readonly ClientCounts[];
  } {
    const [before, window] = [this.#before, this.#window];
    const all = new Map<string, ClientCounts>();
    for (const [client, { agents, asked, votes: _, ...counted }] of [...before.clients, ...window.clients]) {
      const earlier = all.get(client);
      all.set(client, {
        ...counted,
        operation: asked > counted.requests / 2 ? counted.operation : '',
        requests: counted.requests + (earlier?.requests ?? 0),
        misses: counted.misses + (earlier?.misses ?? 0),
        clientErrors: counted.clientErrors + (earlier?.clientErrors ?? 0),
        limited: counted.limited + (earlier?.limited ?? 0),
        policy: counted.policy || (earlier?.policy ?? ''),
        agents: [...new Set([...(agents ?? []), ...(earlier?.agents ?? [])])],
      });
    }
    return {
      requests: before.requests + window.requests,
      clientErrors: before.clientErrors + window.clientErrors,
      clients: [...all.values()].sort((one, other) => other.requests - one.requests),
    };
  }
}

class Window {
  readonly clients = new Map<string, Counted>();
  requests = 0;
  clientErrors = 0;
}

/** Takes the place of the client with the fewest requests, and its number of them. */
function addClient(
  clients: Map<string, Counted>,
  client: string,
  head: RequestHead,
  operation: string,
): Counted {
  const displaced = clients.size < MAX_CLIENTS ? undefined : takeSmallest(clients, (each) => each.requests);
  const requests = displaced?.[1].requests ?? 0;
  const counted: Counted = {
    ...{ client, agent: readAgent(head), operation, requests, misses: 0, clientErrors: 0 },
    ...{ limited: 0, policy: '', agents: null, votes: 0, asked: 0 },
  };
  clients.set(client, counted);
  return counted;
}

/** A part of a header field would keep the whole of it. */
function readAgent({ headers }: RequestHead): string {
  return detachString((fieldValue(headers, 'user-agent') ?? '').slice(0, MAX_TEXT));
}
