import { DEFAULT_TITLE, type AlertSignal } from './alert.js';
import { canonicalJson } from './canonical-json.js';
import { eachWithin, readHosts, readInstant, readText } from './read-values.js';
import { readSeverity } from './severity.js';

export type Payload = Readonly<Record<string, unknown>>;

export interface ReadingRules {
  readonly receivedAt: Date;
  /** Whether payloads without a fingerprint are grouped by what they say. */
  readonly groupByPayload: boolean;
}

/** What differs from one arrival of an alert to the next. */
const VARYING = ['start_time', 'end_time', 'hosts'];

/** As in JSON, but for texts, which stand for themselves: the engine takes long to begin with JSON, and there may be half a million. */
const textOf = (part: unknown): string =>
  typeof part === 'object' && part !== null ? JSON.stringify(part) : String(part as string | number | boolean | null);

/** The prefix keeps apart what different kinds of values would write alike. */
const fingerprintSource = (
  payload: Payload,
  { groupByPayload }: Pick<ReadingRules, 'groupByPayload'>,
): string | null => {
  const { fingerprint } = payload;
  if (typeof fingerprint === 'string') {
    if (fingerprint.trim() !== '') return `string:${fingerprint}`;
  } else if (Array.isArray(fingerprint)) {
    const parts: string[] = [];
    eachWithin(fingerprint, (part) => parts.push(textOf(part)) === 0);
    if (parts.length > 0) return `array:${JSON.stringify(parts)}`;
  } else if (fingerprint !== undefined && fingerprint !== null) {
    return `json:${canonicalJson(fingerprint)}`;
  }
  if (!groupByPayload) return null;
  const lasting = Object.fromEntries(Object.entries(payload).filter(([name]) => !VARYING.includes(name)));
  return `payload:${canonicalJson(lasting)}`;
};

/** A payload of our own format. @param text the payload as it was sent. */
export const readGenericPayload = (payload: Payload, text: string, rules: ReadingRules): AlertSignal => ({
  title: readText(payload['title'], 200, '…') ?? DEFAULT_TITLE,
  description: readText(payload['description'], 1_000),
  service: readText(payload['service'], 100),
  monitoringTool: readText(payload['monitoring_tool'], 100),
  hosts: readHosts(payload['hosts']),
  severity: readSeverity(payload['severity']),
  environment: readText(payload['platform_environment_name'] ?? payload['gitlab_environment_name'], 255),
  query: null,
  startedAt: readInstant(payload['start_time']) ?? rules.receivedAt,
  endedAt: readInstant(payload['end_time']) ?? null,
  fingerprintSource: fingerprintSource(payload, rules),
  payload: text,
});
