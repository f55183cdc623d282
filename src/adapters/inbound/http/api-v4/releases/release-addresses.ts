const BELOW_RELEASE = /^(\/projects\/[^/?]+\/releases\/(?:permalink\/latest|[^/?]+\/downloads))\/([^?]+)/;

/**
 * An address below the API's prefix as its routes are declared. Clients write what is below a release with its slashes: the path of a link,
 * and what they ask of the newest one.
 */
export const foldReleaseAddress = (address: string): string =>
  address.replace(BELOW_RELEASE, (_all, before: string, rest: string) => `${before}/${rest.replaceAll('/', '%2F')}`);
