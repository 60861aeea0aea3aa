import { type AdminOperation, adminResponse } from './admin-router.ts';

/** Whether the gateway asks its load balancer for no more requests. Requests that arrive are served all the same. */
export interface DrainSwitch {
  readonly isDraining: boolean;
  /** Sets the state of `/-/ready`. */
  set(isDraining: boolean): void;
}

export function createDrainSwitch(): DrainSwitch {
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    set(next) {
      isDraining = next;
    },
  };
}

/** `POST /-/drain` and `POST /-/undrain`. */
export function createDrainOperations(drain: DrainSwitch): readonly AdminOperation[] {
  return [true, false].map((isDraining) => ({
    method: 'POST',
    path: isDraining ? '/-/drain' : '/-/undrain',
    access: 'token',
    respond() {
      drain.set(isDraining);
      return adminResponse({ draining: drain.isDraining });
    },
  }));
}
