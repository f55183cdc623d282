import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { MOST_CUSTOM_HEADERS, type CustomHeader } from '../../../../../domain/webhooks/custom-headers.js';
import { jsonList } from '../../validation/parameters.js';

export const SENT_HEADERS = jsonList(
  MOST_CUSTOM_HEADERS,
  'Headers that each delivery carries, as `key` and `value`; their values are never answered. Those that it had go',
);

/** @throws Invalid for what is no pair of texts. */
export const headerIn = (sent: unknown): CustomHeader => {
  const { key, value } = (sent ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof key !== 'string' || typeof value !== 'string')
    throw new Invalid({ custom_headers: ['need a key and a value each'] });
  return { name: key, value };
};
