import { type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { choicesOf, flattenSchema, typesOf } from '../openapi/schema-view.ts';
import { type AgentSite, createHints, type Tool } from './agent-site.ts';
import type { ListedOperation } from './catalog.ts';
import { readArguments } from './describe-operation.ts';
import { explainRefusedWrite, isDestructive, isWrite } from './write-policy.ts';

const MAX_TOOLS = 40;
/** A site with so few operations has a tool for each. */
const FEW_OPERATIONS = 30;
/** Names of tools that clients accept. */
const NAME = /^[\w-]{1,64}$/;
/** Schemas in the input of a tool. Others are left open: a hostile document has millions. */
const MAX_SCHEMAS = 300;

/** Lists the operations that are tools of their own, except writes that are refused anyway. */
export function listNamedOperations({ catalog, tools, writes }: AgentSite): readonly ListedOperation[] {
  const isSmall = tools.length === 0 && catalog.operations.length <= FEW_OPERATIONS;
  const named = isSmall ? catalog.operations : tools.flatMap((id) => catalog.find(id) ?? []);
  return named
    .filter(({ id, operation }) => NAME.test(id) && explainRefusedWrite(operation, id, writes) === undefined)
    .slice(0, MAX_TOOLS);
}

/** Describes an operation as a tool, without a text of the site: names, types and plain values are all that it contains of it. */
export function createNamedTool({ id, operation }: ListedOperation, document: JsonObject): Tool {
  const { method, path } = operation;
  const declared = readArguments(operation).map(
    ([name, schema]) => [name, toPlainSchema(schema, document)] as const,
  );
  const required = declared.flatMap(([name, schema]) =>
    jsonItems(schema['required']).length > 0 ? [name] : [],
  );
  const properties = {
    ...Object.fromEntries(declared),
    fields: { type: 'array', items: { type: 'string' } },
  };
  return {
    name: id,
    description: `${method}${/^[\w/{}.-]{1,200}$/.test(path) ? ` ${path}` : ''}, as call_operation would call it.`,
    inputSchema: { type: 'object', properties, required },
    annotations: createHints(
      !isWrite(operation),
      isDestructive(operation),
      !isWrite(operation) || method === 'PUT' || method === 'DELETE',
    ),
  };
}

/** A schema without references and texts, open to all that the site can accept. */
function toPlainSchema(declared: Json, document: JsonObject, budget = { left: MAX_SCHEMAS }): JsonObject {
  budget.left -= 1;
  const { schema } = flattenSchema(declared, document);
  if (budget.left < 0 || choicesOf(schema).length > 0) return {};
  const types = typesOf(schema);
  const values = jsonItems(schema['enum']).filter(
    (value) => typeof value !== 'string' || /^[\w./:+-]{0,60}$/.test(value),
  );
  const members = jsonMembers(schema['properties']).filter(
    ([name, member]) => /^[\w.-]{1,80}$/.test(name) && memberAt(member, 'readOnly') !== true,
  );
  const names = new Set<Json>(members.map(([name]) => name));
  const required = jsonItems(schema['required']).filter((name) => names.has(name));
  const plain = (value: Json): JsonObject => toPlainSchema(value, document, budget);
  return {
    ...(types.length === 0 ? {} : { type: [...types] }),
    ...(values.length > 0 && values.length === jsonItems(schema['enum']).length ? { enum: values } : {}),
    ...(members.length === 0
      ? {}
      : { properties: Object.fromEntries(members.map(([name, value]) => [name, plain(value)])) }),
    ...(schema['items'] === undefined ? {} : { items: plain(schema['items']) }),
    ...(required.length === 0 ? {} : { required }),
  };
}
