// @ts-check

/**
 * @typedef {import('./run.mjs').Finding} Finding
 * @typedef {{ readonly reason: string, readonly count: number, readonly example: Finding | undefined }} Reason
 */

/**
 * Counts findings. `agreed` is the number of requests that the gateway refused with the same status, code and names as the site, and
 * `share` what part of the refused ones they are.
 *
 * @param {readonly Finding[]} findings
 */
export function summarize(findings) {
  /** @param {Finding['verdict']} verdict */
  const all = (verdict) => findings.filter((finding) => finding.verdict === verdict);
  const [agreed, missed, different] = [all('agreed'), all('missed'), all('different')];
  const refused = agreed.length + missed.length + different.length;
  return {
    sent: findings.length,
    operations: new Set(findings.map(({ operation }) => operation)).size,
    refused,
    agreed: agreed.length,
    share: refused === 0 ? 1 : agreed.length / refused,
    wrong: all('wrong'),
    failed: all('failed').length,
    changed: all('changed'),
    missed: byReason(missed),
    different: byReason(different),
  };
}

/** Groups findings by reason, largest group first. @param {readonly Finding[]} findings @returns {readonly Reason[]} */
function byReason(findings) {
  /** @type {Map<string, Finding[]>} */
  const groups = new Map();
  for (const finding of findings) {
    const reason = `${finding.operation} — ${finding.reasons.join(', ')}`;
    groups.set(reason, [...(groups.get(reason) ?? []), finding]);
  }
  return [...groups]
    .map(([reason, members]) => ({ reason, count: members.length, example: members[0] }))
    .sort((a, b) => b.count - a.count);
}

/** @typedef {ReturnType<typeof summarize>} Summary */

/** @param {Summary} summary @param {number} [limit] maximum number of findings shown of each kind */
export function describe(
  { sent, operations, refused, agreed, share, wrong, failed, changed, missed, different },
  limit = 40,
) {
  /** @param {Finding} finding */
  const formatFinding = ({ position, request, site, gateway }) =>
    `  #${position} ${request}\n     site ${site.status} ${site.code} ${site.rules.join(', ')}\n     gateway ${gateway.status} ${gateway.code} ${gateway.rules.join(', ')}`;
  /** @param {Reason} reason */
  const formatGroup = ({ count, reason, example }) =>
    `  ${count} × ${reason}${example === undefined ? '' : `\n${formatFinding(example)}`}`;
  const lines = [
    `${sent} requests to ${operations} operations`,
    `the site refused ${refused} for their parameters; the gateway refused ${agreed} of these in the same way (${(share * 100).toFixed(1)} %)`,
    `refused by the gateway and accepted by the site: ${wrong.length}`,
    ...wrong.slice(0, limit).map(formatFinding),
    `refused by the gateway, 5xx from the site: ${failed}`,
    `forwarded with a changed body: ${changed.length}`,
    ...changed.slice(0, limit).map(formatFinding),
    `refused by both in different ways: ${different.reduce((sum, { count }) => sum + count, 0)}`,
    ...different.slice(0, limit).map(formatGroup),
    `refused only by the site, by reason: ${missed.reduce((sum, { count }) => sum + count, 0)}`,
    ...missed.slice(0, limit).map(formatGroup),
  ];
  return `${lines.join('\n')}\n`;
}
