import type { SiteValidationReport } from '../../../../src/gateway/site/validating/site-validation.ts';

/** The token of operators. */
export const TOKEN = 'the-token-of-the-tests';

export async function readReport(
  gateway: { request(path: string, init: RequestInit): Response | Promise<Response> },
  name: string,
): Promise<SiteValidationReport> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return (await gateway.request(`/-/sites/${name}/validation`, { headers })).json();
}
