import type { ExtendedOperation } from '../../config/option-types.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { printJson } from '../../openapi/index.ts';
import type { SiteStates, StoredState } from '../../state.ts';
import { runInSlices, runSteps, type Steps } from '../../steps.ts';
import type { DocumentedApi, Snapshot } from './snapshot.ts';

/** Each route of a small document counts for much. */
const SMALL_DOCUMENT = 12;

/**
 * Half of the served operations (a third of few), or a namespace with a quarter of them. A plugin that is off
 * for a moment, a firewall or a failing update shorten an index as an operator does.
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

interface StoredDocumentOptions {
  readonly states: SiteStates;
  /** `describeDiscovery` */
  readonly settings: string;
  /** Throws a `ConfigurationError` when the document lacks what a gateway needs. */
  readonly createSnapshot: (document: JsonObject) => Steps<Snapshot>;
}

/** The next start serves from it. */
export class StoredDocument {
  readonly #options: StoredDocumentOptions;
  readonly #stored: StoredState;
  #latest: JsonObject | null = null;
  #restored: Snapshot | null = null;

  constructor(options: StoredDocumentOptions) {
    this.#options = options;
    this.#stored = options.states.open('document', {
      toJson: async () => {
        if (this.#latest === null) return '{}';
        return runInSlices(printContent({ settings: options.settings }, this.#latest), options.states.clock);
      },
      restore: (content) => this.#restore(content),
    });
  }

  /** `null` if no document is stored for these settings. Never rejects. */
  async load(): Promise<Snapshot | null> {
    await this.#stored.load();
    return this.#restored;
  }

  /** Stores a document after a delay. */
  store({ document }: DocumentedApi): void {
    this.#restored = null;
    this.#latest = document;
    this.#stored.markChanged();
  }

  stop(): Promise<void> {
    return this.#stored.stop();
  }

  #restore({ document, settings }: JsonObject): boolean {
    if (!isJsonObject(document) || typeof settings !== 'string') return false;
    // An operator might have excluded a part of a document of other settings.
    if (settings !== this.#options.settings) return true;
    try {
      this.#restored = runSteps(this.#options.createSnapshot(document));
    } catch {
      return false;
    }
    return true;
  }
}

/** Prints an object with a document as its last member, in steps. */
function* printContent(content: object, document: JsonObject): Steps<string> {
  let text = `${JSON.stringify(content).slice(0, -1)},"document":`;
  for (const part of printJson(document)) {
    text += part;
    yield;
  }
  return `${text.trimEnd()}}`;
}

/** Describes settings without secrets: only the user's name, and names of fields. */
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
