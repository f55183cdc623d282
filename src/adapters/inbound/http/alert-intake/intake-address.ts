import { isStorable } from '../validation/storable-text.js';

/** What a sender's address names. */
export interface IntakeAddress {
  /** As declared, for the log. */
  readonly route: string;
  readonly projectPath: string;
  readonly at: { readonly type: 'generic' | 'prometheus' } | { readonly identifier: string };
}

/** Where no project is: what stands there answers for itself. */
const RESERVED = /^\/(?:api|oauth|-)(?:\/|$)/i;
const PROMETHEUS = /^\/(.+)\/prometheus\/alerts\/notify\.json\/?$/;
const GENERIC = /^\/(.+)\/alerts\/notify\.json\/?$/;
const HTTP_ENDPOINT = /^\/(.+)\/alerts\/notify\/[^/]+\/([^/]+)\.json\/?$/;

/** Text that can stand in a row, or nothing: no project and no key is called so. */
const decoded = (text: string | undefined): string => {
  try {
    const plain = decodeURIComponent(text ?? '');
    return isStorable(plain) ? plain : '';
  } catch {
    return '';
  }
};

/** @param url as it stands in a request. */
export const readIntakeAddress = (url: string): IntakeAddress | undefined => {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  // Nearly everything that is asked ends here.
  if (!path.includes('/alerts/notify') || RESERVED.test(path)) return undefined;
  const prometheus = PROMETHEUS.exec(path);
  if (prometheus !== null)
    return {
      route: '/*path/prometheus/alerts/notify.json',
      projectPath: decoded(prometheus[1]),
      at: { type: 'prometheus' },
    };
  const generic = GENERIC.exec(path);
  if (generic !== null)
    return { route: '/*path/alerts/notify.json', projectPath: decoded(generic[1]), at: { type: 'generic' } };
  const endpoint = HTTP_ENDPOINT.exec(path);
  if (endpoint === null) return undefined;
  return {
    route: '/*path/alerts/notify/:name/:identifier.json',
    projectPath: decoded(endpoint[1]),
    at: { identifier: decoded(endpoint[2]) },
  };
};
