import type { ExtendedOperation } from '../../../generated/option-types.d.ts';
import bodies from './bodies.json' with { type: 'json' };

const SESSIONS = '/ext-a/v1/chat/sessions';

/** The members of bodies that the extension reads and declares no argument for, as `extend` of a gateway states them. */
export const BODIES: Readonly<Record<string, ExtendedOperation>> = {
  ...bodies,
  [`${SESSIONS}/{id}`]: bodies[SESSIONS],
};
