/** From the worst to the least; `unknown` is what nobody could tell. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** 0 is the worst. */
export const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);
export const severityOf = (rank: number): Severity => SEVERITIES[rank] ?? 'unknown';

const isSeverity = (text: string): text is Severity => (SEVERITIES as readonly string[]).includes(text);

/** As the generic payload writes it: case does not count, and what is no severity is taken for the worst. */
export const readSeverity = (value: unknown): Severity => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return isSeverity(text) ? text : 'critical';
};

/** The words of those who write rules for Prometheus. */
const LABELS: Readonly<Record<Severity, readonly string[]>> = {
  critical: ['critical', 's1', 'p1', 'emergency', 'fatal'],
  high: ['high', 's2', 'p2', 'major', 'page'],
  medium: ['medium', 's3', 'p3', 'error', 'alert'],
  low: ['low', 's4', 'p4', 'warn', 'warning', 'minor'],
  info: ['info', 's5', 'p5', 'debug', 'information', 'notice'],
  unknown: ['unknown'],
};

export const readSeverityLabel = (value: unknown): Severity => {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return SEVERITIES.find((severity) => LABELS[severity].includes(text)) ?? 'critical';
};
