// @ts-check

/** @type {typeof import('./report.d.mts').summarize} */
export function summarize(findings) {
  /** @param {import('./run.d.mts').Finding['verdict']} verdict */
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

/** Groups findings by reason, largest group first. @param {readonly import('./run.d.mts').Finding[]} findings */
function byReason(findings) {
  /** @type {Map<string, import('./run.d.mts').Finding[]>} */
  const groups = new Map();
  for (const finding of findings) {
    const reason = `${finding.operation} — ${finding.reasons.join(', ')}`;
    groups.set(reason, [...(groups.get(reason) ?? []), finding]);
  }
  return [...groups]
    .map(([reason, members]) => ({ reason, count: members.length, example: members[0] }))
    .sort((a, b) => b.count - a.count);
}

/** @type {typeof import('./report.d.mts').describe} */
export function describe(
  { sent, operations, refused, agreed, share, wrong, failed, changed, missed, different },
  limit = 40,
) {
  const formatFinding = ({ position, request, site, gateway }) =>
    `  #${position} ${request}\n     site ${site.status} ${site.code} ${site.rules.join(', ')}\n     gateway ${gateway.status} ${gateway.code} ${gateway.rules.join(', ')}`;
  const formatGroup = ({ count, reason, example }) => `  ${count} × ${reason}\n${formatFinding(example)}`;
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
