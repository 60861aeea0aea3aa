import { toAddress } from './run.ts';

/** What has the `request` of a gateway. */
interface Requestable {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

/** Lists the paths whose responses are stored and may be served. The site is not asked. */
export async function listStored<Path extends string>(
  gateway: Requestable,
  paths: readonly Path[],
): Promise<readonly Path[]> {
  const found: Path[] = [];
  for (const path of paths) {
    const response = await gateway.request(toAddress(path), {
      headers: { 'cache-control': 'only-if-cached' },
    });
    await response.text();
    if (response.status === 200) found.push(path);
  }
  return found;
}
