import type { Diagnostic } from '../diagnostics.ts';
import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { OpenApiDocument } from './document.ts';
import { type JsonLocation, readJsonPath } from './json-path.ts';
import { mergeUpdate, updateAt, type Incompatible, removeAt, getAt } from './merge.ts';
import { type ParsedOverlayAction, parseOverlayActions } from './overlay-actions.ts';
import type { GenerationReport } from './report.ts';

/** What one action of an overlay did. */
export interface OverlayChange {
  /** RFC 9535 */
  readonly target: string;
  readonly description?: string;
  readonly change: 'update' | 'remove' | 'copy';
  /** In how many places. */
  readonly places: number;
  /** `x-waygate-evidence` of the action: what was seen, in how many answers of how many. */
  readonly evidence?: Json;
}

export interface OverlayResult {
  readonly document: OpenApiDocument;
  /** The actions that changed something, in their order. */
  readonly changes: readonly OverlayChange[];
  /** The actions that did not, each with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an overlay to a document (OpenAPI Overlay Specification 1.0 and 1.1). An action that has nothing to act upon
 * any more is no error, but it is said.
 *
 * @param overlay it may come from a file: it is checked
 * @throws ConfigurationError where it is no overlay, or leaves no document
 */
export function applyOverlay(document: OpenApiDocument, overlay: unknown): OverlayResult {
  let content: JsonObject = document;
  const changes: OverlayChange[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, action] of parseOverlayActions(overlay).entries()) {
    const outcome = applyAction(content, action);
    if (outcome.kind === 'done') {
      content = outcome.document;
      changes.push(outcome.change);
    } else {
      const { action: done, message, rule } = SKIP_REASONS[outcome.kind];
      const named = `Action ${index + 1} of the overlay (${action.target})`;
      diagnostics.push({
        rule,
        severity: 'warning',
        pointer: '',
        message: `${named} ${message}`,
        action: done,
      });
    }
  }
  if (!isDocument(content)) throw new ConfigurationError('The overlay leaves no OpenAPI document.');
  return { document: content, changes, diagnostics };
}

/** A generation with an overlay applied to its document, and what that did in its report. */
export function overlayGeneration<
  Its extends { readonly document: OpenApiDocument; readonly report: GenerationReport },
>(
  { document, report }: Its,
  overlay: unknown,
): { readonly document: OpenApiDocument; readonly report: GenerationReport } {
  const applied = applyOverlay(document, overlay);
  const rules = new Map(Object.entries(report.rules));
  for (const { rule } of applied.diagnostics) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return {
    document: applied.document,
    report: {
      ...report,
      rules: Object.fromEntries([...rules].sort(([one], [other]) => (one < other ? -1 : 1))),
      overlay: applied.changes,
      diagnostics: [...report.diagnostics, ...applied.diagnostics],
    },
  };
}

const SKIP_REASONS = {
  gone: {
    rule: 'overlay-target-gone',
    message: 'selects nothing: the document has no such place any more.',
    action: 'Left it out. Run waygate reconcile again.',
  },
  unreadable: {
    rule: 'overlay-target-unreadable',
    message: "is not a JSONPath that is read here: names, indexes, wildcards, `..` and `[?@ == 'text']` are.",
    action: 'Left it out.',
  },
  incompatible: {
    rule: 'overlay-incompatible',
    message:
      'does not fit what stands there: objects merge with objects, lists with lists, and values with values.',
    action: 'Left it out.',
  },
} as const;

type ActionOutcome =
  | { readonly kind: 'done'; readonly document: JsonObject; readonly change: OverlayChange }
  | { readonly kind: keyof typeof SKIP_REASONS };

function applyAction(document: JsonObject, action: ParsedOverlayAction): ActionOutcome {
  const select = readJsonPath(action.target);
  if (select === null) return { kind: 'unreadable' };
  const places = select(document);
  if (places.length === 0) return { kind: 'gone' };
  const content = action.remove ? removed(document, places) : merged(document, places, action);
  if (typeof content === 'string') return { kind: content };
  return { kind: 'done', document: content, change: describeChange(action, places.length) };
}

/** The last place first: what is removed from a list moves what follows. */
function removed(document: JsonObject, places: readonly JsonLocation[]): JsonObject | 'incompatible' {
  return places.reduceRight<JsonObject | 'incompatible'>((content, place) => {
    if (content === 'incompatible' || place.length === 0) return 'incompatible';
    return toDocumentRoot(removeAt(content, place));
  }, document);
}

function merged(
  document: JsonObject,
  places: readonly JsonLocation[],
  { copy, update }: ParsedOverlayAction,
): JsonObject | keyof typeof SKIP_REASONS {
  let given = update;
  if (copy !== undefined) {
    const select = readJsonPath(copy);
    if (select === null) return 'unreadable';
    const [from, second] = select(document);
    if (from === undefined || second !== undefined) return 'gone';
    given = getAt(document, from);
  }
  if (given === undefined) return 'incompatible';
  let content = document;
  for (const place of places) {
    const change = given;
    const next: Json | Incompatible = updateAt(content, place, (value) => mergeUpdate(value, change));
    if (!isJsonObject(next)) return 'incompatible';
    content = next;
  }
  return content;
}

function toDocumentRoot(value: Json): JsonObject | 'incompatible' {
  return isJsonObject(value) ? value : 'incompatible';
}

function describeChange({ copy, description, evidence, remove, target }: ParsedOverlayAction, places: number): OverlayChange {
  const other = copy === undefined ? 'update' : 'copy';
  return {
    target,
    ...(description === undefined ? {} : { description }),
    change: remove ? 'remove' : other,
    places,
    ...(evidence === undefined ? {} : { evidence }),
  };
}

function isDocument(content: JsonObject): content is OpenApiDocument {
  return (
    typeof content['openapi'] === 'string' && isJsonObject(content['info']) && isJsonObject(content['paths'])
  );
}
