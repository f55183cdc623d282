import type { Alert, AlertSignal } from './alert.js';

/** What its incident says of an alert. */
export type AlertFacts = Pick<
  Alert,
  'startedAt' | 'severity' | 'service' | 'monitoringTool' | 'hosts' | 'description' | 'environment'
> &
  Pick<AlertSignal, 'query'>;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** As in `01 March 2026, 2:05PM (UTC)`. */
const longTime = (at: Date): string => {
  const hours = at.getUTCHours();
  const clock = `${((hours + 11) % 12) + 1}:${String(at.getUTCMinutes()).padStart(2, '0')}${hours < 12 ? 'AM' : 'PM'}`;
  return `${String(at.getUTCDate()).padStart(2, '0')} ${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}, ${clock} (UTC)`;
};

/** As code, in one line: what queries are written with means something else in Markdown. */
const code = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest === 0 ? '' : ' ';
  return `${fence}${padding}${text.replaceAll(/\s+/g, ' ')}${padding}${fence}`;
};

/** The description of an incident in Markdown: what its alert says, a line each, as far as it says it. */
export const incidentDescription = (alert: AlertFacts, alertUrl: string): string =>
  [
    ['Start time', longTime(alert.startedAt)],
    ['Severity', alert.severity],
    ['Query', alert.query === null ? null : code(alert.query)],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoringTool],
    ['Hosts', alert.hosts.length === 0 ? null : alert.hosts.join(' ')],
    ['Environment', alert.environment],
    ['Description', alert.description],
    ['Alert', alertUrl],
  ]
    .filter((line): line is [string, string] => line[1] !== null)
    .map(([name, value]) => `**${name}:** ${value}`)
    // Two spaces before the end of a line keep it a line.
    .join('  \n');

export const INCIDENT_LABEL = 'incident';
export const INCIDENT_LABEL_COLOR = '#CC0033';
