import type { Json, JsonObject } from '../json.ts';
import { code, harmless, prose } from './comment.ts';
import type { Direction } from './directions.ts';

/** A fact that takes more room than this is left to the document. */
const longestFact = 160;

/** Facts that TypeScript cannot say: by the keywords that state them and the types that they count for. */
const facts: readonly {
  readonly keywords: readonly string[];
  readonly types?: readonly string[];
  readonly say: (schema: JsonObject) => string | undefined;
}[] = [
  {
    keywords: ['format'],
    say: ({ format }) => (short(format) && format !== 'binary' ? `Format: ${format}.` : undefined),
  },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    types: ['integer', 'number'],
    say: (schema) =>
      span(
        number(schema, 'minimum') ?? beyond('more', number(schema, 'exclusiveMinimum')),
        number(schema, 'maximum') ?? beyond('less', number(schema, 'exclusiveMaximum')),
      ),
  },
  {
    keywords: ['minLength', 'maxLength'],
    types: ['string'],
    say: (schema) =>
      span(number(schema, 'minLength') || undefined, number(schema, 'maxLength'), 'characters'),
  },
  {
    keywords: ['minItems', 'maxItems'],
    types: ['array'],
    say: (schema) => span(number(schema, 'minItems') || undefined, number(schema, 'maxItems'), 'items'),
  },
  {
    keywords: ['pattern'],
    types: ['string'],
    say: ({ pattern }) => (short(pattern) ? `Pattern: ${code(pattern)}.` : undefined),
  },
];

const factual: ReadonlySet<string> = new Set(facts.flatMap(({ keywords }) => keywords));

/**
 * What a person should read about a schema: its description, what its type leaves out, and its tags. Plain text with
 * line ends, made harmless for a comment; empty where there is nothing to say. That the site alone sets a property is
 * news only to who sends it.
 */
export function documentation(schema: JsonObject, direction: Direction): string {
  const description = prose(schema['description']);
  const said = factsOf(schema);
  const apart = description.includes('\n') || description.length + said.length > 100 ? '\n\n' : ' ';
  const text = description !== '' && said !== '' ? description + apart + said : description + said;
  const marks = tags(schema, direction);
  return marks.length === 0 ? text : [...(text === '' ? [] : [text]), ...marks].join('\n');
}

function factsOf(schema: JsonObject): string {
  if (!Object.keys(schema).some((keyword) => factual.has(keyword))) {
    return '';
  }
  const said: string[] = [];
  for (const { keywords, types, say } of facts) {
    const stated = keywords.some((keyword) => schema[keyword] !== undefined);
    const fact = stated && (types === undefined || isOfType(schema, types)) ? say(schema) : undefined;
    if (fact !== undefined) {
      said.push(fact);
    }
  }
  return harmless(said.join(' '));
}

function tags(schema: JsonObject, direction: Direction): string[] {
  const value = schema['default'] ?? schema['x-waygate-default'];
  const text = value === undefined || value === null || !isShallow(value) ? '' : JSON.stringify(value);
  return [
    ...(short(text) ? [`@default ${harmless(text)}`] : []),
    ...(schema['readOnly'] === true && direction === 'write' ? ['@readonly'] : []),
    ...(schema['deprecated'] === true ? ['@deprecated'] : []),
  ];
}

/** `JSON.stringify` has no bottom, and a comment no room. */
function isShallow(value: Json, depth = 5): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)))
  );
}

function short(text: Json | undefined): text is string {
  return typeof text === 'string' && text !== '' && text.length <= longestFact;
}

function isOfType({ type }: JsonObject, names: readonly string[]): boolean {
  return (Array.isArray(type) ? type : [type]).some((name) => names.includes(String(name)));
}

function number(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function beyond(word: 'more' | 'less', bound: number | undefined): string | undefined {
  return bound === undefined ? undefined : `${word} than ${bound}`;
}

function span(
  from: number | string | undefined,
  to: number | string | undefined,
  unit = '',
): string | undefined {
  const of = unit === '' ? '' : ` ${unit}`;
  const least = typeof from === 'number' ? `at least ${from}` : from;
  const most = typeof to === 'number' ? `at most ${to}` : to;
  if (typeof from === 'number' && typeof to === 'number') {
    return from === to ? `Exactly ${from}${of}.` : `${from} to ${to}${of}.`;
  }
  const said = [least, most].filter((part) => part !== undefined).join(', ');
  return said === '' ? undefined : `${said.charAt(0).toUpperCase()}${said.slice(1)}${of}.`;
}
