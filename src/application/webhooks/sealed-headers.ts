import type { CustomHeader } from '../../domain/webhooks/custom-headers.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { HeldWebhook, SealedHeaders } from './ports/webhook-ports.js';

type Kept = Pick<HeldWebhook, 'headerNames' | 'sealedHeaderValues'>;

const openValues = (secretBox: SecretBox, { sealedHeaderValues: sealed }: Kept): readonly string[] =>
  sealed === null ? [] : (JSON.parse(secretBox.open(sealed)) as string[]);

export const NO_HEADERS: SealedHeaders = { names: [], sealedValues: null };

export const sealHeaders = (secretBox: SecretBox, headers: readonly CustomHeader[]): SealedHeaders => {
  if (headers.length === 0) return NO_HEADERS;
  const values = JSON.stringify(headers.map(({ value }) => value));
  return { names: headers.map(({ name }) => name), sealedValues: secretBox.seal(values) };
};

/** The headers of a webhook, as they were set. */
export const openHeaderList = (secretBox: SecretBox, kept: Kept): readonly CustomHeader[] => {
  const values = openValues(secretBox, kept);
  return kept.headerNames.map((name, at) => ({ name, value: values[at] ?? '' }));
};

/** As they are sent. */
export const openHeaders = (secretBox: SecretBox, kept: Kept): Readonly<Record<string, string>> =>
  Object.fromEntries(openHeaderList(secretBox, kept).map(({ name, value }) => [name, value]));
