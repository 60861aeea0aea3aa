import type { Diagnostic } from '../diagnostics.ts';
import { extensionOf } from '../document-extensions.ts';
import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, mapMembers, toJsonObject } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { runSteps, type Steps } from '../steps.ts';
import { childOf, type JsonLocation } from './document-references.ts';
import { addOverlayToReport, type GenerationReport, type OverlayChange } from './generation-report.ts';
import { evaluateJsonPath } from './json-path.ts';
import type { OpenApiDocument } from './objects.ts';

/** A document with an overlay applied. */
export interface OverlayResult {
  readonly document: OpenApiDocument;
  /** The actions that changed something, in their order. */
  readonly changes: readonly OverlayChange[];
  /** One for each action that was skipped, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an overlay to a document (OpenAPI Overlay Specification 1.0 and 1.1). An action whose target selects nothing,
 * or that does not fit the target, is skipped with a diagnostic.
 *
 * @param document the document; it is not modified
 * @param overlay content of a file: it is validated
 * @returns the new document, the applied actions, and a diagnostic for each skipped action
 * @throws {ConfigurationError} when the value is not an overlay, or the result is not a document
 *
 * @example
 * import { applyOverlay, discover, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * const overlay = {
 *   overlay: '1.0.0',
 *   info: { title: 'Our title', version: '1' },
 *   actions: [{ target: '$.info', update: { title: 'Our interface' } }],
 * };
 * const { changes } = applyOverlay(document, overlay);
 * console.log(changes.length);
 */
export function applyOverlay(document: OpenApiDocument, overlay: unknown): OverlayResult {
  return runSteps(applyOverlayInSteps(document, overlay));
}

/** Does the work of {@link applyOverlay} in steps of one action. */
function* applyOverlayInSteps(document: OpenApiDocument, overlay: unknown): Steps<OverlayResult> {
  let content: JsonObject = document;
  const changes: OverlayChange[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, action] of parseOverlayActions(overlay).entries()) {
    const outcome = applyAction(content, action);
    if (outcome.kind === 'applied') {
      content = outcome.document;
      changes.push(outcome.change);
    } else {
      diagnostics.push(skippedAction(outcome, index, action));
    }
    yield;
  }
  if (!isDocument(content)) throw new ConfigurationError('The overlay leaves no OpenAPI document.');
  return { document: content, changes, diagnostics };
}

type Generation = { readonly document: OpenApiDocument; readonly report: GenerationReport };

/** Applies an overlay to the document of a generation in steps of one action, and adds the result to its report. */
export function* applyOverlayToGeneration(
  { document, report }: Generation,
  overlay: unknown,
): Steps<Generation> {
  const result = yield* applyOverlayInSteps(document, overlay);
  return {
    document: result.document,
    report: addOverlayToReport(report, result.changes, result.diagnostics),
  };
}

type ActionOutcome =
  | { readonly kind: 'applied'; readonly document: JsonObject; readonly change: OverlayChange }
  | SkippedAction;

interface SkippedAction {
  readonly kind: keyof typeof SKIP_REASONS;
  /** Details for the message. */
  readonly reason?: string;
}

const SKIP_REASONS = {
  gone: {
    rule: 'overlay-target-gone',
    message: 'selects nothing in the document.',
    action: 'Skipped. waygate reconcile --fresh makes another overlay.',
  },
  unreadable: {
    rule: 'overlay-target-unreadable',
    message: 'is not a JSONPath query (RFC 9535) that can be evaluated:',
    action: 'Skipped.',
  },
  incompatible: {
    rule: 'overlay-incompatible',
    message:
      'does not fit the selected value: objects merge with objects, lists with lists, and values with values.',
    action: 'Skipped.',
  },
} as const;

const GONE: SkippedAction = { kind: 'gone' };
const INCOMPATIBLE_ACTION: SkippedAction = { kind: 'incompatible' };

function skippedAction(
  { kind, reason }: SkippedAction,
  index: number,
  { target }: ParsedOverlayAction,
): Diagnostic {
  const { action, message, rule } = SKIP_REASONS[kind];
  const detail = reason === undefined ? '' : ` ${reason}.`;
  return {
    rule,
    severity: 'warning',
    pointer: '',
    message: `Action ${index + 1} of the overlay (${target}) ${message}${detail}`,
    action,
  };
}

function applyAction(document: JsonObject, action: ParsedOverlayAction): ActionOutcome {
  const selection = evaluateJsonPath(document, action.target);
  if (!selection.ok) return { kind: 'unreadable', reason: selection.reason };
  const { locations } = selection;
  if (locations.length === 0) return GONE;
  const outcome = action.remove
    ? removeLocations(document, locations)
    : updateLocations(document, locations, action);
  if ('kind' in outcome) return outcome;
  return { kind: 'applied', document: outcome.document, change: describeChange(action, locations.length) };
}

type UpdatedDocument = { readonly document: JsonObject };

function removeLocations(
  document: JsonObject,
  locations: readonly JsonLocation[],
): UpdatedDocument | SkippedAction {
  let content = document;
  for (const location of [...locations].sort(inRemovalOrder)) {
    const next = location.length === 0 ? null : removeValueAt(content, location);
    if (!isJsonObject(next)) return INCOMPATIBLE_ACTION;
    content = next;
  }
  return { document: content };
}

