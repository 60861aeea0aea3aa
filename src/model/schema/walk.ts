import type { Diagnostic } from '../../diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import { type Draft, draftOf, originOf, type Rule } from './draft.ts';
import { resolve } from './references.ts';
import { CLOSING_RULES, OPENING_RULES } from './rules/index.ts';
import { SHAPE_RULES, type ShapeRule } from './rules/shapes.ts';
import { byPlace, VOCABULARY } from './vocabulary.ts';

/** A diagnostic whose pointer is relative to the schema that was normalised, and whose route is not yet known. */
export type Finding = Omit<Diagnostic, 'route'>;

export interface Normalised {
  readonly schema: JsonObject;
  readonly findings: readonly Finding[];
}

/** How deep schemas may nest, and how many may stand in one: what lies beyond is left open and reported. */
const MAX_DEPTH = 64;
const MAX_SCHEMAS = 10_000;

/** What one walk over one schema knows. */
interface Walk {
  readonly root: JsonObject;
  readonly findings: Finding[];
  schemas: number;
}

/** Where the walk stands. */
interface Place {
  /** JSON pointer relative to the root schema, at the site. */
  readonly pointer: string;
  readonly depth: number;
  /** The type of the schema whose `oneOf` or `anyOf` this is a member of. */
  readonly inherited?: Json;
  /** Pointers of the references that led here, against those that lead in a circle. */
  readonly followed: readonly string[];
}

export function normalise(raw: Json): Normalised {
  const walk: Walk = { root: isJsonObject(raw) ? raw : {}, findings: [], schemas: 0 };
  const schema = visit(raw, { pointer: '', depth: 0, followed: [] }, walk);
  return { schema, findings: walk.findings };
}

function visit(raw: Json, place: Place, walk: Walk): JsonObject {
  walk.schemas += 1;
  const bound =
    place.depth >= MAX_DEPTH ? 'depth-bound' : walk.schemas > MAX_SCHEMAS ? 'size-bound' : undefined;
  if (bound !== undefined) {
    if (isOpen(raw)) return {};
    // One finding tells that the schema is too large; one for each of what is left would be as large again.
    if (walk.schemas <= MAX_SCHEMAS + 1) walk.findings.push(beyond(bound, place.pointer));
    return {};
  }
  const shaped = shape(raw, place, walk);
  const reference = shaped['$ref'];
  if (Object.hasOwn(shaped, '$ref') && reference !== undefined) return follow(reference, shaped, place, walk);
  const draft = draftOf(shaped);
  if (place.inherited !== undefined && !draft.keywords.has('type')) inherit(draft, place, walk);
  run(OPENING_RULES, draft, place, walk);
  descend(draft, place, walk);
  run(CLOSING_RULES, draft, place, walk);
  return Object.fromEntries([...draft.keywords].sort(([a], [b]) => byPlace(a, b)));
}

function beyond(rule: string, pointer: string): Finding {
  const message =
    rule === 'depth-bound'
      ? `The schema nests deeper than ${MAX_DEPTH} levels.`
      : `The schema holds more than ${MAX_SCHEMAS} schemas.`;
  return { rule, severity: 'warning', pointer, message, action: 'What lies beyond is left open.' };
}

function isOpen(raw: Json): boolean {
  return isJsonObject(raw) && Object.keys(raw).length === 0;
}

/** Anything that stands where a schema is expected, as an object. */
function shape(raw: Json, place: Place, walk: Walk): JsonObject {
  if (isJsonObject(raw)) return raw;
  const rule = SHAPE_RULES.find((its: ShapeRule) => its.fits(raw));
  if (rule === undefined) return {};
  const { name, severity, message, action } = rule;
  if (!rule.silent) walk.findings.push({ rule: name, severity, pointer: place.pointer, message, action });
  return rule.schema(raw);
}

function inherit(draft: Draft, place: Place, walk: Walk): void {
  draft.keywords.set('type', place.inherited ?? null);
  walk.findings.push({
    rule: 'member-type',
    severity: 'info',
    pointer: place.pointer,
    message: 'A member of "oneOf" or "anyOf" has no type.',
    action: 'It inherits the type around it, as at the site.',
  });
}

function run(rules: readonly Rule[], draft: Draft, place: Place, walk: Walk): void {
  for (const { name, severity, on, apply } of rules) {
    if (on.length > 0 && !on.some((keyword) => draft.keywords.has(keyword))) continue;
    apply(draft, (where, message, action) => {
      walk.findings.push({ rule: name, severity, pointer: place.pointer + where, message, action });
    });
  }
}

/** Normalises what the schema holds, each under the pointer where it stood at the site. */
function descend(draft: Draft, place: Place, walk: Walk): void {
  const type = draft.keywords.get('type');
  for (const [keyword, value] of draft.keywords) {
    const kind = VOCABULARY.get(keyword);
    const at = (token: string): Place => {
      const member = keyword === 'oneOf' || keyword === 'anyOf';
      return {
        pointer: place.pointer + originOf(draft, keyword) + token,
        depth: place.depth + 1,
        followed: place.followed,
        ...(member && type !== undefined ? { inherited: type } : {}),
      };
    };
    if (kind === 'schema' && !(keyword === 'additionalProperties' && typeof value === 'boolean')) {
      draft.keywords.set(keyword, visit(value, at(''), walk));
    } else if (kind === 'schemas' && Array.isArray(value)) {
      const members: readonly Json[] = value;
      draft.keywords.set(
        keyword,
        members.map((member, index) => visit(member, at(pointerToken(index)), walk)),
      );
    } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
      const members = Object.entries(value);
      draft.keywords.set(
        keyword,
        Object.fromEntries(
          members.map(([name, member]) => [name, visit(member, at(pointerToken(name)), walk)]),
        ),
      );
    }
  }
}

/** Puts what a reference within the schema leads to in its place; a document of ours has no such place to refer to. */
function follow(reference: Json, shaped: JsonObject, place: Place, walk: Walk): JsonObject {
  const { $ref: _, ...beside } = Object.fromEntries(Object.entries(shaped));
  const target = typeof reference === 'string' ? resolve(walk.root, reference) : undefined;
  const circular = target !== undefined && place.followed.includes(target.pointer);
  const taken = target !== undefined && !circular;
  walk.findings.push({
    rule: taken ? 'reference-local' : 'reference-not-usable',
    severity: taken ? 'info' : 'warning',
    pointer: `${place.pointer}/$ref`,
    message: circular ? 'The reference leads in a circle.' : 'The schema refers to another.',
    action: taken ? 'That schema is put here.' : 'Dropped: it is left open, and nothing was fetched.',
  });
  if (!taken) return visit(beside, place, walk);
  const pointer = target.pointer;
  return visit(
    target.schema,
    { ...place, pointer, depth: place.depth + 1, followed: [...place.followed, pointer] },
    walk,
  );
}
