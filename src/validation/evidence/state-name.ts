/**
 * What is stored about a site between starts:
 * - `validation`: evidence from the requests of clients. A gateway writes it.
 * - `calibration`: evidence of calibrations. `waygate calibrate` writes it and a gateway only reads it, so that neither
 *   overwrites what the other has found out.
 * - `dependencies`: evidence about what writes change. A gateway writes it.
 * - `shapes`: what the site's responses have in common. A gateway writes it.
 */
export type StateKind = 'validation' | 'calibration' | 'dependencies' | 'shapes';

/** Returns the name of a state in the store. @param site name of the site; `undefined` or empty for none */
export function toStateName(kind: StateKind, site: string | undefined): string {
  return site === undefined || site === '' ? kind : `${kind}.${site}`;
}
