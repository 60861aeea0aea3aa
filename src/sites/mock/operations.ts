import { pluralize } from 'inflection';
import { getErrorCodes } from '../../base/document-extensions.ts';
import { isJsonObject, type JsonObject, jsonMembers } from '../../base/json.ts';
import { removeParameterNames } from '../../generator/model/site.ts';
import { dereference, formOf, referenceOf } from '../../generator/openapi/document-objects.ts';
import type { Operation, ServedApi } from '../../generator/openapi/index.ts';

type ResponseForm = 'list' | 'map' | 'value';

export interface MockOperation {
  readonly served: Operation;
  readonly status: number;
  readonly form: ResponseForm;
  readonly schema: JsonObject | undefined;
  readonly errorCodes: readonly string[];
}

export class MockOperations {
  private readonly document: JsonObject;
  private readonly lists: ReadonlyMap<string, MockOperation>;
  private readonly items: ReadonlyMap<string, MockOperation>;
  private readonly targets: ReadonlyMap<string, MockOperation>;

  constructor(document: JsonObject, api: ServedApi) {
    this.document = document;
    const reads = api.routes.flatMap(({ operations }) => operations.get('GET') ?? []);
    const described = reads.map((read) => this.describe(read));
    const byTemplate = (isItem: boolean): [string, MockOperation][] =>
      described
        .filter(({ form }) => (form === 'value') === isItem)
        .map((operation) => [removeParameterNames(operation.served.path), operation]);
    this.lists = new Map(byTemplate(false));
    this.items = new Map(byTemplate(true));
    this.targets = nameTargets(byTemplate(false).map(([, list]) => list));
  }

  /** The list with the item that an action changes: `PUT /tasks/{id}/move` returns the task. */
  itemActedOn({
    schema,
    served: { method, path },
  }: MockOperation): { readonly list: MockOperation; readonly parameter: string } | undefined {
    const [, template = '', parameter = ''] = /^(.*)\/\{([^{}]+)\}\/[^{}/]+$/.exec(path) ?? [];
    const list = this.listAt(template);
    const isItem = schema !== undefined && referenceOf(list?.schema) === referenceOf(schema);
    return /^(?:POST|PUT|PATCH)$/.test(method) && list && isItem ? { list, parameter } : undefined;
  }

  describe(served: Operation): MockOperation {
    const { shared: operation } = served;
    const statuses = jsonMembers(operation['responses']).map(([status]) => Number(status));
    const successes = statuses.filter((status) => status >= 200 && status < 300);
    // A creation has 201 in WordPress, even if the document lists 200 first.
    const isCreated = served.method === 'POST' && successes.includes(201);
    const status = isCreated ? 201 : (successes[0] ?? 200);
    const form = readForm(this.document, served.responseSchema);
    return { served, status, ...form, errorCodes: getErrorCodes(operation) };
  }

  listAt(template: string): MockOperation | undefined {
    return this.lists.get(removeParameterNames(template));
  }

  itemOf({ served }: MockOperation): MockOperation | undefined {
    return this.items.get(`${removeParameterNames(served.path)}/{}`);
  }

  /** The list that a property refers to: `author` → users, `categories` → categories, `board_id` → boards. */
  targetOf(property: string): MockOperation | undefined {
    const name = property
      .replace(/^.*:/, '')
      .replace(/_ids?$/, '')
      .toLowerCase();
    const [, target = name] = ALIASES.find(([alias]) => alias.test(name)) ?? [];
    return this.targets.get(target) ?? this.targets.get(pluralize(target));
  }
}

function readForm(
  document: JsonObject,
  schema: JsonObject | undefined,
): { readonly form: ResponseForm; readonly schema: JsonObject | undefined } {
  if (schema === undefined) return { form: 'value', schema };
  const { form, item } = formOf(schema);
  if (form === 'one' || !isJsonObject(item) || !isItem(document, item)) return { form: 'value', schema };
  return { form, schema: item };
}

function isItem(document: JsonObject, schema: JsonObject): boolean {
  const target = dereference(schema, document);
  return target !== undefined && (isJsonObject(target['properties']) || target !== schema);
}

const ALIASES: readonly (readonly [alias: RegExp, list: string])[] = [
  [/^(?:author|assignee|creator|created_by|owner|member)$/, 'users'],
  [/^customer$/, 'customers'],
  [/^(?:featured_?media|attachment|media)$/, 'media'],
];

function nameTargets(lists: readonly MockOperation[]): ReadonlyMap<string, MockOperation> {
  const byName = new Map<string, MockOperation>();
  for (const list of lists.filter(({ served }) => !served.path.includes('{'))) {
    for (const name of namesOf(list)) if (!byName.has(name)) byName.set(name, list);
  }
  return byName;
}

/** Last word of the path, and plural of the component's: `/v2/projects` of `Board`. */
function namesOf({ served, schema }: MockOperation): readonly string[] {
  const segment = served.path.slice(served.path.lastIndexOf('/') + 1).toLowerCase();
  const word = /[A-Z][a-z]+$/.exec(referenceOf(schema) ?? '')?.[0].toLowerCase();
  return word === undefined ? [segment] : [segment, pluralize(word)];
}
