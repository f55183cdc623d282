import type { ProblemCollector } from '../shared/problem-collector.js';
import type { ProjectId } from '../shared/identifiers.js';

export const INTEGRATION_TYPES = ['generic', 'http_endpoint', 'prometheus', 'link'] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

export interface Integration {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly type: IntegrationType;
  readonly name: string;
  readonly active: boolean;
  /** Part of the address of an HTTP endpoint. */
  readonly identifier: string;
  /** Of a link: the base address of the product that takes the alerts. */
  readonly apiUrl: string | null;
  readonly createdAt: Date;
}

/** What decides whether an integration takes a payload. */
export interface IntegrationState extends Pick<Integration, 'type' | 'active'> {
  readonly keyDigest: string;
}

/** Why an integration doesn't take a payload, whatever the payload says. */
export type ClosedReason = 'removed' | 'key_replaced' | 'switched_off' | 'is_a_link';

/**
 * Why an integration is closed to a sender; undefined while it is open.
 * @param state as it is stored now; undefined once it was removed.
 * @param keyDigest of the key that the sender presented; null where a person sends, who needs none.
 */
export const closedReason = (
  state: IntegrationState | undefined,
  keyDigest: string | null,
): ClosedReason | undefined => {
  if (state === undefined) return 'removed';
  if (keyDigest !== null && keyDigest !== state.keyDigest) return 'key_replaced';
  if (state.type === 'link') return 'is_a_link';
  return state.active ? undefined : 'switched_off';
};

/** Part of an address that people read; it means nothing. */
const slugOf = (name: string): string => {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 63);
  return slug === '' ? 'http-endpoint' : slug;
};

/** Where an integration takes alerts, below its project; a link takes none. */
export const intakePath = ({
  type,
  name,
  identifier,
}: Pick<Integration, 'type' | 'name' | 'identifier'>): string | undefined => {
  if (type === 'generic') return 'alerts/notify.json';
  if (type === 'prometheus') return 'prometheus/alerts/notify.json';
  return type === 'link' ? undefined : `alerts/notify/${slugOf(name)}/${identifier}.json`;
};

export const checkIntegration = (
  problems: ProblemCollector,
  { name, type, apiUrl }: Pick<Integration, 'name' | 'type' | 'apiUrl'>,
): void => {
  problems
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= 255, 'name', 'is too long (maximum is 255 characters)')
    .check(
      type !== 'link' || (apiUrl !== null && /^https?:\/\/[^\s/?#@]+\S*$/.test(apiUrl)),
      'api_url',
      'must be an http or https address',
    )
    .check((apiUrl?.length ?? 0) <= 255, 'api_url', 'is too long (maximum is 255 characters)');
};

/** A link stands for another product: nothing else may take alerts beside it. */
export const contradicts = (
  integration: Pick<Integration, 'type' | 'active'>,
  others: readonly Pick<Integration, 'type' | 'active'>[],
): boolean =>
  integration.active && others.some(({ active, type }) => active && (type === 'link' || integration.type === 'link'));
