import { LRUCache } from 'lru-cache';
import { type RequestHead, SAFE_METHODS } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { isFormPost } from '../../base/php/request.ts';
import type { FullValidation } from '../../generator/validation/request/validator.ts';
import { readRoutingHeaders } from '../router/target.ts';
import type { AdminAccess } from '../wordpress/admin-access.ts';
import type { CacheBypass } from '../wordpress/bypass-rules.ts';
import { isWritingRead } from '../wordpress/writes.ts';
import type { CacheEntryPolicy } from './caching/cache-entry.ts';
import type { PageRequest, ResolvedRequest, RouteRequest, Snapshot } from './snapshot/snapshot.ts';
import { addMethod, NO_OPERATION } from './traffic/site-traffic.ts';

type Resolver = Pick<Snapshot, 'resolveRequest' | 'isDiscovered' | 'subsites'>;

/** What depends on the method and target only. */
export class TargetMemo {
  readonly resolved: ResolvedRequest;
  readonly route: string | null;
  readonly operation: string | null;
  readonly trafficKey: string;
  /** By the method, by the effective method at a route, or by a page that writes. */
  readonly mayChangeSite: boolean;
  wasGood = false;
  resource: CacheEntryPolicy | CacheBypass | undefined;
  adminAccess: AdminAccess | undefined;
  /** Result for a request without a body; `null` if it is not certain, `undefined` until it is needed. */
  validation: FullValidation | null | undefined;

  constructor(snapshot: Resolver, resolved: ResolvedRequest, method: string) {
    this.resolved = resolved;
    const isRoute = resolved.kind === 'route';
    this.route = isRoute ? resolved.target.route : null;
    this.operation = isRoute && resolved.match.kind === 'found' ? resolved.match.operation.id : null;
    const isForAgents = resolved.kind === 'own' && resolved.target.kind === 'mcp';
    this.trafficKey = isRoute
      ? (this.operation ?? addMethod(NO_OPERATION.unknownRoutes, method))
      : addMethod(
          NO_OPERATION[resolved.kind === 'page' ? 'pages' : isForAgents ? 'agents' : 'gateway'],
          method,
        );
    this.mayChangeSite = resolved.kind !== 'own' && mayWrite(snapshot, resolved, method);
  }
}

function mayWrite(snapshot: Resolver, resolved: RouteRequest | PageRequest, method: string): boolean {
  const { kind, target } = resolved;
  if (!SAFE_METHODS.has(method) || !SAFE_METHODS.has(target.method)) return true;
  return kind === 'page' && snapshot.isDiscovered && isWritingRead(target.path, target.query);
}

/** Estimated bytes of all sites' memos: an address costs its texts several times over. */
const MAX_BYTES = 64 * 1024 * 1024;
const MEMO_BYTES = 2_000;
const CHARACTER_BYTES = 10;
/** Longer targets rarely recur, and a client can invent any number. */
const MAX_TARGET_LENGTH = 256;

/** Memos by target, with the method unless it is GET. */
type Memos = LRUCache<string, TargetMemo>;

const estimateBytes = (key: string): number => MEMO_BYTES + CHARACTER_BYTES * key.length;

export class TargetMemory {
  readonly #sites = new Set<Memos>();
  #bytes = 0;

  open(): Memos {
    const memos: Memos = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: (_, key) => estimateBytes(key),
      dispose: (_, key) => {
        this.#bytes -= estimateBytes(key);
      },
    });
    this.#sites.add(memos);
    return memos;
  }

  close(memos: Memos): void {
    this.#sites.delete(memos);
    memos.clear();
  }

  /** The site with the most gives its oldest. */
  add(memos: Memos, key: string, memo: TargetMemo): void {
    this.#bytes += estimateBytes(key);
    memos.set(key, memo);
    while (this.#bytes > MAX_BYTES) {
      const [first = memos, ...others] = this.#sites;
      others.reduce((one, other) => (other.calculatedSize > one.calculatedSize ? other : one), first).pop();
    }
  }
}

export class TargetMemos {
  #snapshot: Resolver | null = null;
  #subsites = 0;
  readonly #memory: TargetMemory;
  readonly #memos: Memos;

  constructor(memory: TargetMemory) {
    this.#memory = memory;
    this.#memos = memory.open();
  }

  find(snapshot: Resolver, head: RequestHead): TargetMemo {
    if (snapshot !== this.#snapshot || snapshot.subsites.count !== this.#subsites) {
      this.#snapshot = snapshot;
      this.#subsites = snapshot.subsites.count;
      this.#memos.clear();
    }
    const { headers, method, target } = head;
    const isForm = method !== 'GET' && isFormPost(method, readRoutingHeaders(headers).contentType);
    const isKept =
      !isForm &&
      fieldValue(headers, 'x-http-method-override') === undefined &&
      target.startsWith('/') &&
      target.length <= MAX_TARGET_LENGTH;
    if (!isKept) return new TargetMemo(snapshot, snapshot.resolveRequest(head), method);
    const key = method === 'GET' ? target : `${method} ${target}`;
    const memo = this.#memos.get(key);
    if (memo !== undefined) return memo;
    const created = new TargetMemo(snapshot, snapshot.resolveRequest(head), method);
    this.#memory.add(this.#memos, key, created);
    return created;
  }

  stop(): void {
    this.#memory.close(this.#memos);
  }
}
