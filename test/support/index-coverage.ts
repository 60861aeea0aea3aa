/** What a document lacks of a root index: `METHOD pattern` of operations, `METHOD pattern argument` of arguments. */
export interface IndexCoverage {
  readonly missing: readonly string[];
  /** `METHOD pattern` of endpoints that are unreachable because an earlier endpoint of their route has the method. */
  readonly shadowed: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

/** Compares a document with the index that it was generated from. Shares no code with the generator. */
export function measureIndexCoverage(index: unknown, document: unknown): IndexCoverage {
  const documented = documentedOperations(document);
  const missing: string[] = [];
  const shadowed: string[] = [];
  for (const [pattern, route] of Object.entries(object(object(index)['routes']))) {
    const byMethod = new Map<string, Raw>();
    for (const endpoint of list(object(route)['endpoints']).map(object)) {
      for (const method of methodsOf(endpoint['methods'])) {
        const name = `${method} ${pattern}`;
        const first = byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
        if (first !== undefined && first !== endpoint) {
          shadowed.push(name);
          continue;
        }
        byMethod.set(method, endpoint);
        const forms = documented.get(name) ?? [];
        if (forms.length === 0) missing.push(name);
        for (const argument of Object.keys(object(endpoint['args'])))
          if (!forms.every((names) => names.has(argument))) missing.push(`${name} ${argument}`);
      }
    }
  }
  return { missing, shadowed };
}

/** Maps `METHOD pattern` to the names of parameters and body fields on the site, one set for each path of the route. */
function documentedOperations(document: unknown): Map<string, Set<string>[]> {
  const documented = new Map<string, Set<string>[]>();
  const root = object(document);
  for (const item of Object.values(object(root['paths'])).map(object)) {
    const others = object(item['x-waygate-methods']);
    for (const [key, operation] of [...Object.entries(item), ...Object.entries(others)]) {
      if (key.startsWith('x-') || key === 'parameters') continue;
      const alternatives = list(object(operation)['x-waygate-alternatives']).map(object);
      for (const entry of alternatives.length > 0 ? alternatives : [object(operation)]) {
        const name = `${key.toUpperCase()} ${entry['x-waygate-route']}`;
        documented.set(name, [...(documented.get(name) ?? []), inputNames(entry, root)]);
      }
    }
  }
  return documented;
}

function inputNames(operation: Raw, root: Raw): Set<string> {
  const names = new Set<string>();
  for (const reference of list(operation['parameters'])) {
    const parameter = resolve(reference, root);
    names.add(String(parameter['x-waygate-name'] ?? parameter['name']));
  }
  const content = object(resolve(operation['requestBody'], root)['content']);
  const isUpload = '*/*' in content && !('application/json' in content);
  // The fields beside a file are the first part of the form.
  const [fields] = isUpload ? list(object(object(content['multipart/form-data'])['schema'])['allOf']) : [];
  const media = isUpload ? { schema: fields } : object(content['application/json']);
  const form = object(content['application/x-www-form-urlencoded']);
  if (!isUpload && Object.keys(content).length > 0 && JSON.stringify(media) !== JSON.stringify(form))
    return new Set();
  for (const name of Object.keys(object(resolve(media['schema'], root)['properties']))) names.add(name);
  return names;
}

function resolve(value: unknown, root: Raw): Raw {
  const reference = object(value)['$ref'];
  if (typeof reference !== 'string') return object(value);
  return object(
    reference
      .slice(2)
      .split('/')
      .reduce((at: unknown, token) => object(at)[token], root),
  );
}

function methodsOf(value: unknown): string[] {
  const methods = typeof value === 'string' ? value.split(',') : list(value);
  return [...new Set(methods.map((each) => String(each).trim().toUpperCase()))];
}

function object(value: unknown): Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
