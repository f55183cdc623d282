import { describe, expect, it } from '@jest/globals';
import { incidentDescription, type AlertFacts } from '../../../src/domain/alerts/incident-text.js';

const FACTS: AlertFacts = {
  startedAt: new Date('2026-03-01T14:05:00Z'),
  severity: 'low',
  query: null,
  service: null,
  monitoringTool: null,
  hosts: [],
  environment: null,
  description: null,
};
const URL = 'https://gatehouse.example/engines/mill/-/alert_management/1/details';

const linesOf = (facts: Partial<AlertFacts>): readonly string[] =>
  incidentDescription({ ...FACTS, ...facts }, URL).split('  \n');

describe('what an incident says of its alert', () => {
  it('is a line for each thing that the alert says, in one order', () => {
    expect(linesOf({})).toEqual([
      '**Start time:** 01 March 2026, 2:05PM (UTC)',
      '**Severity:** low',
      `**Alert:** ${URL}`,
    ]);
    const all = { service: 'db', monitoringTool: 'Prometheus', hosts: ['a', 'b'], environment: 'production' };
    expect(linesOf({ ...all, query: 'up == 0', description: 'Gone' }).slice(1, -1)).toEqual([
      '**Severity:** low',
      '**Query:** `up == 0`',
      '**Service:** db',
      '**Monitoring tool:** Prometheus',
      '**Hosts:** a b',
      '**Environment:** production',
      '**Description:** Gone',
    ]);
  });

  it('shows a query as code in one line, whatever it is written with', () => {
    const shown = (query: string) => linesOf({ query })[2];
    expect(shown('rate(x{job=~"a|b"}[5m])\n  * 2')).toBe('**Query:** `rate(x{job=~"a|b"}[5m]) * 2`');
    expect(shown('label_replace(up, "a", `$1`, "b", "``")')).toBe(
      '**Query:** ``` label_replace(up, "a", `$1`, "b", "``") ```',
    );
  });
});
