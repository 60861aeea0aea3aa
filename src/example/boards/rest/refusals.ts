import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';

/** A value that its schema allows and the board does not, said as WordPress says it. */
export function invalid(name: string, message: string): SiteError {
  return {
    kind: 'error',
    status: 400,
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${name}`,
    params: { [name]: message },
    details: { [name]: { code: 'rest_invalid_param', message, data: null } },
  };
}

/** A change that what stands does not allow: `conflict('task_archived', 'The task is archived.')`. */
export function conflict(code: string, message: string): SiteError {
  return refuse(409, code, message);
}
