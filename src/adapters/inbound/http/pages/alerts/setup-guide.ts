import type { IntegrationType } from '../../../../../domain/alerts/integration.js';
import { shellQuoted } from '../../shell-quoted.js';

/** What to paste where, so that alerts arrive. */
export interface Guide {
  readonly title: string;
  readonly explanation: string;
  readonly text: string;
}

/** Where an integration takes alerts, and by which key. */
interface Intake {
  readonly url: string;
  readonly key: string;
}

const GENERIC_SAMPLE = {
  title: 'Disk is almost full',
  description: 'Less than 5 % is left on /var.',
  severity: 'high',
  service: 'database',
  monitoring_tool: 'curl',
  hosts: ['db1'],
  platform_environment_name: 'production',
  fingerprint: 'disk-db1-var',
};

const ALERTMANAGER_SAMPLE = {
  version: '4',
  groupKey: '{}:{alertname="DiskAlmostFull"}',
  status: 'firing',
  receiver: 'gatehouse',
  groupLabels: { alertname: 'DiskAlmostFull' },
  commonLabels: { alertname: 'DiskAlmostFull', severity: 'critical' },
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example:9093',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'DiskAlmostFull', severity: 'critical', instance: 'db1' },
      annotations: { title: 'Disk is almost full', description: 'Less than 5 % is left on /var.' },
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example:9090/graph?g0.expr=disk_free_ratio+%3C+0.05',
    },
  ],
};

const sampleOf = (type: IntegrationType): object => (type === 'prometheus' ? ALERTMANAGER_SAMPLE : GENERIC_SAMPLE);

/** A payload as the senders of a type of integration make them. */
export const samplePayload = (type: IntegrationType): string => JSON.stringify(sampleOf(type), null, 2);

const curl = ({ url, key }: Intake, type: IntegrationType): Guide => ({
  title: 'Try it from a shell',
  explanation: 'It sends one alert, and prints what became of it.',
  text: [
    'curl --fail-with-body \\',
    `  --header ${shellQuoted(`Authorization: Bearer ${key}`)} \\`,
    "  --header 'Content-Type: application/json' \\",
    `  --data ${shellQuoted(JSON.stringify(sampleOf(type)))} \\`,
    `  ${shellQuoted(url)}`,
  ].join('\n'),
});

// Strings of JSON are strings of YAML.
const alertmanager = ({ url, key }: Intake): Guide => ({
  title: 'Alertmanager',
  explanation: 'Merge this into alertmanager.yml, and reload Alertmanager.',
  text: `route:
  receiver: gatehouse
receivers:
  - name: gatehouse
    webhook_configs:
      - url: ${JSON.stringify(url)}
        send_resolved: true
        http_config:
          authorization:
            credentials: ${JSON.stringify(key)}
`,
});

/** What to paste, the usual sender first. */
export const guidesOf = (type: IntegrationType, intake: Intake): readonly Guide[] =>
  type === 'prometheus' ? [alertmanager(intake), curl(intake, type)] : [curl(intake, type), alertmanager(intake)];
