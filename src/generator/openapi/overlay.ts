import type { OpenAPIV3_1 } from 'openapi-types';
import type { Diagnostic } from '../../base/diagnostics.ts';
import { extensionOf } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  toJsonObject,
} from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ExtendedOperation } from '../../base/option-types.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import type { JsonLocation } from './document-references.ts';
import { toExtensionOverlay } from './extend.ts';
import { addOverlayToReport, type GenerationReport, type OverlayChange } from './generation-report.ts';
import { createPlaces, evaluateJsonPath, type Places, placeAt } from './json-path.ts';
import type { OpenApiDocument } from './objects.ts';
import SKIP_REASONS from './skip-reasons.json' with { type: 'json' };

export interface OverlayResult {
  readonly document: OpenApiDocument;
  readonly changes: readonly OverlayChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies an overlay (OpenAPI Overlay Specification 1.0, and 1.1 but `copy`) to a copy of a document. An
 * action that selects nothing or doesn't fit is skipped with a diagnostic.
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
export function applyOverlay(document: OpenAPIV3_1.Document | JsonObject, overlay: unknown): OverlayResult {
  return runSteps(applyOverlayInSteps(toJsonObject(document), overlay));
}

function* applyOverlayInSteps(document: JsonObject, overlay: unknown): Steps<OverlayResult> {
  let content = document;
  const changes: OverlayChange[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, action] of parseOverlayActions(overlay).entries()) {
    try {
      const locations = yield* selectLocations(content, action.target);
      content = applyAction(content, action, locations);
      changes.push(describeChange(action, locations.length));
    } catch (error) {
      if (!(error instanceof SkippedAction)) throw error;
      diagnostics.push(describeSkipped(error, index, action));
    }
    yield;
  }
  if (!isDocument(content))
    throw new ConfigurationError('The overlay turns the document into something that is not OpenAPI.');
  return { document: content, changes, diagnostics };
}

type Generation = { readonly document: OpenApiDocument; readonly report: GenerationReport };

/** Applies the overlay and `extend` of the configuration to a generated document and its report. */
export function* applyOverlayToGeneration(
  generation: Generation,
  overlay: unknown,
  extend: Readonly<Record<string, ExtendedOperation>> = {},
): Steps<Generation> {
  const { document, report } = overlay === undefined ? generation : yield* applyOne(generation, overlay);
  if (Object.keys(extend).length === 0) return { document, report };
  const { diagnostics, overlay: extension } = toExtensionOverlay(document, extend);
  return yield* applyOne({ document, report }, extension, diagnostics);
}

function* applyOne(
  { document, report }: Generation,
  overlay: unknown,
  diagnostics: readonly Diagnostic[] = [],
): Steps<Generation> {
  const result = yield* applyOverlayInSteps(document, overlay);
  return {
    document: result.document,
    report: addOverlayToReport(report, overlay, result.changes, [...diagnostics, ...result.diagnostics]),
  };
}

class SkippedAction extends Error {
  readonly kind: keyof typeof SKIP_REASONS;

  constructor(kind: keyof typeof SKIP_REASONS, detail?: string) {
    super(detail);
    this.kind = kind;
  }
}

function describeSkipped(skipped: SkippedAction, index: number, { target }: ParsedOverlayAction): Diagnostic {
  const { action, message, rule } = SKIP_REASONS[skipped.kind];
  const detail = skipped.message === '' ? '' : ` ${skipped.message}.`;
  return {
    rule,
    severity: 'warning',
    pointer: '',
    message: `Action ${index + 1} of the overlay (${target}) ${message}${detail}`,
    action,
  };
}

function* selectLocations(document: JsonObject, query: string): Steps<readonly JsonLocation[]> {
  const selection = yield* evaluateJsonPath(document, query);
  if (!selection.ok) throw new SkippedAction('unreadable', selection.reason);
  if (selection.locations.length === 0) throw new SkippedAction('gone');
  return selection.locations;
}

function applyAction(
  document: JsonObject,
  { remove, update }: ParsedOverlayAction,
  locations: readonly JsonLocation[],
): JsonObject {
  if (update === undefined && !remove) throw new SkippedAction('incompatible');
  const places = createPlaces();
  for (const location of locations) placeAt(places, location).isSelected = true;
  const content = changePlaces(document, places, (value) => {
    if (remove || update === undefined) return undefined;
    // A list accepts a list or a single item.
    return Array.isArray(value) && !Array.isArray(update) ? [...value, update] : merge(value, update);
  });
  if (!isJsonObject(content)) throw new SkippedAction('incompatible');
  return content;
}

function describeChange(action: ParsedOverlayAction, places: number): OverlayChange {
  const { description, evidence, remove, target } = action;
  const change: OverlayChange['change'] = remove ? 'remove' : 'update';
  return omitUndefined({ target, description, change, places, evidence });
}

export function isDocument(content: JsonObject): content is OpenApiDocument {
  return (
    typeof content['openapi'] === 'string' && isJsonObject(content['info']) && isJsonObject(content['paths'])
  );
}

interface ParsedOverlayAction {
  readonly target: string;
  readonly description: string | undefined;
  readonly remove: boolean;
  readonly update: Json | undefined;
  readonly evidence: Json | undefined;
}

export function parseOverlayActions(overlay: unknown): readonly ParsedOverlayAction[] {
  if (!isJsonObject(overlay)) throw overlayError('is not a JSON object');
  const { actions, overlay: version } = overlay;
  if (typeof version !== 'string' || !/^1\.\d+/.test(version)) {
    const declared = JSON.stringify(version) ?? 'nothing';
    throw overlayError(`has "overlay": ${declared}; versions 1.0 and 1.1 are supported`);
  }
  if (!Array.isArray(actions)) throw overlayError('has no list of "actions"');
  return actions.map((action: Json, index) => {
    const { description, remove, target, update } = toJsonObject(action);
    if (typeof target !== 'string') throw overlayError(`has no "target" in /actions/${index}`);
    return {
      target,
      description: typeof description === 'string' ? description : undefined,
      remove: remove === true,
      update,
      evidence: extensionOf(toJsonObject(action), 'evidence'),
    };
  });
}

function overlayError(found: string): ConfigurationError {
  return new ConfigurationError(`The overlay ${found}.`);
}

/** Changes each place before those below it, in a copy. @param change removes a place by `undefined` */
function changePlaces(
  value: Json,
  { below, isSelected }: Places,
  change: (value: Json) => Json | undefined,
): Json | undefined {
  const changed = isSelected ? change(value) : value;
  const changeBelow = (member: Json, token: string | number): Json | undefined => {
    const places = below.get(token);
    return places === undefined ? member : changePlaces(member, places, change);
  };
  if (below.size === 0 || changed === undefined) return changed;
  if (isJsonObject(changed)) return changeMembers(changed, changeBelow);
  return jsonItems(changed)
    .map(changeBelow)
    .filter((item) => item !== undefined);
}

/** Overlay 1.1, Action Object: lists are concatenated, objects merged, other values replaced. */
function merge(target: Json, update: Json): Json {
  if (Array.isArray(target) && Array.isArray(update)) return [...target, ...update];
  if (isJsonObject(target) && isJsonObject(update)) {
    const members = new Map(Object.entries(target));
    for (const [name, value] of Object.entries(update)) {
      const current = members.get(name);
      members.set(name, current === undefined ? value : merge(current, value));
    }
    return Object.fromEntries(members);
  }
  const isValue = [target, update].every((value) => typeof value !== 'object' || value === null);
  if (isValue) return update;
  throw new SkippedAction('incompatible');
}
