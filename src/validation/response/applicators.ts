import { isJsonObject, type Json, type JsonObject, pointerToken } from '../../json.ts';
import { typeOf } from './finding.ts';
import type { Check, SchemaNode, Schemas, Walk } from './node.ts';
import { preparePattern } from './pattern.ts';

/** What a check is made from: the keyword's value, the schema that it stands in, and where that is. */
export interface Stated {
  readonly stated: Json;
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly schemas: Schemas;
}

type Make<Value extends Json> = (from: Stated) => Check<Value> | null;

/** Members that the site puts beside a resource's own, whatever its schema says (HAL). */
export const BESIDE: ReadonlySet<string> = new Set(['_links', '_embedded']);

/** Keywords that hold a list's items against schemas. */
export const ARRAY_APPLICATORS: Readonly<Record<string, Make<readonly Json[]>>> = {
  prefixItems: ({ stated, pointer, schemas }) => {
    const nodes = listOf(stated).map((each, index) =>
      schemas.at(each, `${pointer}/prefixItems${pointerToken(index)}`),
    );
    return (value, walk) => {
      for (const [index, node] of nodes.entries()) {
        const item = value[index];
        if (item !== undefined) walk.below('*', node, item);
      }
    };
  },
  items: ({ stated, schema, pointer, schemas }) => {
    const node = schemas.at(stated, `${pointer}/items`);
    const from = listOf(schema['prefixItems'] ?? []).length;
    return (value, walk) => {
      for (let index = from; index < value.length; index += 1) walk.below('*', node, value[index] ?? null);
    };
  },
  contains: ({ stated, schema, pointer, schemas }) => {
    const node = schemas.at(stated, `${pointer}/contains`);
    const least = numberOr(schema['minContains'], 1);
    const most = numberOr(schema['maxContains'], Number.POSITIVE_INFINITY);
    return (value, walk) => {
      const count = value.filter((item) => fits(walk, node, item)).length;
      if (count < least || count > most) walk.found('other', 'contains', 'array', pointer);
    };
  },
};

/** Keywords that hold an object's members against schemas. */
export const OBJECT_APPLICATORS: Readonly<Record<string, Make<JsonObject>>> = {
  required: ({ stated, pointer }) => {
    const names = listOf(stated).map(String);
    return (value, walk) => {
      if (!walk.partial) missing(names, value, walk, { keyword: 'required', pointer });
    };
  },
  dependentRequired: ({ stated, pointer }) => {
    const dependencies = entriesOf(stated).map(([name, names]) => [name, listOf(names).map(String)] as const);
    return (value, walk) => {
      if (walk.partial) return;
      for (const [name, names] of dependencies) {
        if (Object.hasOwn(value, name))
          missing(names, value, walk, { keyword: 'dependentRequired', pointer });
      }
    };
  },
  properties: ({ stated, pointer, schemas }) => {
    const nodes = entriesOf(stated).map(
      ([name, each]) => [name, schemas.at(each, `${pointer}/properties${pointerToken(name)}`)] as const,
    );
    return (value, walk) => {
      walk.spend(nodes.length >> 2);
      for (const [name, node] of nodes) {
        if (Object.hasOwn(value, name)) walk.below(name, node, value[name] ?? null);
      }
    };
  },
  patternProperties: ({ stated, schema, pointer, schemas }) => {
    const nodes = entriesOf(stated).map(([source, each]) => ({
      matches: preparePattern(sitesPattern(schema, source)),
      node: schemas.at(each, `${pointer}/patternProperties${pointerToken(source)}`),
    }));
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        for (const { matches, node } of nodes)
          if (matches?.(name, walk) === true) walk.below('*', node, member);
      }
    };
  },
  additionalProperties: ({ stated, schema, pointer, schemas }) => {
    const named = new Set(entriesOf(schema['properties']).map(([name]) => name));
    const patterns = entriesOf(schema['patternProperties']).map(([source]) =>
      preparePattern(sitesPattern(schema, source)),
    );
    const node = schemas.at(stated, `${pointer}/additionalProperties`);
    return (value, walk) => {
      for (const [name, member] of Object.entries(value)) {
        // Where a pattern cannot be run, it may be what claims the name.
        if (named.has(name) || patterns.some((each) => each === null || each(name, walk))) continue;
        if (stated !== false) walk.below('*', node, member);
        else if (!BESIDE.has(name)) {
          walk.found('forbidden', 'additionalProperties', typeOf(member), pointer, shownName(name));
        }
      }
    };
  },
  propertyNames: ({ stated, pointer, schemas }) => {
    const node = schemas.at(stated, `${pointer}/propertyNames`);
    return (value, walk) => {
      const isWrong = Object.keys(value).some((name) => !BESIDE.has(name) && !fits(walk, node, name));
      if (isWrong) walk.found('other', 'propertyNames', 'object', pointer);
    };
  },
  dependentSchemas: ({ stated, pointer, schemas }) => {
    const nodes = entriesOf(stated).map(
      ([name, each]) => [name, schemas.at(each, `${pointer}/dependentSchemas${pointerToken(name)}`)] as const,
    );
    return (value, walk) => {
      for (const [name, node] of nodes) if (Object.hasOwn(value, name)) walk.same(node, value);
    };
  },
};

/** `false` allows nothing; what is not a number bounds nothing. */
function numberOr(stated: Json | undefined, otherwise: number): number {
  return typeof stated === 'number' ? stated : otherwise;
}

export function fits(walk: Walk, node: SchemaNode, value: Json): boolean {
  const { wrong, tolerated } = walk.attempt(node, value);
  return wrong === 0 && tolerated === 0;
}

function missing(
  names: readonly string[],
  value: JsonObject,
  walk: Walk,
  { keyword, pointer }: { readonly keyword: string; readonly pointer: string },
): void {
  for (const name of names) {
    if (!Object.hasOwn(value, name)) walk.found('missing', keyword, 'nothing', pointer, name);
  }
}

/** The names of a schema are the document's; others come from a body, and only what could be one's name is shown. */
export function shownName(name: string): string {
  return /^[A-Za-z_][\w.:-]{0,63}$/.test(name) ? name : '*';
}

/** The keys of `patternProperties` are translations where the site's own stand aside. */
function sitesPattern(schema: JsonObject, source: string): Json {
  const own = schema['x-waygate-pattern-properties'];
  return isJsonObject(own) && Object.hasOwn(own, source) ? (own[source] ?? source) : source;
}

export function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
