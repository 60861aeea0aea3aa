/** A script that Redis runs atomically. */
export interface LuaScript {
  readonly name: string;
  readonly source: string;
}