/** Children before their parent, and the last item of a list first, because a removal moves the items that follow. */
function inRemovalOrder(one: JsonLocation, other: JsonLocation): number {
  const at = one.findIndex((token, index) => token !== other[index]);
  const [token, otherToken] = [one[at], other[at]];
  if (token === undefined || otherToken === undefined) return other.length - one.length;
  if (typeof token === 'number' && typeof otherToken === 'number') return otherToken - token;
  return String(token) < String(otherToken) ? 1 : -1;
}

function updateLocations(
  document: JsonObject,
  locations: readonly JsonLocation[],
  { copy, update }: ParsedOverlayAction,
): UpdatedDocument | SkippedAction {
  let source = update;
  if (copy !== undefined) {
    const selection = evaluateJsonPath(document, copy);
    if (!selection.ok) return { kind: 'unreadable', reason: selection.reason };
    const [location, second] = selection.locations;
    if (location === undefined || second !== undefined) return GONE;
    source = location.reduce<Json | undefined>((at, token) => childOf(at, String(token)), document);
  }
  if (source === undefined) return INCOMPATIBLE_ACTION;
  const change = source;
  let content = document;
  for (const location of locations) {
    const next = updateValueAt(content, location, (value) => mergeUpdate(value, change));
    if (!isJsonObject(next)) return INCOMPATIBLE_ACTION;
    content = next;
  }
  return { document: content };
}

function describeChange(
  { copy, description, evidence, remove, target }: ParsedOverlayAction,
  places: number,
): OverlayChange {
  const kind = copy === undefined ? 'update' : 'copy';
  const change: OverlayChange['change'] = remove ? 'remove' : kind;
  return omitUndefined({ target, description, change, places, evidence });
}

export function isDocument(content: JsonObject): content is OpenApiDocument {
  return (
    typeof content['openapi'] === 'string' && isJsonObject(content['info']) && isJsonObject(content['paths'])
  );
}

/** The supported fields of an overlay's Action Object. A field with a value of the wrong type is treated as absent. */
interface ParsedOverlayAction {
  readonly target: string;
  readonly description: string | undefined;
  readonly remove: boolean;
  readonly update: Json | undefined;
  readonly copy: string | undefined;
  readonly evidence: Json | undefined;
}

/**
 * Checks that a value is an overlay. Its actions are not compared with a document.
 *
 * @throws {ConfigurationError} when the value is not an overlay
 */
export function checkOverlay(overlay: unknown): void {
  parseOverlayActions(overlay);
}

/** @throws {ConfigurationError} when the value is not an overlay */
function parseOverlayActions(overlay: unknown): readonly ParsedOverlayAction[] {
  if (!isJsonObject(overlay)) throw overlayError('is not a JSON object');
  const { actions, overlay: version } = overlay;
  if (typeof version !== 'string' || !/^1\.\d+/.test(version)) {
    const stated = JSON.stringify(version) ?? 'nothing';
    throw overlayError(`has "overlay": ${stated}; versions 1.0 and 1.1 are supported`);
  }
  if (!Array.isArray(actions)) throw overlayError('has no list of "actions"');
  return actions.map((action: Json, index) => {
    const { copy, description, remove, target, update } = toJsonObject(action);
    if (typeof target !== 'string') throw overlayError(`has no "target" in /actions/${index}`);
    return {
      target,
      description: typeof description === 'string' ? description : undefined,
      remove: remove === true,
      update,
      copy: typeof copy === 'string' ? copy : undefined,
      evidence: extensionOf(toJsonObject(action), 'evidence'),
    };
  });
}

function overlayError(found: string): ConfigurationError {
  return new ConfigurationError(`The overlay ${found}.`);
}

/**
 * The result of an update; `undefined` if it does not fit its target: the Overlay Specification has no rule for it.
 */
type Updated = Json | undefined;

/** Returns a copy with one location changed. The original stays unchanged, because documents share parts. */
function updateValueAt(
  root: Json,
  [token, ...below]: JsonLocation,
  change: (value: Json) => Updated,
): Updated {
  if (token === undefined) return change(root);
  if (Array.isArray(root)) {
    const list: readonly Json[] = root;
    const next = updateValueAt(list[Number(token)] ?? null, below, change);
    return next === undefined ? undefined : list.with(Number(token), next);
  }
  if (!isJsonObject(root)) return undefined;
  const name = String(token);
  const next = updateValueAt(root[name] ?? null, below, change);
  if (next === undefined) return undefined;
  return mapMembers(root, (memberName, value) => (memberName === name ? next : value));
}

/** Returns a copy without one member or item. */
function removeValueAt(root: Json, location: JsonLocation): Json {
  const last = location.at(-1);
  const next = updateValueAt(root, location.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_: Json, index) => index !== last);
    return Object.fromEntries(jsonMembers(parent).filter(([name]) => name !== last));
  });
  return next ?? root;
}

/** Applies an update to the selected value. A list accepts a list or a single item. */
function mergeUpdate(target: Json, update: Json): Updated {
  return Array.isArray(target) && !Array.isArray(update) ? [...target, update] : merge(target, update);
}

/** Overlay Specification 1.1, Action Object: values replace values, lists are concatenated, objects are merged. */
function merge(target: Json, update: Json): Updated {
  if (Array.isArray(target)) return Array.isArray(update) ? [...target, ...update] : undefined;
  if (!isJsonObject(target)) return typeof update === 'object' && update !== null ? undefined : update;
  if (!isJsonObject(update)) return undefined;
  const members = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(update)) {
    const current = members.get(name);
    const next = current === undefined ? value : merge(current, value);
    if (next === undefined) return undefined;
    members.set(name, next);
  }
  return Object.fromEntries(members);
}
