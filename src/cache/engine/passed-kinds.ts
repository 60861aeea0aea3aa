import { createLru } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import type { EntryPolicy } from '../cache-request.ts';

const MIN_ADDRESSES = 10;
/** Each 40th address is asked for everyone, so that ten requests cannot pass a kind for long. */
const PROBE_INTERVAL = 40;
const MAX_KINDS = 1_000;

interface KindState {
  readonly keys: Set<string>;
  until: number;
  passed: number;
}

/** Kinds of addresses whose last responses were not everyone's. Asking for everyone would cost twice. */
export class PassedKinds {
  readonly #clock: Clock;
  readonly #duration: number;
  readonly #kinds = createLru<KindState>(MAX_KINDS);

  constructor(clock: Clock, duration: number) {
    this.#clock = clock;
    this.#duration = duration;
  }

  clear(): void {
    this.#kinds.clear();
  }

  passes({ kindOfAddress = '' }: EntryPolicy): boolean {
    const state = this.#kinds.get(kindOfAddress);
    if (state === undefined || this.#clock.now() >= state.until) return false;
    return state.passed % PROBE_INTERVAL !== PROBE_INTERVAL - 1;
  }

  count({ kindOfAddress = '' }: EntryPolicy): void {
    const state = this.#kinds.get(kindOfAddress);
    if (state !== undefined) state.passed += 1;
  }

  /** @param detail why a response for everyone was for one client; `null` if it is everyone's */
  note(policy: EntryPolicy, key: string, detail: string | null): void {
    const { kindOfAddress } = policy;
    if (kindOfAddress === undefined) return;
    const known = this.#kinds.get(kindOfAddress);
    if (detail === null) {
      if (known !== undefined) this.#kinds.delete(kindOfAddress);
      return;
    }
    const state = known ?? { keys: new Set<string>(), until: 0, passed: 0 };
    if (known === undefined) this.#kinds.set(kindOfAddress, state);
    if (state.keys.size < MIN_ADDRESSES) state.keys.add(key);
    if (state.keys.size < MIN_ADDRESSES) return;
    if (state.until === 0) policy.reportPassedKind?.(detail);
    state.until = this.#clock.now() + this.#duration;
  }
}
