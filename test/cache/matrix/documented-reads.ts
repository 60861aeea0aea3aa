import { isJsonObject, type Json } from '../../../src/json.ts';

/** Values of a path parameter that are read. */
const MAX_VALUES = 3;
/** Queries of lists, each used where the document declares its first parameter. */
const QUERIES: readonly string[] = ['per_page=2', 'search=a', 'order=asc', 'context=embed'];

/**
 * Lists the reads of a document that respond to anonymous clients: each `GET` operation with path values of the site, and
 * lists with filters, orders and selected fields.
 */
export async function listDocumentedReads(
  siteUrl: string,
  documentUrl: string,
  authorization: string,
): Promise<readonly string[]> {
  const fetchJson = async (
    route: string,
    headers: Record<string, string> = {},
  ): Promise<Json | undefined> => {
    const response = await fetch(`${siteUrl}index.php?rest_route=${route.replace('?', '&')}`, { headers });
    const text = await response.text();
    return response.ok && text !== '' ? JSON.parse(text) : undefined;
  };
  const valuesOf = async (list: string): Promise<readonly string[]> => {
    const items = await fetchJson(list, { authorization });
    const ids = (Array.isArray(items) ? items : []).flatMap((item) => {
      const id = isJsonObject(item) ? (item['id'] ?? item['slug'] ?? item['name']) : undefined;
      return typeof id === 'string' || typeof id === 'number' ? [String(id)] : [];
    });
    return ids.length > 0 ? ids.slice(0, MAX_VALUES) : ['1', '2', '3'];
  };
  const fill = async (path: string): Promise<readonly string[]> => {
    const start = path.indexOf('{');
    if (start < 0) return [path];
    const end = path.indexOf('}', start) + 1;
    const values = await valuesOf(path.slice(0, start - 1));
    return (
      await Promise.all(values.map((value) => fill(path.slice(0, start) + value + path.slice(end))))
    ).flat();
  };
  const document: { paths: Record<string, { get?: { parameters?: readonly { name?: string }[] } }> } = await (
    await fetch(documentUrl)
  ).json();
  const reads: string[] = [];
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || /nonce/.test(path)) continue;
    const names = new Set(get.parameters?.map(({ name }) => name));
    for (const route of await fill(path)) {
      const body = await fetchJson(route);
      if (body === undefined) continue;
      reads.push(route === '/' ? '/wp-json/' : route);
      if (!Array.isArray(body)) continue;
      reads.push(`${route}?_fields=id`);
      for (const query of QUERIES) if (names.has(query.split('=')[0])) reads.push(`${route}?${query}`);
    }
  }
  return reads;
}
