import { type ComparisonResult, compareDocuments, type DocumentChange } from '../../changes/index.ts';
import type { ExtendedOperation } from '../../config/option-types.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import type { SeenVersion } from '../../docs/changes.tsx';
import { isJsonObject, type Json, type JsonObject, matchesExample } from '../../json.ts';
import { printJson } from '../../openapi/index.ts';
import type { Clock } from '../../ports.ts';
import type { SiteStates, StoredState } from '../../state.ts';
import { runInSlices, runSteps, type Steps } from '../../steps.ts';
import type { DocumentedApi, Snapshot } from './snapshot.ts';

/** Why a document is served. */
export type DiscoveryCause = 'start' | 'interval' | 'request';

export interface DocumentVersion extends Omit<SeenVersion, 'note'> {
  /** `stored`: the gateway was started with it. */
  readonly cause: DiscoveryCause | 'stored';
}

export type VersionChanges = NonNullable<SeenVersion['changes']>;

const MAX_VERSIONS = 20;
/** Changes of one version that are kept. The rest are counted. */
const MAX_CHANGES = 100;
/** Operations that a change names. One change can concern all of them. */
const MAX_OPERATIONS = 10;

export class DocumentHistory {
  /** The latest first. */
  versions: readonly DocumentVersion[] = [];
  /** Number of versions that were seen, and so of those that are no longer listed. */
  count = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Continues the history of an earlier process. */
  restore(versions: readonly DocumentVersion[], count: number): void {
    this.versions = versions.slice(0, MAX_VERSIONS);
    this.count = count;
  }

  /** Adds the document that a gateway was started with. An origin without document has no history. */
  begin({ documented, operationCount: operations }: Snapshot): void {
    if (documented === null) return;
    this.#append({ seenAt: this.#clock.now(), cause: 'stored', operations, changes: null });
  }

  /**
   * Adds the document of a snapshot that is served now, unless it is equal to the one before.
   *
   * @param changes from the one before; `null` if there was none
   */
  add(next: Snapshot, changes: VersionChanges | null, cause: DocumentVersion['cause']): void {
    // The index can differ in what the document does not contain.
    if (next.documented === null || changes?.total === 0) return;
    this.#append({ seenAt: this.#clock.now(), cause, operations: next.operationCount, changes });
  }

  #append(version: DocumentVersion): void {
    this.versions = [version, ...this.versions].slice(0, MAX_VERSIONS);
    this.count += 1;
  }
}

type StoredHistory = Pick<DocumentHistory, 'count' | 'versions'>;

function isStoredHistory(value: unknown): value is StoredHistory {
  return matchesExample(value, { count: 0, versions: [STORED_VERSION] });
}

const STORED_VERSION = {
  seenAt: 0,
  cause: '',
  operations: 0,
  changes: {
    nullable: {
      ...{ breaking: 0, added: 0, removed: 0, total: 0 },
      listed: [{ severity: '', subject: '', text: '', operations: [''], operationCount: 0 }],
    },
  },
};

/**
 * Compares the documents of two snapshots, in slices.
 *
 * @returns `null` if the first has no document
 * @throws the reason of the signal when it aborts
 */
export async function compareSnapshots(
  previous: Snapshot | null,
  next: Snapshot,
  clock: Clock,
  signal: AbortSignal,
): Promise<VersionChanges | null> {
  const [from, to] = [previous?.documented?.document, next.documented?.document];
  if (from === undefined || to === undefined) return null;
  return summarizeChanges(await runInSlices(compareDocuments(from, to), clock, signal));
}

/** Operations up to which a document is small: each of its routes counts for much. */
const SMALL_DOCUMENT = 12;

/**
 * Whether a discovered document lacks too much to be believed at once. It then has less than half of the served operations (at
 * most two thirds of few), or lacks a namespace with a quarter of them. A plugin that is switched off for a moment, a firewall
 * and a failing update make
 * an index shorter as well as an operator does.
 */
export function lacksTooMuch(served: Snapshot, offered: Snapshot): boolean {
  const [before, after] = [countByNamespace(served), countByNamespace(offered)];
  const [had, has] = [sum(before.values()), sum(after.values())];
  const isNamespaceLost = [...before].some(
    ([name, count]) => name !== '' && !after.has(name) && count * 4 >= had,
  );
  return isNamespaceLost || (had > SMALL_DOCUMENT ? has * 2 < had : has * 3 <= had * 2);
}

