const OF_JOB = /^(\/projects\/[^/?]+\/jobs\/\d+\/artifacts)\/([^?]+)/;
const OF_REF = /^(\/projects\/[^/?]+\/jobs\/artifacts)\/([^?]+)/;

const asOneSegment = (path: string): string => path.replaceAll('/', '%2F');

/** `feature/one/raw/docs/a.txt`: the branch, what is asked for, and the file. */
const foldRef = (rest: string): string => {
  const raw = rest.indexOf('/raw/');
  if (raw > 0) return `${asOneSegment(rest.slice(0, raw))}/raw/${asOneSegment(rest.slice(raw + 5))}`;
  return rest.endsWith('/download') ? `${asOneSegment(rest.slice(0, -9))}/download` : rest;
};

/**
 * An address below the API's prefix as its routes are declared. Clients write the paths of files in archives, and names of branches, with
 * their slashes.
 */
export const foldArtifactAddress = (address: string): string =>
  address
    .replace(OF_JOB, (_all, before: string, path: string) => `${before}/${asOneSegment(path)}`)
    .replace(OF_REF, (_all, before: string, rest: string) => `${before}/${foldRef(rest)}`);
