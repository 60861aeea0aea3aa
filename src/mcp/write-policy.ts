import type { Operation } from '../openapi/operations.ts';

/** Operations that change the site and that agents can call: `mcp.writes`. */
export type AllowedWrites = boolean | readonly string[];

/** Member of the list that allows the same writes as `true`. */
const ALL = '*';

export function isWrite({ method }: Pick<Operation, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** Whether an operation can remove something for good: a deletion, or a batch, which can contain deletions. */
export function isDestructive({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'DELETE' || (method !== 'GET' && /\/batch(?:\/v\d+)?$/.test(path));
}

/** Says why a write is not sent, and which setting would allow it. @returns `undefined` if the operation is allowed */
export function explainRefusedWrite(
  operation: Pick<Operation, 'id' | 'method' | 'path'>,
  id: string,
  writes: AllowedWrites,
): string | undefined {
  if (!isWrite(operation)) return undefined;
  const option = `mcp.writes: ['${id}'] at a gateway, --writes ${id} of waygate mcp`;
  const named = typeof writes === 'boolean' ? [] : writes;
  if (named.includes(operation.id) || named.includes(id)) return undefined;
  if (isDestructive(operation)) return `${id} can delete, so the operator must name it: ${option}.`;
  if (writes === true || named.includes(ALL)) return undefined;
  return `this server does not allow ${id}. The operator can: ${option}, or '*' for all writes that delete nothing.`;
}