function countByNamespace({ requestValidators }: Snapshot): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { route } of requestValidators?.listOperations() ?? [])
    counts.set(route.namespace, (counts.get(route.namespace) ?? 0) + 1);
  return counts;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function summarizeChanges({ changes, omitted }: ComparisonResult): VersionChanges {
  const countOperations = (rule: DocumentChange['rule']): number =>
    changes
      .filter((change) => change.rule === rule)
      .reduce((sum, change) => sum + change.operations.length, 0);
  return {
    breaking: changes.filter(({ severity }) => severity === 'breaking').length,
    added: countOperations('operation-added'),
    removed: countOperations('operation-removed'),
    total: changes.length + omitted,
    listed: changes.slice(0, MAX_CHANGES).map(({ operations, severity, subject, text }) => {
      const operationCount = operations.length;
      return { severity, subject, text, operations: operations.slice(0, MAX_OPERATIONS), operationCount };
    }),
  };
}

/** The last good document of a site, and the versions that led to it. */
type RestoredDocument = StoredHistory & { readonly snapshot: Snapshot };

interface StoredDocumentOptions {
  readonly states: SiteStates;
  /** Identifies the settings that decide what a discovery finds (`describeDiscovery`). */
  readonly settings: string;
  /** Throws a `ConfigurationError` when the document lacks what a gateway needs. */
  readonly createSnapshot: (document: JsonObject) => Steps<Snapshot>;
}

/** Stores the last good document of a site, so that the next start serves from it. */
export class StoredDocument {
  readonly #options: StoredDocumentOptions;
  readonly #stored: StoredState;
  #latest: { readonly document: JsonObject; readonly history: DocumentHistory } | null = null;
  #restored: RestoredDocument | null = null;

  constructor(options: StoredDocumentOptions) {
    this.#options = options;
    this.#stored = options.states.open('document', {
      toJson: async () => {
        if (this.#latest === null) return '{}';
        const { count, versions } = this.#latest.history;
        const content = { settings: options.settings, history: { count, versions } };
        return runInSlices(printContent(content, this.#latest.document), options.states.clock);
      },
      restore: (content) => this.#restore(content),
    });
  }

  /** Reads the stored document. Resolves to `null` if there is none, or none for these settings. Never rejects. */
  async load(): Promise<RestoredDocument | null> {
    await this.#stored.load();
    return this.#restored;
  }

  /** Stores a document that is served from now on, after a delay. */
  store({ document }: DocumentedApi, history: DocumentHistory): void {
    this.#restored = null;
    this.#latest = { document, history };
    this.#stored.markChanged();
  }

  /** Resolves when the document is stored. */
  stop(): Promise<void> {
    return this.#stored.stop();
  }

  #restore({ document, history, settings }: JsonObject): boolean {
    if (!isJsonObject(document) || typeof settings !== 'string') return false;
    // Documents of other settings are not served: an operator might have excluded a part of it since.
    if (settings !== this.#options.settings) return true;
    const { count, versions } = isStoredHistory(history) ? history : { count: 0, versions: [] };
    try {
      this.#restored = { snapshot: runSteps(this.#options.createSnapshot(document)), versions, count };
    } catch {
      return false;
    }
    return true;
  }
}

/** Prints an object with a document as its last member, in steps: a document can have tens of megabytes. */
function* printContent(content: object, document: JsonObject): Steps<string> {
  let text = `${JSON.stringify(content).slice(0, -1)},"document":`;
  for (const part of printJson(document)) {
    text += part;
    yield;
  }
  return `${text.trimEnd()}}`;
}

/**
 * Describes the settings that decide what a discovery finds, without secrets: of credentials and header fields the name of the
 * user and the names of the fields.
 */
export function describeDiscovery(
  { auth, exclude = [], headers = {}, include = [], schemas = 'help' }: Omit<DiscoverOptions, 'fetch'>,
  overlay: unknown,
  extend: Readonly<Record<string, ExtendedOperation>> = {},
): string {
  const fields = Object.keys(headers).map((name) => name.toLowerCase());
  const settings: Json = [schemas, [...include], [...exclude], fields.sort(), auth?.user ?? null];
  const added = Object.keys(extend).length === 0 ? [] : [extend];
  return JSON.stringify([...settings, overlay ?? null, ...added]);
}
