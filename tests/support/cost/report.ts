import type { Finding } from './run-suite.js';

const SHOWN = 10;

const line = ({ target, caller, shape, detail, cost, faults }: Finding): string => {
  const { delayMs, memoryMb, tookMs, bytes, status, end } = cost;
  const figures = [
    `${delayMs.toFixed(1).padStart(7)} ms delay`,
    `${memoryMb.toFixed(1).padStart(6)} MB`,
    `${tookMs.toFixed(0).padStart(5)} ms`,
    `${String(bytes).padStart(8)} B`,
    end === 'answered' ? String(status).padStart(3) : end,
  ];
  const where = `${target} · ${caller} · ${shape}${detail === '' ? '' : ` (${detail})`}`;
  return `  ${figures.join('  ')}  ${where}${faults.length === 0 ? '' : `  ← ${faults.join('; ')}`}`;
};

const dearer = (left: Finding, right: Finding): number =>
  rank(right) - rank(left) || right.cost.delayMs - left.cost.delayMs;
const rank = ({ cost: { end } }: Finding): number => ({ answered: 0, hung: 1, killed: 2 })[end];

const dearestOfEach = (findings: readonly Finding[]): Finding[] => {
  const byTarget = new Map<string, Finding>();
  for (const finding of [...findings].sort(dearer))
    if (!byTarget.has(finding.target)) byTarget.set(finding.target, finding);
  return [...byTarget.values()];
};

const largest = (findings: readonly Finding[], of: (finding: Finding) => number): Finding[] =>
  [...findings].sort((left, right) => of(right) - of(left)).slice(0, SHOWN);

/** Routes that anybody would call broken: those that delay others by more than a quarter of a second, or answer 500. */
const brokenIn = (findings: readonly Finding[]): number =>
  new Set(
    findings
      .filter(({ cost: { end, delayMs, status } }) => end !== 'answered' || delayMs > 250 || status >= 500)
      .map(({ target }) => target),
  ).size;

/** The dearest routes, each by its dearest shape, and everything that is over its bounds. */
export const describeFindings = (findings: readonly Finding[]): string => {
  const targets = new Set(findings.map(({ target }) => target)).size;
  const faulty = findings.filter(({ faults }) => faults.length > 0);
  const ofTargets = new Set(faulty.map(({ target }) => target)).size;
  return [
    `${findings.length} requests to ${targets} routes; ${brokenIn(findings)} routes delay others by more than 250 ms or answer 500;`,
    `${faulty.length} requests to ${ofTargets} routes are over their bounds.`,
    'The dearest routes:',
    ...dearestOfEach(findings).slice(0, SHOWN).map(line),
    'The most memory:',
    ...largest(findings, ({ cost }) => cost.memoryMb)
      .slice(0, 5)
      .map(line),
    'The longest:',
    ...largest(findings, ({ cost }) => cost.tookMs)
      .slice(0, 5)
      .map(line),
    'The largest answers:',
    ...largest(findings, ({ cost }) => cost.bytes)
      .slice(0, 5)
      .map(line),
    '',
  ].join('\n');
};

export const describeFaults = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ faults }) => faults.length > 0)
    .sort(dearer)
    .map(line);
