import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import {
  childPosition,
  describeValue,
  exceedsMaxDepth,
  type IndexPosition,
  isJsonArray,
  isObjectPrototypeMember,
  ownMember,
  readObject,
} from './index-values.ts';
import type { IndexArgument, IndexEndpoint } from './site.ts';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['methods', 'args', 'allow_batch']);

/**
 * Reads one endpoint. Returns `undefined` if the value is not an object.
 *
 * @param routeMethods The methods to use if the endpoint states none.
 */
export function readIndexEndpoint(
  value: Json,
  listIndex: number,
  position: IndexPosition,
  routeMethods: readonly string[],
  report: RuleReporter,
): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    report('endpoint-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!KNOWN_KEYS.has(key)) report('unknown-key', { ...childPosition(position, key) });
  }
  return {
    listIndex,
    methods: readEndpointMethods(value, position, routeMethods, report),
    args: readArguments(ownMember(value, 'args'), childPosition(position, 'args'), report),
    allowBatch: readAllowBatch(
      ownMember(value, 'allow_batch'),
      childPosition(position, 'allow_batch'),
      report,
    ),
  };
}

function readEndpointMethods(
  endpoint: JsonObject,
  position: IndexPosition,
  routeMethods: readonly string[],
  report: RuleReporter,
): readonly string[] {
  const methods = readMethods(ownMember(endpoint, 'methods'), childPosition(position, 'methods'), report);
  if (methods.length > 0) return methods;
  report('methods-missing', childPosition(position, 'methods'));
  return routeMethods;
}

/** Reads methods from a list, a string (WordPress has constants such as `'POST, PUT, PATCH'`) or an object. */
export function readMethods(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly string[] {
  const methods = new Set<string>();
  for (const stated of listMethods(value, position, report)) {
    const method = typeof stated === 'string' ? stated.trim() : '';
    const upper = method.toUpperCase();
    // RFC 9110 §9.1: a method is a token.
    if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(upper)) {
      report('method-not-a-token', { ...position, detail: `Value: ${describeValue(stated)}.` });
      continue;
    }
    if (upper !== method) report('method-case', { ...position, detail: `Value: "${method}".` });
    if (methods.has(upper)) report('method-duplicate', { ...position, detail: `Value: ${upper}.` });
    methods.add(upper);
  }
  return [...methods];
}

function listMethods(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonArray(value)) return value;
  if (typeof value === 'string') {
    report('methods-as-text', { ...position, detail: `Value: ${describeValue(value)}.` });
    return value.split(/[,|]/).filter((part) => part.trim() !== '');
  }
  if (!isJsonObject(value)) return [value];
  report('methods-as-object', position);
  // {"GET": true, "POST": false} is WordPress's internal form; {"0": "GET", "2": "POST"} is a list that lost a member.
  return Object.entries(value).flatMap(([name, isEnabled]) => {
    if (typeof isEnabled === 'string' && /^\d+$/.test(name)) return [isEnabled];
    return isEnabled === false || isEnabled === null ? [] : [name];
  });
}

function readArguments(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly IndexArgument[] {
  if (value === undefined) {
    report('args-missing', position);
    return [];
  }
  if (isJsonArray(value) && value.length > 0) {
    // WordPress treats `'args' => ['context']` as an argument named "0".
    report('args-as-list', position);
    return value.map((item, index) =>
      readArgument(String(index), item, childPosition(position, index), report),
    );
  }
  const args = readObject(value, position, report);
  if (args === undefined) {
    report('args-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
    return [];
  }
  return Object.entries(args).map(([name, item]) =>
    readArgument(name, item, childPosition(position, name), report),
  );
}

function readArgument(
  name: string,
  value: Json,
  position: IndexPosition,
  report: RuleReporter,
): IndexArgument {
  if (isObjectPrototypeMember(name)) report('reserved-name', { ...position, detail: `Value: "${name}".` });
  const declaration = readObject(value, position, report);
  if (declaration === undefined) {
    report('argument-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
    return { name, declaration: {} };
  }
  if (!exceedsMaxDepth(declaration)) return { name, declaration };
  report('too-deep', position);
  return { name, declaration: {} };
}

/** Reads `allow_batch`. WordPress checks `allow_batch['v1']`, which is false for every value but an object. */
function readAllowBatch(value: Json | undefined, position: IndexPosition, report: RuleReporter): boolean {
  if (isJsonObject(value)) return Boolean(ownMember(value, 'v1'));
  const absent =
    value === undefined || value === null || value === false || (isJsonArray(value) && !value.length);
  if (!absent) {
    report('allow-batch-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
  }
  return false;
}
