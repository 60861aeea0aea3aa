import { toDisposition } from '../docs/sample-request.ts';
import type { AgentSite, FileReader, ToolResult } from './agent-site.ts';
import { describeResponse, refuse, resolveCall } from './call-operation.ts';
import { explainRefusedWrite } from './write-policy.ts';

/** Uploads a file to the media library. @param readFile reads only what the user has named */
export async function uploadFile(path: string, readFile: FileReader, site: AgentSite): Promise<ToolResult> {
  const library = site.catalog.operations.find(
    ({ operation }) => operation.method === 'POST' && /^\/\w+\/v2\/media$/.test(operation.path),
  );
  if (library === undefined) return refuse('the site has no media library.');
  const refusal = explainRefusedWrite(library.operation, library.id, site.writes);
  if (refusal !== undefined) return refuse(refusal);
  const resolved = resolveCall(library.operation, library.operation.path, site);
  const file = await readFile(path);
  if (file === undefined || resolved === undefined)
    return refuse('the file does not exist, is not in a folder of --files, or is larger than 64 MB.');
  site.onTool(`upload_file ${library.id}`);
  // WordPress knows the type by the name.
  const disposition = toDisposition(file);
  const request = {
    ...{ method: 'POST', target: resolved.target, body: file.bytes },
    headers: ['Content-Type', 'application/octet-stream', 'Content-Disposition', disposition],
  };
  const call = { query: {}, fields: ['id', 'source_url', 'media_type', 'title', 'alt_text'] };
  return describeResponse(await site.send(request, site.signal), call, site);
}
