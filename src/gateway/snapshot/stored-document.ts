import type { DiscoverOptions } from '../../discovery/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { printJson } from '../../openapi/index.ts';
import type { SiteStates, StoredState } from '../../state.ts';
import { runInSlices, type Steps } from '../../steps.ts';
import { type DocumentHistory, type DocumentVersion, readVersions } from './document-history.ts';
import type { DocumentedApi, Snapshot } from './snapshot.ts';

/** The last good document of a site, and the versions that led to it. */
export interface RestoredDocument {
  readonly snapshot: Snapshot;
  readonly versions: readonly DocumentVersion[];
  /** Number of all versions that were seen. */
  readonly count: number;
}

interface StoredDocumentOptions {
  readonly states: SiteStates;
  /** Identifies the settings that decide what a discovery finds (`describeDiscovery`). */
  readonly settings: string;
  /** @throws {ConfigurationError} when the document lacks what a gateway needs */
  readonly createSnapshot: (document: JsonObject) => Snapshot;
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
      toJson: () => this.#print(),
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

  async #print(): Promise<string> {
    const { settings, states } = this.#options;
    if (this.#latest === null) return '{}';
    const { document, history } = this.#latest;
    const { count, versions } = history;
    return runInSlices(printContent({ settings, history: { count, versions } }, document), states.clock);
  }

  #restore({ document, history, settings }: JsonObject): boolean {
    if (!isJsonObject(document) || typeof settings !== 'string') return false;
    // What other settings have found is not served: an operator may have excluded a part of it since.
    if (settings !== this.#options.settings) return true;
    const { count, versions } = isJsonObject(history) ? history : {};
    const seen = readVersions(versions);
    try {
      this.#restored = {
        snapshot: this.#options.createSnapshot(document),
        versions: seen,
        count: Math.max(seen.length, typeof count === 'number' && Number.isSafeInteger(count) ? count : 0),
      };
    } catch {
      return false;
    }
    return true;
  }
}

/** Prints the members of the content, in steps: a document can have tens of megabytes. */
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
): string {
  const fields = Object.keys(headers).map((name) => name.toLowerCase());
  const settings: Json = [schemas, [...include], [...exclude], fields.sort(), auth?.user ?? null];
  return JSON.stringify([...settings, overlay ?? null]);
}
