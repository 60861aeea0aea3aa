import type { Diagnostic } from '../../diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import { type Draft, draftOf, type Found, originOf, type Rule } from './draft.ts';
import { createTranslator, type Translate } from './patterns.ts';
import { resolve } from './references.ts';
import { CLOSING_RULES, OPENING_RULES } from './rules/index.ts';
import { SHAPE_RULES } from './rules/shapes.ts';
import * as structure from './rules/structure.ts';
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
  readonly translate: Translate;
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

/** Carries out all rules on a schema and on those within it, from the outside in and back. Never throws. */
export function normalise(raw: Json, translate: Translate = createTranslator()): Normalised {
  const walk: Walk = { root: isJsonObject(raw) ? raw : {}, findings: [], translate, schemas: 0 };
  const schema = visit(raw, { pointer: '', depth: 0, followed: [] }, walk);
  return { schema, findings: walk.findings };
}

function visit(raw: Json, place: Place, walk: Walk): JsonObject {
  walk.schemas += 1;
  if (place.depth >= MAX_DEPTH || walk.schemas > MAX_SCHEMAS) return beyond(raw, place, walk);
  const shaped = shape(raw, place, walk);
  if (Object.hasOwn(shaped, '$ref')) return follow(shaped, place, walk);
  const draft = draftOf(shaped, place.inherited, walk.translate);
  run(OPENING_RULES, draft, place, walk);
  descend(draft, place, walk);
  run(CLOSING_RULES, draft, place, walk);
  return written(draft);
}

/** In the vocabulary's order; no keyword is left by now that is not of it, such as `__proto__`. */
function written({ keywords }: Draft): JsonObject {
  const schema: { [keyword: string]: Json } = {};
  for (const keyword of [...keywords.keys()].sort(byPlace)) schema[keyword] = keywords.get(keyword) ?? null;
  return schema;
}

function tell(
  walk: Walk,
  { name, severity }: structure.StructureRule,
  pointer: string,
  message: string,
  action: string,
): void {
  walk.findings.push({ rule: name, severity, pointer, message, action });
}

/** What is too deep or too much is left open. */
function beyond(raw: Json, place: Place, walk: Walk): JsonObject {
  const open = isJsonObject(raw) && Object.keys(raw).length === 0;
  if (!open && place.depth >= MAX_DEPTH) {
    tell(
      walk,
      structure.DEPTH_BOUND,
      place.pointer,
      'The schema nests too deeply.',
      'Left open from here on.',
    );
  } else if (walk.schemas === MAX_SCHEMAS + 1) {
    // Told once: one finding for each of what is left would be as much again.
    tell(
      walk,
      structure.SIZE_BOUND,
      place.pointer,
      'The schema holds too many.',
      'Those from here on are open.',
    );
  }
  return {};
}

/** Anything that stands where a schema is expected, as an object. */
function shape(raw: Json, place: Place, walk: Walk): JsonObject {
  if (isJsonObject(raw)) return raw;
  const rule = SHAPE_RULES.find((its) => its.fits(raw));
  if (rule === undefined) return {};
  if (!rule.silent) tell(walk, rule, place.pointer, rule.message, rule.action);
  return rule.schema(raw);
}

function run(rules: readonly Rule[], draft: Draft, place: Place, walk: Walk): void {
  let at: Rule | undefined;
  const found: Found = (where, message, action) => {
    if (at === undefined) return;
    const { name: rule, severity } = at;
    walk.findings.push({ rule, severity, pointer: place.pointer + where, message, action });
  };
  for (const rule of rules) {
    if (!hasWork(rule.on, draft)) continue;
    at = rule;
    rule.apply(draft, found);
  }
}

/** Asked fifty times of each schema: hence no closure. */
function hasWork(on: Rule['on'], { keywords }: Draft): boolean {
  if (on.length === 0) return true;
  for (const keyword of on) if (keywords.has(keyword)) return true;
  return false;
}

/** Normalises what the schema holds, each under the pointer where it stood at the site. */
function descend(draft: Draft, place: Place, walk: Walk): void {
  // A type that is ours is none that the site's members inherit.
  const type = draft.keywords.has('x-waygate-type') ? undefined : draft.keywords.get('type');
  for (const [keyword, value] of draft.keywords) {
    const kind = VOCABULARY.get(keyword);
    if (kind !== 'schema' && kind !== 'schemas' && kind !== 'schemas-by-name') continue;
    const inherits = type !== undefined && (keyword === 'oneOf' || keyword === 'anyOf');
    const below: Omit<Place, 'pointer'> = {
      depth: place.depth + 1,
      followed: place.followed,
      ...(inherits ? { inherited: type } : {}),
    };
    const pointer = place.pointer + originOf(draft, keyword);
    const member = (token: string | number, its: Json): JsonObject =>
      visit(its, { ...below, pointer: pointer + pointerToken(token) }, walk);
    if (kind === 'schema') {
      if (keyword === 'additionalProperties' && typeof value === 'boolean') continue;
      draft.keywords.set(keyword, visit(value, { ...below, pointer }, walk));
    } else if (kind === 'schemas' && Array.isArray(value)) {
      const members: readonly Json[] = value;
      draft.keywords.set(
        keyword,
        members.map((its, at) => member(at, its)),
      );
    } else if (kind === 'schemas-by-name' && isJsonObject(value)) {
      const members = Object.entries(value).map(([name, its]) => [name, member(name, its)]);
      draft.keywords.set(keyword, Object.fromEntries(members));
    }
    if (keyword === 'not' && isOpen(draft.keywords.get('not')) && !isOpen(value)) {
      draft.keywords.delete('not');
      tell(walk, structure.NEGATION_OPEN, pointer, 'Nothing is left of what is not allowed.', 'Dropped.');
    }
  }
}

function isOpen(schema: Json | undefined): boolean {
  return isJsonObject(schema) && Object.keys(schema).length === 0;
}

/** Puts what a reference within the schema leads to in its place: in a document it would lead elsewhere. */
function follow(shaped: JsonObject, place: Place, walk: Walk): JsonObject {
  const { $ref: reference, ...beside } = shaped;
  const target = typeof reference === 'string' ? resolve(walk.root, reference) : undefined;
  const pointer = `${place.pointer}/$ref`;
  if (target === undefined || place.followed.includes(target.pointer)) {
    const message =
      target === undefined ? 'The reference leads nowhere within.' : 'The reference leads in a circle.';
    tell(walk, structure.REFERENCE_NOT_USABLE, pointer, message, 'Dropped; nothing was fetched.');
    return visit(beside, place, walk);
  }
  tell(
    walk,
    structure.REFERENCE_LOCAL,
    pointer,
    'The schema is a reference.',
    'What it refers to is put here.',
  );
  const followed = [...place.followed, target.pointer];
  return visit(target.schema, { ...place, pointer: target.pointer, followed }, walk);
}
