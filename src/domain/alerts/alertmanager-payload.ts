import type { AlertSignal } from './alert.js';
import type { Payload, ReadingRules } from './generic-payload.js';
import { readInstant, readText } from './read-values.js';
import { readSeverityLabel } from './severity.js';

const MEMBERS = [
  'version',
  'groupKey',
  'status',
  'receiver',
  'groupLabels',
  'commonLabels',
  'commonAnnotations',
  'externalURL',
  'alerts',
];

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Payload => (isObject(value) ? value : {});

/** Whether a payload is what Alertmanager sends, complete and of version 4. */
export const isAlertmanagerPayload = (payload: Payload): boolean =>
  payload['version'] === '4' &&
  Array.isArray(payload['alerts']) &&
  MEMBERS.every((name) => Object.hasOwn(payload, name));

/** The query behind an alert, from the address of its graph. */
const queryOf = (generatorUrl: unknown): string => {
  if (typeof generatorUrl !== 'string') return '';
  const parameters = generatorUrl.split('?')[1]?.split('#')[0] ?? '';
  const expression = /(?:^|&)g0\.expr=([^&]*)/.exec(parameters)?.[1];
  if (expression === undefined) return '';
  const encoded = expression.replaceAll('+', ' ');
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

const readTitle = (value: unknown): string | null => readText(value, 200, '…');

const readElement = (element: Payload, receivedAt: Date): AlertSignal | undefined => {
  const { labels: givenLabels, annotations: givenAnnotations } = element;
  if (givenLabels === undefined && givenAnnotations === undefined) return undefined;
  const [labels, annotations] = [objectOf(givenLabels), objectOf(givenAnnotations)];
  const title = readTitle(annotations['title']) ?? readTitle(annotations['summary']) ?? readTitle(labels['alertname']);
  if (title === null) return undefined;
  const startsAt = element['startsAt'];
  const query = queryOf(element['generatorURL']);
  // A firing alert carries an end, too: the zero time. Its status decides.
  const resolved = element['status'] === 'resolved';
  return {
    title,
    description: readText(annotations['description'], 1_000),
    service: null,
    monitoringTool: 'Prometheus',
    hosts: [],
    severity: readSeverityLabel(labels['severity']),
    environment: readText(labels['platform_environment_name'] ?? labels['gitlab_environment_name'], 255),
    startedAt: readInstant(startsAt) ?? receivedAt,
    query: readText(query, 1_000),
    endedAt: resolved ? (readInstant(element['endsAt']) ?? receivedAt) : null,
    fingerprintSource: `prometheus:${JSON.stringify([typeof startsAt === 'string' ? startsAt : '', title, query])}`,
    payload: JSON.stringify(element),
  };
};

/** The alerts of one message of Alertmanager; an element that nothing names is left out. */
export const readAlertmanagerPayload = (
  payload: Payload,
  { receivedAt }: Pick<ReadingRules, 'receivedAt'>,
): readonly AlertSignal[] =>
  (payload['alerts'] as unknown[])
    .filter(isObject)
    .map((element) => readElement(element, receivedAt))
    .filter((signal) => signal !== undefined);
