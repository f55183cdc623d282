import { CodeAddresses } from '../code/code-addresses.js';

/** Slashes of tags stay out of the way of what may follow. */
export const releasePath = (rest = ''): RegExp => new RegExp(`^/(?<path>.+?)/-/releases/(?<tag>[^/]+)${rest}/?$`);

export const releaseAddress = (projectPath: string, tag: string): string =>
  `${new CodeAddresses(projectPath).page('releases')}/${encodeURIComponent(tag)}`;
