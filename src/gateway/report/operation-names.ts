import type { Snapshot } from '../site/snapshot/snapshot.ts';
import { NO_OPERATION } from '../site/traffic/durations.ts';

/** @returns e.g. `GET /wp/v2/posts` for the id of an operation */
export function nameOperations(snapshot: Snapshot | null): (id: string) => string {
  const served = snapshot?.requestValidators?.getOperationsById();
  return (id) => {
    const operation = served?.get(id)?.operation;
    return operation === undefined ? (OTHER_NAMES[id] ?? id) : `${operation.method} ${operation.path}`;
  };
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  [NO_OPERATION.unknownRoutes]: 'routes outside the document',
  [NO_OPERATION.pages]: 'pages of the site',
  [NO_OPERATION.gateway]: 'documentation and document',
  [NO_OPERATION.agents]: 'messages of agents',
  [NO_OPERATION.other]: 'further operations',
};
