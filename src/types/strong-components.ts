/**
 * Numbers the strongly connected component of each node of a graph (Tarjan 1972), without recursion, because
 * long chains of schemas would overflow the stack.
 *
 * @param next the successors of each node
 */
export function findStrongComponents(next: readonly (readonly number[])[]): readonly number[] {
  const order = new Int32Array(next.length).fill(-1);
  const low = new Int32Array(next.length);
  const component = new Int32Array(next.length).fill(-1);
  const open: number[] = [];
  let visited = 0;
  let found = 0;
  const close = (state: number): void => {
    if (low[state] !== order[state]) return;
    for (let member = -1; member !== state; ) {
      member = open.pop() ?? state;
      component[member] = found;
    }
    found += 1;
  };
  for (let root = 0; root < next.length; root += 1) {
    if (order[root] !== -1) continue;
    const path: { readonly state: number; edge: number }[] = [];
    const enter = (state: number): void => {
      order[state] = low[state] = visited;
      visited += 1;
      open.push(state);
      path.push({ state, edge: 0 });
    };
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { state } = step;
      const to = next[state]?.[step.edge];
      step.edge += 1;
      if (to === undefined) {
        close(state);
        path.pop();
        const parent = path.at(-1)?.state;
        if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[state] ?? 0);
      } else if (order[to] === -1) enter(to);
      else if (component[to] === -1) low[state] = Math.min(low[state] ?? 0, order[to] ?? 0);
    }
  }
  return [...component];
}
