import { type AdminApp, adminResponse, createOperatorCheck } from '../admin/admin-app.ts';
import { problemResponse } from '../exchange/problem.ts';
import type { ConsoleContext } from './page.ts';

/** `GET /-/why?of=`: explains an address, or a past request by its id, as the page of the store does. */
export function addWhyOperation(app: AdminApp, context: ConsoleContext): void {
  app.get('/why', createOperatorCheck(context), async (call) => {
    const { client } = call.var;
    // Pages are loaded by their first request.
    const { explain } = await import('./explain.tsx');
    const [site] = context.sites.values();
    const input = { text: call.req.query('of') ?? '', consoleAddress: client };
    const explained =
      site === undefined ? 'No site is mounted.' : await explain(context, site, { client, root: '' }, input);
    if (typeof explained === 'string')
      return problemResponse({ status: 404, code: 'gateway_not_explained', message: explained });
    const facts = explained.facts.map(({ items = [], name, text }) => ({ name, text, items }));
    return adminResponse({ facts });
  });
}
